"""`knightshift lab report`: everything that is derived from a run's journal, written anew."""

from __future__ import annotations

from pathlib import Path

from rich.console import Console

from bot.lab import history
from bot.lab.journal import FILE_NAME, read_journal
from bot.lab.report.write import evidence_of, standings_of, write_report
from bot.timing.clock import SystemClock


def run_report(folder: Path, *, anchor: str | None, console: Console) -> int:
    """Write the report into `folder`; returns 0. To look at a registered run before its end is written down:
    whoever may stop when it suits alters what its verdict is worth. Raises UserError."""
    contents = read_journal(folder / FILE_NAME)
    header, records = contents.header, contents.in_schedule_order
    if header.registration is not None:
        evidence = evidence_of(folder, header, records)
        if evidence is not None and evidence.finding is not None and not evidence.finding.complete:
            history.note(folder, "looked at", len(records), SystemClock().wall())
    page = write_report(folder, standings_of(header, records, anchor=anchor), records)
    console.print(str(page), highlight=False, markup=False, soft_wrap=True)
    return 0
