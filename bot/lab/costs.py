"""What a player's moves cost: time, nodes and depth. Pure."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from statistics import median

from bot.lab.records import MoveRecord, PairRecord


@dataclass(frozen=True, slots=True)
class Cost:
    """Of all moves of a player. Times in milliseconds as the referee measured them; None without moves.

    `nodes`, `depth` (plies): medians over the moves of which the player told them, None where it never did.
    """

    moves: int
    median_ms: float | None
    p95_ms: float | None
    max_ms: float | None
    total_ms: int
    nodes: float | None
    depth: float | None


def cost_of(moves: Iterable[MoveRecord]) -> Cost:
    """The cost of `moves`, all of one player."""
    known = list(moves)
    times = sorted(move.time_ms for move in known)
    return Cost(
        moves=len(known),
        median_ms=_median(times),
        p95_ms=float(times[math.ceil(0.95 * len(times)) - 1]) if times else None,
        max_ms=float(times[-1]) if times else None,
        total_ms=sum(times),
        nodes=_median([move.nodes for move in known if move.nodes is not None]),
        depth=_median([move.depth for move in known if move.depth is not None]),
    )


def moves_of(player: str, records: Iterable[PairRecord]) -> Iterator[MoveRecord]:
    """All moves that `player` made in `records`."""
    for record in records:
        # The first move is Black's where the opening says so.
        white_begins = record.spec.opening.fen.split()[1] == "w"
        for game in record.games:
            if player == game.white:
                yield from game.moves[0 if white_begins else 1 :: 2]
            if player == game.black:
                yield from game.moves[1 if white_begins else 0 :: 2]


def _median(values: Sequence[int]) -> float | None:
    return float(median(values)) if values else None
