"""The standings as JSON and as CSV: for programs, with all digits. Pure."""

from __future__ import annotations

import csv
import dataclasses
import io
import json

from bot.lab.standings import PlayerRow, Standings
from bot.lab.standings_json import as_dict
from bot.lab.verdict import Finding

COLUMNS = (
    "rank",
    "player",
    "elo",
    "elo_low",
    "elo_high",
    "anchor",
    "games",
    "won",
    "drawn",
    "lost",
    "score",
    "score_low",
    "score_high",
    "faults",
    "mean_ms",
    "median_ms",
    "p95_ms",
    "nodes",
    "depth",
)


def standings_json(found: Standings, finding: Finding | None = None) -> str:
    """Everything there is; a number that does not exist is null. `verdict`: of a registered run."""
    values = as_dict(found)
    if finding is not None:
        values["verdict"] = dataclasses.asdict(finding)
    return json.dumps(values, indent=1, ensure_ascii=False, allow_nan=False) + "\n"


def standings_csv(found: Standings) -> str:
    """A line for each player, the strongest first; an empty cell where a number does not exist."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(COLUMNS)
    writer.writerows(_line(place, row, found.anchor) for place, row in enumerate(found.ranked, start=1))
    return text.getvalue()


def _line(place: int, row: PlayerRow, anchor: str) -> tuple[object, ...]:
    rating, cost, showing = row.rating, row.cost, row.showing
    shown = (
        ("", "", "", "", "", "", "")
        if showing is None
        else (
            showing.games.games,
            showing.games.won,
            showing.games.drawn,
            showing.games.lost,
            showing.score.value,
            showing.score.low,
            showing.score.high,
        )
    )
    mean_ms = cost.total_ms / cost.moves if cost.moves else None
    faults = sum(number for _, number in row.faults)
    return (
        place,
        row.player,
        rating.value,
        rating.low,
        rating.high,
        anchor,
        *shown,
        faults,
        mean_ms,
        cost.median_ms,
        cost.p95_ms,
        cost.nodes,
        cost.depth,
    )
