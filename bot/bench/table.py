"""How a bench command reports: a table for people, one JSON object for scripts, an exit code for both."""

from __future__ import annotations

import json
from dataclasses import dataclass

from rich.console import Console
from rich.table import Table


@dataclass(frozen=True, slots=True)
class Measured:
    """One figure; `at_most` None: it is shown, but nothing is promised."""

    key: str
    what: str
    value: float
    unit: str
    at_most: float | None = None

    @property
    def kept(self) -> bool:
        return self.at_most is None or self.value <= self.at_most


def report(title: str, figures: list[Measured], *, as_json: bool, console: Console | None = None) -> int:
    """Print the figures; returns 0, or 1 when a promise is broken."""
    out = console or Console()
    kept = all(figure.kept for figure in figures)
    if as_json:
        data = {
            figure.key: {"value": figure.value, "unit": figure.unit, "at_most": figure.at_most}
            for figure in figures
        }
        line = json.dumps({"bench": title, "kept": kept, "figures": data})
        out.print(line, soft_wrap=True, highlight=False)
        return 0 if kept else 1
    table = Table(title=title)
    table.add_column("")
    table.add_column("measured", justify="right")
    table.add_column("promised", justify="right")
    for figure in figures:
        promise = "" if figure.at_most is None else f"≤ {figure.at_most:g} {figure.unit}"
        number = f"{figure.value:.0f}" if figure.value == round(figure.value) else f"{figure.value:.4g}"
        value = f"{number} {figure.unit}"
        table.add_row(figure.what, value, promise, style="" if figure.kept else "red")
    out.print(table)
    return 0 if kept else 1
