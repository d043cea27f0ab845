"""`knightshift lab audit`: reads a journal as if somebody else had written it."""

from __future__ import annotations

from pathlib import Path

from rich.console import Console

from bot.lab.audit import Audit, agreed_scores_of, audit, draw_sample
from bot.lab.budgets import Unhurried
from bot.lab.determinism import why_not_replayable
from bot.lab.fingerprint import code_hash, player_hash
from bot.lab.journal import FILE_NAME, read_journal
from bot.lab.openings import SHIPPED, Opening, all_openings, read_openings
from bot.lab.pair_player import PairPlayer, PlaySettings
from bot.lab.plan import STALL_S, tried
from bot.lab.player import PlayerSpec
from bot.lab.records import RunHeader
from bot.nursery import Nursery
from bot.timing.clock import SystemClock

#: Of these faults all others are counted.
MOST_FAULTS = 20


def run_audit(
    path: Path,
    *,
    share: float,
    seed: int,
    openings: Path | None,
    search_path: tuple[str, ...],
    console: Console,
) -> int:
    """Audit the journal at `path`, or in the folder `path`; returns 0, or 1 when something should not be.

    Raises UserError for what is no journal.
    """
    journal = path / FILE_NAME if path.is_dir() else path
    contents = read_journal(journal)
    header, records = contents.header, contents.in_schedule_order
    nursery = Nursery()
    nursery.warm()
    try:
        settings, why_not = _settings(header, search_path, nursery)
        replay = None
        if settings is not None:
            player = PairPlayer(settings, nursery=nursery, clock=SystemClock(), worker="audit")
            replay = player.play
        found = audit(
            header,
            records,
            openings=_openings(header, openings),
            sample=draw_sample(records, share, seed),
            replay=replay,
            why_not=why_not,
        )
    finally:
        nursery.close()
    for line in lines(found):
        console.print(line, highlight=False, markup=False, soft_wrap=True)
    return found.exit_code


def lines(found: Audit) -> list[str]:
    """What is printed."""
    told = [f"{found.pairs} pairs" + (f", {found.missing} are not played yet" if found.missing else "")]
    told += found.faults[:MOST_FAULTS]
    if len(found.faults) > MOST_FAULTS:
        told.append(f"... and {len(found.faults) - MOST_FAULTS} more of the kind")
    if found.duplicates:
        told.append(
            f"{found.duplicates} pairs repeat others move for move: {found.pairs - found.duplicates} tell "
            "something"
        )
    told += found.notes
    if found.tried:
        told.append(f"Played again: {found.tried}, the same move for move: {found.replayed}")
    told.append("Something is wrong." if found.faults else "Nothing is wrong with it.")
    return told


def _settings(
    header: RunHeader, search_path: tuple[str, ...], nursery: Nursery
) -> tuple[PlaySettings | None, str | None]:
    """What the run was played with; or why it cannot be played again."""
    specs = [PlayerSpec.parse(label, search_path=search_path) for label in header.players]
    budget = Unhurried(round(STALL_S * 1000))
    if not header.budget.startswith(str(budget)) and not all(spec.has_own_budget for spec in specs):
        return None, f"the time that moves take: the budget is {header.budget}"
    if header.code != code_hash():
        return None, f"other sources than these: their hash is {header.code}, here it is {code_hash()}"
    if header.player_codes != tuple(player_hash(spec.strategy) for spec in specs):
        return None, "players' own files that have been changed since"
    settings = PlaySettings(
        players=tuple(tried(spec, nursery) for spec in specs),
        budget=budget,
        stall_ms=budget.stall_ms,
        max_plies=header.max_plies,
        agreed_scores=agreed_scores_of(header),
        tablebase=header.tablebase,
    )
    why_not = why_not_replayable(settings)
    return (settings, None) if why_not is None else (None, why_not)


def _openings(header: RunHeader, path: Path | None) -> tuple[Opening, ...]:
    if path is not None:
        return read_openings(path)
    return all_openings() if header.opening_source == SHIPPED else ()
