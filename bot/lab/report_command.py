"""`knightshift lab report`: everything that is derived from a run's journal, written anew."""

from __future__ import annotations

from pathlib import Path

from rich.console import Console

from bot.lab import history
from bot.lab.continuity import JournalHash
from bot.lab.journal import FILE_NAME
from bot.lab.reading import read_run
from bot.lab.report.write import evidence_of, standings_of, write_report
from bot.lab.tournament import write_pgn
from bot.timing.clock import SystemClock


def run_report(folder: Path, *, anchor: str | None, console: Console) -> int:
    """Write the report into `folder`; returns 0. To look at a registered run before its end is written down:
    whoever may stop when it suits alters what its verdict is worth. Raises UserError."""
    contents = read_run(folder / FILE_NAME)
    header, records = contents.header, contents.in_schedule_order
    if header.registration is not None:
        evidence = evidence_of(folder, header, records)
        if evidence is not None and evidence.finding is not None and not evidence.finding.complete:
            pairs, digest = JournalHash(folder / FILE_NAME).now()
            history.note(folder, "looked at", pairs, digest, SystemClock().wall())
    games = write_pgn(folder, header, records)
    page = write_report(folder, standings_of(header, records, anchor=anchor), records)
    console.print(f"{page}, {games}", highlight=False, markup=False, soft_wrap=True)
    return 0
