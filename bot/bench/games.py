"""`knightshift bench games`: whole games on a short clock, through the real service, against other processes.

The clock is one that Lichess does not have; the local one keeps it. Nothing is made to go wrong here, and
nothing may: that a game is lost on the board is chess, all else is a fault.
"""

from __future__ import annotations

import os
import random
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

from rich.console import Console

from bot.bench.arena import arena
from bot.bench.games_log import read_log
from bot.bench.games_report import Outcome, report_games, score
from bot.bench.games_result import Played
from bot.bench.games_schedule import Fixture, schedule
from bot.bench.games_season import Season
from bot.lab.budgets import OnClock
from bot.lab.run_progress import watching
from bot.local_lichess.clocks import FineRealtime
from bot.nursery import Nursery
from bot.strategies import registry
from bot.strategies.contract import StrategySpec
from bot.timing.clock import SystemClock
from bot.warming import COMPILED, ENGINE, warm_for

STRATEGY, OPPONENTS = "compiled", ("classical", "compiled")
#: What the challenges ask for, in seconds: Lichess lets no bot play anything much shorter.
ASKED_LIMIT_S, ASKED_INCREMENT_S = 15, 1
#: Where the bot has not moved for so long after a whole clock has gone by, everything stands still.
STALLED_S = 60.0


def run_games(
    *,
    games: int,
    parallel: int,
    clock: OnClock,
    seed: int,
    as_json: bool,
    strategy: str = STRATEGY,
    opponents: Sequence[str] = OPPONENTS,
) -> int:
    """Play `games` games, `parallel` at a time, in which each side has `clock`; the exit code.

    `strategy` is the bot's. UserError where one of the strategies cannot be had, BenchError when the bot
    dies.
    """
    ours = registry.parse_spec(strategy)
    rivals = {name: registry.parse_spec(name, search_path=(str(Path.cwd()),)) for name in opponents}
    warm_for({spec.name for spec in (ours, *rivals.values())}, Console(stderr=True), SystemClock())
    fixtures = schedule(games, opponents, random.Random(seed))
    control = FineRealtime(ASKED_LIMIT_S, ASKED_INCREMENT_S, clock.base_ms, clock.increment_ms)
    outcome = _play(fixtures, ours, rivals, control, parallel=parallel, seed=seed)
    in_words = f"{clock.base_ms / 1000:g} s + {clock.increment_ms / 1000:g} s"
    title = f"games: {games} at {in_words}, {parallel} at a time, seed {seed}"
    return report_games(outcome, title, strategy, as_json=as_json)


def _play(
    fixtures: Sequence[Fixture],
    ours: StrategySpec,
    rivals: Mapping[str, StrategySpec],
    control: FineRealtime,
    *,
    parallel: int,
    seed: int,
) -> Outcome:
    clock, loads = SystemClock(), list[float]()
    nursery = Nursery(preload=(ENGINE,) if COMPILED in {spec.name for spec in rivals.values()} else ())
    nursery.warm()
    try:
        with arena(clock=clock, seed=seed, realtime=control) as world:
            season = Season(world, fixtures, rivals, nursery, control)
            with (
                world.bot_online(**_settings(ours, parallel)) as service,
                watching(sys.stderr, total=len(fixtures), before=0, clock=clock, counted="games") as watch,
            ):

                def told(played: Sequence[Played]) -> None:
                    watch.show(len(played), score(played))
                    loads.extend(_load())

                stalled_s = STALLED_S + control.start_ms / 1000
                season.play(service, parallel=parallel, told=told, stalled_s=stalled_s)
            log = tuple(service.log_lines())
    finally:
        nursery.close()
    return Outcome(
        games=len(fixtures),
        parallel=parallel,
        opponents=tuple(rivals),
        played=tuple(season.played),
        rivals_faults=season.rivals_faults,
        moves=len(world.watch.replies),
        refused=world.watch.refused,
        duplicates=world.watch.duplicates,
        told=read_log(log),
        log=log,
        loads=tuple(loads),
    )


def _load() -> tuple[float, ...]:
    """How many processes have wanted to run in the last minute, on average; nothing where nobody knows."""
    return os.getloadavg()[:1] if hasattr(os, "getloadavg") else ()


def _settings(strategy: StrategySpec, parallel: int) -> dict[str, object]:
    return {
        "strategy": {"name": strategy.name, "options": dict(strategy.options)},
        "games": {"max_simultaneous": parallel},
        "challenge": {"variants": ["standard", "fromPosition"]},
        "log": {"level": "debug"},  # which tells when a strategy's process is ready
    }
