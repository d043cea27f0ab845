"""`knightshift bench soak`: many games in a storm of faults, and what is left of them and of the bot."""

from __future__ import annotations

import random
import sys
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass

from bot.bench.arena import LOOK_S, Arena, Guests, arena
from bot.bench.erratic import mishap
from bot.bench.processes import descendants, need_proc, resident_mib, socket_count, thread_count
from bot.bench.progress import progress
from bot.bench.table import Measured, report
from bot.bench.verdict import lost_to_plumbing
from bot.local_lichess.players import Player, RandomPlayer, Resign, SilentPlayer
from bot.local_lichess.storm import Storm
from bot.service_process import ServiceProcess
from bot.timing.clock import SystemClock

#: No storm makes all games stand still so long.
STALLED_S = 180.0
#: With nothing to do, the bot has settled by then.
SETTLE_S = 2.0
QUIET_WITHIN_S = 30.0
#: So many games at once are what it said it would play; they are begun by then.
SLOTS_WITHIN_S = 30.0
PAUSE_S = 0.03
MEMORY_LIMIT_MIB = 512
#: Of a lost game, this many lines of the bot's log are shown.
SHOWN_LINES = 25


@dataclass(frozen=True, slots=True)
class Upkeep:
    """What the idle bot holds."""

    threads: int
    children: int
    sockets: int
    resident_mib: float


def run_soak(
    storm: Storm,
    *,
    games: int,
    parallel: int,
    seed: int,
    strategy_rate: float,
    as_json: bool,
    opponent: Callable[[random.Random], Player] = RandomPlayer,
) -> int:
    """Play `games` games, `parallel` at a time, in `storm`; the exit code.

    `strategy_rate`: how likely a mishap is at each turn of the strategy. BenchError when the bot dies.
    """
    need_proc("bench soak")
    with arena(clock=SystemClock(), seed=seed, faults=storm) as world:
        strategy = {"name": "bot.bench.erratic:Erratic", "options": {"seed": seed, "rate": strategy_rate}}
        with world.bot_online(
            strategy=strategy,
            games={"max_simultaneous": parallel},
            process={"memory_limit_mib": MEMORY_LIMIT_MIB},
        ) as service:
            world.wait_a_while(SETTLE_S)
            before = _upkeep(service)
            world.invite(Guests(parallel, games, PAUSE_S), random.Random(seed), opponent)
            with progress("games", games) as done:
                world.play_out(service, done, STALLED_S)
            storm.end()
            played = world.games()
            leaked_slots = parallel - _slots(world, parallel)
            after = _when_quiet(world, service, before)
            exit_code = service.stop()
            left = world.left_behind([service])
        turns = world.watch.replies
        mishaps = Counter(mishap(seed, strategy_rate, turn.game_id, turn.ply) for turn in turns)
        lost = {game.id: why for game in played if (why := lost_to_plumbing(game, world.bot.id)) is not None}
        _tell_of(lost, service)
    figures = [
        Measured("games", "games", len(played), ""),
        Measured("moves", "moves", len(turns), ""),
        *(
            Measured(f"fault_{_key(kind)}", f"fault: {kind}", count, "")
            for kind, count in sorted(storm.counts().items())
        ),
        *(
            Measured(f"strategy_{_key(kind)}", f"strategy: {kind}", count, "")
            for kind, count in mishaps.items()
            if kind is not None
        ),
        Measured("not_begun", "games that never began", games - len(played), "", 0),
        Measured("lost", "games lost to the plumbing", len(lost), "", 0),
        Measured("duplicates", "duplicate moves accepted", world.watch.duplicates, "", 0),
        Measured("refused", "moves refused", world.watch.refused, ""),
        Measured("leaked_slots", "slots leaked", leaked_slots, "", 0),
        Measured("leaked_threads", "threads leaked", max(0, after.threads - before.threads), "", 0),
        Measured("leaked_children", "children leaked", max(0, after.children - before.children), "", 0),
        Measured("leaked_sockets", "sockets leaked", max(0, after.sockets - before.sockets), "", 0),
        Measured("exit_code", "exit code, told to stop", abs(exit_code), "", 0),
        Measured("left_behind", "processes left behind", left, "", 0),
        Measured("memory_start_mib", "memory at the start", before.resident_mib, "MiB"),
        Measured("memory_end_mib", "memory at the end", after.resident_mib, "MiB"),
    ]
    return report(f"soak: {games} games, {parallel} at a time, seed {seed}", figures, as_json=as_json)


def _key(kind: str) -> str:
    return kind.replace(" ", "_").replace("-", "_").lower()


def _slots(world: Arena, parallel: int) -> int:
    """How many games the bot takes at once, of as many as it should, with nothing else to do."""
    names = [f"Late{number + 1}" for number in range(parallel)]
    for name in names:
        world.server.add_account(name)
        world.server.attach(name, SilentPlayer())
        world.server.challenge(name, world.bot.name, color="white")
    world.wait(lambda: len(world.running()) == parallel, SLOTS_WITHIN_S)
    late = [game for game in world.games() if not game.is_over]
    for game in late:
        world.server.act(game.opponent_of(world.bot.id), game.id, Resign())
    return len(late)


def _upkeep(service: ServiceProcess) -> Upkeep:
    pid = service.pid
    return Upkeep(thread_count(pid), len(descendants(pid)), socket_count(pid), resident_mib(pid))


def _when_quiet(world: Arena, service: ServiceProcess, before: Upkeep) -> Upkeep:
    """What the bot holds once it holds no more than before, or does not let go."""
    until = world.clock.monotonic() + QUIET_WITHIN_S
    while (now := _upkeep(service)) and world.clock.monotonic() < until:
        if (
            now.threads <= before.threads
            and now.children <= before.children
            and now.sockets <= before.sockets
        ):
            break
        world.wait_a_while(LOOK_S)
    return now


def _tell_of(lost: dict[str, str], service: ServiceProcess) -> None:
    lines = service.log_lines() if lost else []
    for game_id, why in lost.items():
        print(f"game {game_id}: {why}", file=sys.stderr)  # noqa: T201  for whoever has to find out why
        for line in [line for line in lines if f"[{game_id}" in line][-SHOWN_LINES:]:
            print(f"  {line}", file=sys.stderr)  # noqa: T201
