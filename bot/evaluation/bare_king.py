"""A bare king: how to mate it, where the mate itself is further away than a search sees."""

from __future__ import annotations

import chess

from bot.evaluation.facts import Facts
from bot.evaluation.family import NOTHING, Family, times
from bot.evaluation.weights import Pair


def score(facts: Facts, color: chess.Color) -> tuple[Pair, ...]:
    """Nothing, unless the enemy has nothing but his king and `color` the material to mate it: a queen or
    rook, bishops on both colours, or a bishop and a knight. Pawns beside these do not matter.

    - driven to the edge: for each step, by file and by rank, of the bare king from the nearest of d4, e4,
      d5 and e5: at most 6.
    - driven to the corner: with a bishop and a knight and no other way to mate, for each step towards the
      nearest corner of the bishop's colour, along the edge: 7 in such a corner, 0 in the two others.
    - kings close: for each king's move less than 7 that the kings are apart.
    """
    king, own = facts.king[not color], facts.king[color]
    if king is None or own is None or facts.own[not color] != chess.BB_SQUARES[king]:
        return _NOTHING
    bishops = facts.bishops[color]
    anywhere = bool(
        facts.queens[color]
        or facts.rooks[color]
        or (bishops & chess.BB_LIGHT_SQUARES and bishops & chess.BB_DARK_SQUARES)
    )
    if not anywhere and not (bishops and facts.knights[color]):
        return _NOTHING
    file, rank = king & 7, king >> 3
    weights = facts.weights
    corner = 0
    if not anywhere:
        corner = abs(7 - file - rank) if bishops & chess.BB_DARK_SQUARES else abs(file - rank)
    return (
        times(max(3 - file, file - 4) + max(3 - rank, rank - 4), weights.bare_king_step),
        times(corner, weights.bare_king_to_corner),
        times(7 - chess.square_distance(king, own), weights.kings_close),
    )


FAMILY = Family("bare king", ("driven to the edge", "driven to the corner", "kings close"), score)
_NOTHING = (NOTHING,) * len(FAMILY.terms)
