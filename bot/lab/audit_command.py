"""`knightshift lab audit`: reads a journal as if somebody else had written it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import chess.syzygy
from rich.console import Console

from bot.errors import UserError
from bot.lab.adjudication import Tablebase
from bot.lab.audit import Audit, agreed_scores_of, audit, draw_sample, ends_of
from bot.lab.budgets import Unhurried
from bot.lab.determinism import why_not_replayable
from bot.lab.fingerprint import code_hash, player_hash
from bot.lab.journal import FILE_NAME
from bot.lab.openings import SHIPPED, Opening, all_openings, read_openings
from bot.lab.pair_player import PairPlayer, PlaySettings, most_men
from bot.lab.plan import STALL_S, tried
from bot.lab.player import PlayerSpec
from bot.lab.reading import read_run
from bot.lab.records import PairRecord, RunHeader
from bot.lab.report.write import evidence_of
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
    """Audit the journal at `path`, or in the folder `path`; returns the exit code of `Audit`.

    Raises UserError for what is no journal.
    """
    journal = path / FILE_NAME if path.is_dir() else path
    contents = read_run(journal)
    header, records = contents.header, contents.in_schedule_order
    sample = draw_sample(records, share, seed)
    nursery = Nursery()
    nursery.warm()
    try:
        settings, why_not = _settings(header, search_path, nursery)
        replay = None
        if settings is not None:
            player = PairPlayer(settings, nursery=nursery, clock=SystemClock(), worker="audit")
            replay = player.play
        with _tables(header) as tables:
            found = audit(
                header,
                records,
                openings=_openings(header, openings),
                ends=replace(ends_of(header), at_hand=tables, most_men=_most_men(header)),
                sample=sample,
                replay=replay,
                why_not=why_not,
            )
    finally:
        nursery.close()
    if header.registration is not None:
        found = _with_registration(found, journal, header, records)
    for line in lines(found):
        console.print(line, highlight=False, markup=False, soft_wrap=True)
    return found.exit_code


def _with_registration(
    found: Audit, journal: Path, header: RunHeader, records: Sequence[PairRecord]
) -> Audit:
    """The same, and in what a registered run is not what was registered, or its journal was changed."""
    evidence = evidence_of(journal.parent, header, records) if journal.name == FILE_NAME else None
    if evidence is None:
        unknown = "The registration of the run is not beside the journal, so it was not compared with it"
        return replace(found, unconfirmed=(*found.unconfirmed, unknown))
    broken = tuple(each.text for each in evidence.deviations if each.breaks)
    harmless = tuple(each.text for each in evidence.deviations if not each.breaks)
    return replace(found, faults=(*broken, *found.faults), notes=(*found.notes, *harmless))


def lines(found: Audit) -> list[str]:
    """What is printed."""
    told = [f"{found.pairs} pairs" + (f", {found.missing} are not played yet" if found.missing else "")]
    told += found.faults[:MOST_FAULTS]
    if len(found.faults) > MOST_FAULTS:
        told.append(f"... and {len(found.faults) - MOST_FAULTS} more of the kind")
    if found.repeated:
        told.append(f"{found.repeated} of {2 * found.pairs} games repeat earlier ones move for move")
    told += found.notes
    told += found.unconfirmed[:MOST_FAULTS]
    if len(found.unconfirmed) > MOST_FAULTS:
        told.append(f"... and {len(found.unconfirmed) - MOST_FAULTS} more of the kind")
    if found.tried:
        told.append(f"Played again: {found.tried}, the same move for move: {found.replayed}")
    told.append(_conclusion(found))
    return told


def _conclusion(found: Audit) -> str:
    if found.exit_code == 1:
        return "Something is wrong."
    if found.exit_code == 0:
        return "Nothing is wrong with it."
    rest = "; the rest is said above" if found.tried else ", but not whether its players would play them"
    return (
        "Nothing wrong was found, but not everything could be checked. Checked: the schedule, as far as the "
        f"openings are known; that moves are legal and games end as they say{rest}."
    )


def _settings(
    header: RunHeader, search_path: tuple[str, ...], nursery: Nursery
) -> tuple[PlaySettings | None, str | None]:
    """What the run was played with; or why it cannot be played again."""
    try:
        specs = [PlayerSpec.parse(label, search_path=search_path) for label in header.players]
        agreed_scores = agreed_scores_of(header)
    except UserError as error:
        return None, f"what is not here: {error}"
    budget = Unhurried(round(STALL_S * 1000))
    if not header.budget.startswith(str(budget)) and not all(spec.has_own_budget for spec in specs):
        return None, f"the time that moves take: the budget is {header.budget}"
    if header.code != code_hash():
        return None, f"other sources than these: their hash is {header.code}, here it is {code_hash()}"
    if header.player_codes != tuple(player_hash(spec.strategy) for spec in specs):
        return None, "players' own files that have been changed since"
    if header.tablebase is not None and not _most_men(header):
        return None, f"a tablebase that is not here: {header.tablebase}"
    try:
        players = tuple(tried(spec, nursery) for spec in specs)
    except UserError as error:
        return None, f"a player that cannot be loaded here: {error}"
    settings = PlaySettings(
        players=players,
        budget=budget,
        stall_ms=budget.stall_ms,
        max_plies=header.max_plies,
        agreed_scores=agreed_scores,
        tablebase=header.tablebase,
        player_codes=header.player_codes,
    )
    why_not = why_not_replayable(settings)
    return (settings, None) if why_not is None else (None, why_not)


@contextmanager
def _tables(header: RunHeader) -> Iterator[Tablebase | None]:
    """The tablebase of the run, if it is here."""
    if header.tablebase is None or not _most_men(header):
        yield None
        return
    with chess.syzygy.open_tablebase(header.tablebase) as tables:
        yield tables


def _most_men(header: RunHeader) -> int:
    return 0 if header.tablebase is None else most_men(Path(header.tablebase))


def _openings(header: RunHeader, path: Path | None) -> tuple[Opening, ...]:
    if path is not None:
        return read_openings(path)
    return all_openings() if header.opening_source == SHIPPED else ()
