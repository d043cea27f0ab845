"""Mobility: where the pieces can go."""

from __future__ import annotations

import chess

from bot.evaluation.facts import Facts
from bot.evaluation.family import Family
from bot.evaluation.weights import Pair


def score(facts: Facts, color: chess.Color) -> tuple[Pair, ...]:
    """For each type of piece: its weight times, summed over the pieces, the number of squares minus the usual
    number for its type (`usual_mobility`).

    A piece's squares are those that it attacks, less those of its own men and those that an enemy pawn
    attacks. Whose turn it is, pins and checks play no part: the count is of the piece's moves on this board,
    and the same for both sides; the few moves that are illegal today may be legal after the next.
    """
    weights = facts.weights
    free = ~(facts.own[color] | facts.pawn_attacks[not color])
    totals = []
    for piece_type, pieces in facts.attacks[color].items():
        count = -len(pieces) * weights.usual_mobility[piece_type]
        for _, attacks in pieces:
            count += (attacks & free).bit_count()
        middlegame, endgame = weights.mobility[piece_type]
        totals.append((count * middlegame, count * endgame))
    return tuple(totals)


FAMILY = Family("mobility", ("knights", "bishops", "rooks", "queens"), score)
