"""What a tuning has come to: for people in a terminal, and as JSON for whatever goes on with it. Pure."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from rich.table import Table

from bot.engine.tunables import spell
from bot.learning.spsa import Spsa


def option_of(spsa: Spsa, fixed: Mapping[str, int]) -> str:
    """What names a player with these values; `fixed`: others that both sides had, throughout."""
    spelled = spell({**fixed, **spsa.values})
    return f"compiled:set={spelled}" if spelled else "compiled"


def table_of(spsa: Spsa) -> Table:
    """The parameters in their own order: rounded, and in steps as they are."""
    table = Table(title=f"{spsa.pairs:,} of {spsa.settings.pairs:,} pairs of games")
    table.add_column("parameter", no_wrap=True)
    for name in ("start", "now", "change", "in steps", "bounds"):
        table.add_column(name, justify="right", no_wrap=True)
    values = spsa.values
    for tunable, exact in zip(spsa.settings.tunables, spsa.history[-1], strict=True):
        change = values[tunable.name] - tunable.value
        table.add_row(
            tunable.name,
            str(tunable.value),
            str(values[tunable.name]),
            f"{change:+d}" if change else "",
            f"{(exact - tunable.value) / tunable.step:+.2f}",
            f"{tunable.least} .. {tunable.most}",
        )
    return table


def farthest(spsa: Spsa) -> str:
    """In a few words: the parameter that has gone farthest from where it began."""
    moves = {
        tunable.name: (exact - tunable.value) / tunable.step
        for tunable, exact in zip(spsa.settings.tunables, spsa.history[-1], strict=True)
    }
    name = max(moves, key=lambda name: abs(moves[name]))
    return f"{name} {moves[name]:+.2f} steps" if moves[name] else "nothing has moved"


def to_json(spsa: Spsa, header: Mapping[str, Any], fixed: Mapping[str, int]) -> str:
    """All of it, and what it is of."""
    exact = dict(zip(spsa.values, spsa.history[-1], strict=True))
    value = {
        "player": option_of(spsa, fixed),
        "finished": spsa.pairs == spsa.settings.pairs,
        "pairs_played": spsa.pairs,
        "values": {**fixed, **spsa.values},
        "exact": exact,
        "tuning": dict(header),
    }
    return json.dumps(value, indent=2, allow_nan=False) + "\n"
