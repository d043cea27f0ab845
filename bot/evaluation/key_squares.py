"""Control of key squares: the centre, and the way of a passed pawn."""

from __future__ import annotations

import chess

from bot.evaluation.bits import forward
from bot.evaluation.facts import Facts
from bot.evaluation.family import Family, times
from bot.evaluation.weights import Pair

CENTRE = chess.BB_CENTER
#: c3 to f6 without the centre.
OUTER_CENTRE = (
    (chess.BB_FILE_C | chess.BB_FILE_D | chess.BB_FILE_E | chess.BB_FILE_F)
    & (chess.BB_RANK_3 | chess.BB_RANK_4 | chess.BB_RANK_5 | chess.BB_RANK_6)
    & ~CENTRE
)


def score(facts: Facts, color: chess.Color) -> tuple[Pair, ...]:
    """The squares that `color` holds under attack.

    - centre: for each of d4, e4, d5, e5 that any own man attacks.
    - centre by pawns: for each of them that an own pawn attacks, in addition.
    - outer centre: for each of the twelve squares around them that any own man attacks.
    - free passed pawns: for each own passed pawn whose next square is empty, and attacked by no enemy.
    """
    weights = facts.weights
    attacked = facts.attacked[color]
    free = forward(facts.passed[color], color) & ~facts.occupied & ~facts.attacked[not color]
    return (
        times((attacked & CENTRE).bit_count(), weights.centre_square),
        times((facts.pawn_attacks[color] & CENTRE).bit_count(), weights.centre_square_by_pawn),
        times((attacked & OUTER_CENTRE).bit_count(), weights.outer_centre_square),
        times(free.bit_count(), weights.free_passed_pawn),
    )


FAMILY = Family("key squares", ("centre", "centre by pawns", "outer centre", "free passed pawns"), score)
