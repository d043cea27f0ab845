"""`knightshift lab register`: what is promised before the first game, written down; and what it can show."""

from __future__ import annotations

import dataclasses
from datetime import UTC, datetime
from pathlib import Path

from rich.console import Console

from bot.errors import UserError
from bot.lab.foresight import eta, pair_ms_by_budget, prospects, repeats
from bot.lab.openings import Opening, all_openings, read_openings
from bot.lab.pair_player import PairPlayer
from bot.lab.plan import Run, RunOptions, plan
from bot.lab.registration import Registration, Test, read_registration
from bot.lab.schedule import schedule
from bot.lab.stats.sprt import Scale, Sprt
from bot.nursery import Nursery
from bot.timing.clock import Clock, SystemClock

#: Where a player looks for modules depends on where it is run; that is not registered.
NOT_REGISTERED = "search_path"


def run_register(
    path: Path,
    options: RunOptions,
    test: Test,
    *,
    hypothesis: str | None,
    replaces: Path | None,
    draws: float,
    pair_ms: float | None,
    concurrency: int,
    console: Console,
) -> int:
    """Plan, say what to expect, and write `path`, which must not exist; returns 0.

    `draws`: the expected share of drawn games between equals. `pair_ms`: how long a pair takes; None: that is
    worked out from the budget, or one pair that is not of the run is played. Raises UserError.
    """
    if path.exists():
        raise UserError(f"{path} exists; a registration is never overwritten, so choose another name")
    before = None if replaces is None else read_registration(replaces).sha256
    clock = SystemClock()
    nursery = Nursery()
    nursery.warm()
    try:
        run = plan(options, nursery=nursery, now_s=clock.wall())
        took_ms = pair_ms or pair_ms_by_budget(run.settings) or _measured(options, run, nursery, clock)
    finally:
        nursery.close()
    registration = Registration(
        created=datetime.fromtimestamp(clock.wall(), UTC).isoformat(timespec="seconds"),
        hypothesis=hypothesis or f"{run.header.players[0]} beats {run.header.players[1]}",
        test=test,
        run=run.header,
        options=registered_options(options),
        replaces=before,
    )
    openings = _openings(options)
    for line in (
        f"Hypothesis: {registration.hypothesis}.",
        f"Decision: {test.decision}",
        *prospects(test, draws),
        eta(test, draws, took_ms, concurrency),
        *repeats(test, len(openings)),
    ):
        console.print(line, highlight=False, markup=False, soft_wrap=True)
    with path.open("x", encoding="utf-8") as file:
        file.write(registration.to_text())
    console.print(f"{path}: sha256 {registration.sha256}", highlight=False, markup=False, soft_wrap=True)
    console.print(
        f"Commit it, then: knightshift lab run {path}", highlight=False, markup=False, soft_wrap=True
    )
    return 0


def registered_options(options: RunOptions) -> dict[str, object]:
    """As JSON values."""
    values = dataclasses.asdict(options) | {"players": list(options.players)}
    del values[NOT_REGISTERED]
    return values


def parse_sprt(text: str, scale: Scale) -> Sprt:
    """`ELO0,ELO1[,ALPHA[,BETA]]`. Raises UserError."""
    try:
        numbers = [float(part) for part in text.split(",")]
        if not 2 <= len(numbers) <= 4:
            raise ValueError(f"{len(numbers)} numbers")
        alpha, beta = (*numbers[2:], 0.05, 0.05)[:2]
        return Sprt(numbers[0], numbers[1], alpha, beta, scale)
    except ValueError as error:
        raise UserError(f"--sprt {text}: expected ELO0,ELO1[,ALPHA[,BETA]] such as 0,50: {error}") from error


def _measured(options: RunOptions, run: Run, nursery: Nursery, clock: Clock) -> float:
    """Milliseconds of one pair that is none of the run's: nobody has looked at its games beforehand."""
    other = schedule(run.header.players, "match", 1, _openings(options), options.seed + 1)
    player = PairPlayer(run.settings, nursery=nursery, clock=clock, worker="calibration")
    return float(player.play(other[0]).duration_ms)


def _openings(options: RunOptions) -> tuple[Opening, ...]:
    return all_openings() if options.openings is None else read_openings(Path(options.openings))
