"""Writes what is derived from a run's journal into its folder: the page, and the standings for programs."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from bot.lab.continuity import digests
from bot.lab.deviations import Deviation, deviations
from bot.lab.files import replace_file
from bot.lab.history import HistoryError, read_history
from bot.lab.journal import FILE_NAME, derived
from bot.lab.records import PairRecord, RunHeader
from bot.lab.registration import TamperedError, read_registration
from bot.lab.report.export import standings_csv, standings_json
from bot.lab.report.page import Evidence, page
from bot.lab.standings import Standings, standings
from bot.lab.verdict import judge

REPORT_NAME = "report.html"
JSON_NAME = "standings.json"
CSV_NAME = "standings.csv"
#: The registration that a run was played by, as it was then.
REGISTRATION_NAME = "registration.yml"


def standings_of(header: RunHeader, records: Sequence[PairRecord], *, anchor: str | None = None) -> Standings:
    """Of `records`, in schedule order. `anchor`: whose rating is 0. By default the second player of a match,
    who is to be beaten; of a larger field the first one, or where that won or lost everything, the first of
    those that can be told apart by finite numbers. Raises UserError for one who did not take part."""
    if anchor is not None:
        return standings(header, records, anchor=anchor)
    found = standings(header, records, anchor=header.players[1 if header.mode == "match" else 0])
    largest = max(found.groups, key=len)
    if len(largest) == 1 or found.anchor in largest:
        return found
    return standings(header, records, anchor=min(largest, key=header.players.index))


def write_report(folder: Path, found: Standings, records: Sequence[PairRecord]) -> Path:
    """Write all three, replacing what was there; returns the page's path.

    `found`: of `records`, which are in schedule order. Raises UserError for a registration that cannot be
    read, StorageError for what cannot be written.
    """
    evidence = evidence_of(folder, found.header, records)
    values = standings_json(found, None if evidence is None else evidence.finding)
    kept = derived(folder)
    replace_file(folder / JSON_NAME, [values], kept)
    replace_file(folder / CSV_NAME, [standings_csv(found)], kept)
    path = folder / REPORT_NAME
    replace_file(path, [page(found, records, evidence)], kept)
    return path


def evidence_of(folder: Path, header: RunHeader, records: Sequence[PairRecord]) -> Evidence | None:
    """What a registered run is judged by; None for one that was not registered, or lost its registration."""
    path = folder / REGISTRATION_NAME
    if not path.exists():
        return None
    try:
        registration = read_registration(path)
    except TamperedError as error:
        return Evidence(None, None, (Deviation(str(error), breaks=True),))
    seen = digests(folder / FILE_NAME)
    try:
        found = deviations(registration, header, records, read_history(folder), seen)
    except HistoryError as error:
        found = (Deviation(str(error), breaks=True),)
    broken = [each.text for each in found if each.breaks]
    return Evidence(registration, judge(registration.test, records, broken=broken), found)
