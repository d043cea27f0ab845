"""Standings as what `json.dumps` takes; null stands where there is no number to give. Pure."""

from __future__ import annotations

import dataclasses

from bot.lab.opening_table import OpeningRow
from bot.lab.showing import Showing
from bot.lab.standings import PairingRow, PlayerRow, Standings
from bot.lab.stats.elo import Estimate
from bot.lab.stats.intervals import Interval

#: Raised whenever a field is renamed, removed or means something else.
SCHEMA = 1


def as_dict(found: Standings) -> dict[str, object]:
    """All of it. Elo bounds of null: unbounded on that side; values of null: the games do not tell. The
    anchor has the value 0 by definition, and no bounds."""
    return {
        "schema": SCHEMA,
        "run": found.header.to_json(),
        "anchor": found.anchor,
        "pairs": {"planned": found.planned, "finished": found.finished, "duplicates": found.duplicates},
        "repeated_games": found.repeated_games,
        "mirrored_pairs": found.mirrored,
        "ranking": list(found.ranking),
        "players": [_player(row) for row in found.players],
        "pairings": [_pairing(row) for row in found.pairings],
        "direct": sorted(found.direct),
        "groups": [list(group) for group in found.groups],
        "misfit": None if found.misfit is None else dataclasses.asdict(found.misfit),
        "draw_parameter": found.draw_parameter,
        "endings": dict(found.endings),
        "openings": [_opening(row) for row in found.openings],
    }


def _player(row: PlayerRow) -> dict[str, object]:
    return {
        "player": row.player,
        "rating": _estimate(row.rating),
        "all": _showing(row.showing),
        "without_faults": _showing(row.clean),
        "faults": dict(row.faults),
        "cost": dataclasses.asdict(row.cost),
    }


def _pairing(row: PairingRow) -> dict[str, object]:
    return {
        "first": row.first,
        "second": row.second,
        "all": _showing(row.showing),
        "without_faults": _showing(row.clean),
        "expected": row.expected,
        "residual": row.residual,
        "duplicates": row.duplicates,
        "course": list(row.course),
    }


def _showing(showing: Showing | None) -> dict[str, object] | None:
    if showing is None:
        return None
    return {
        "games": showing.games.games,
        "won": showing.games.won,
        "drawn": showing.games.drawn,
        "lost": showing.games.lost,
        "pairs": showing.pairs.pairs,
        "pentanomial": list(showing.pairs.counts),
        "score": _interval(showing.score),
        "elo": _estimate(showing.elo),
        "normalized_elo": _estimate(showing.normalized_elo),
        "los": showing.los,
        "p": showing.p,
    }


def _interval(interval: Interval) -> dict[str, object]:
    return {"value": interval.value, "low": interval.low, "high": interval.high}


def _estimate(estimate: Estimate) -> dict[str, object]:
    return {"value": estimate.value, "low": estimate.low, "high": estimate.high}


def _opening(row: OpeningRow) -> dict[str, object]:
    return {
        "fen": row.opening.fen,
        "eco": row.opening.eco,
        "name": row.opening.name,
        "pairs": row.pairs,
        "white_won": row.white.won,
        "drawn": row.white.drawn,
        "black_won": row.white.lost,
        "pairs_flipped": row.flipped,
        "pairs_drawn": row.drawn,
        "pairs_swept": row.swept,
    }
