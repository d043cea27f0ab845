"""Material: what the men are worth, alone and in pairs."""

from __future__ import annotations

import chess

from bot.evaluation.bits import forward
from bot.evaluation.facts import Facts
from bot.evaluation.family import NOTHING, Family, times
from bot.evaluation.weights import Pair

PAWNS_AT_START = 16


def score(facts: Facts, color: chess.Color) -> tuple[Pair, ...]:
    """The worth of the men of `color`.

    - pieces: the sum of `piece_values` over pawns, knights, bishops, rooks and queens. Kings are left out: in
      chess each side always has one.
    - bishop pair, rook pair: once, for two or more.
    - knights (closed): knights times rams; a ram is a white pawn with a black pawn right in front
      of it.
    - bishops (open): bishops times the pawns, of both sides, that are missing from sixteen.
    - rooks (endgame): for each rook.
    """
    weights = facts.weights
    knights, bishops = facts.knights[color].bit_count(), facts.bishops[color].bit_count()
    rooks = facts.rooks[color].bit_count()
    values = weights.piece_values
    pieces = (
        facts.pawns[color].bit_count() * values[chess.PAWN]
        + knights * values[chess.KNIGHT]
        + bishops * values[chess.BISHOP]
        + rooks * values[chess.ROOK]
        + facts.queens[color].bit_count() * values[chess.QUEEN]
    )
    rams = (forward(facts.pawns[chess.WHITE], chess.WHITE) & facts.pawns[chess.BLACK]).bit_count()
    missing = max(0, PAWNS_AT_START - facts.board.pawns.bit_count())
    return (
        (pieces, pieces),
        weights.bishop_pair if bishops >= 2 else NOTHING,
        weights.rook_pair if rooks >= 2 else NOTHING,
        times(knights * rams, weights.knight_per_ram),
        times(bishops * missing, weights.bishop_per_missing_pawn),
        times(rooks, weights.rook_in_endgame),
    )


FAMILY = Family(
    "material",
    (
        "pieces",
        "bishop pair",
        "rook pair",
        "knights (closed)",
        "bishops (open)",
        "rooks (endgame)",
    ),
    score,
)
