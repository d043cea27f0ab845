"""Development and tempo: who has more men in play, and whose move it is."""

from __future__ import annotations

import chess

from bot.evaluation.bits import RANK
from bot.evaluation.facts import Facts
from bot.evaluation.family import NOTHING, Family, times
from bot.evaluation.weights import Pair


def score(facts: Facts, color: chess.Color) -> tuple[Pair, ...]:
    """How far `color` has come.

    - minors at home: for each own knight and bishop on its own first rank.
    - early queen: for each own queen that is not on its first rank, times the minors at home.
    - castling: for each castling right that is left.
    - connected rooks: once, if two own rooks defend each other.
    - tempo: to the side to move.
    """
    weights = facts.weights
    home = RANK[color][0]
    at_home = ((facts.knights[color] | facts.bishops[color]) & home).bit_count()
    queens_out = (facts.queens[color] & ~home).bit_count()
    rights = (facts.board.clean_castling_rights() & home).bit_count()
    rooks = facts.rooks[color]
    connected = any(attacks & rooks for _, attacks in facts.attacks[color][chess.ROOK])
    return (
        times(at_home, weights.minor_at_home),
        times(queens_out * at_home, weights.early_queen_per_minor),
        times(rights, weights.castling_right),
        weights.connected_rooks if connected else NOTHING,
        weights.tempo if facts.board.turn == color else NOTHING,
    )


FAMILY = Family(
    "development",
    ("minors at home", "early queen", "castling", "connected rooks", "tempo"),
    score,
)
