"""Piece-square tables: what the places of the men add."""

from __future__ import annotations

import chess

from bot.evaluation.bits import squares
from bot.evaluation.facts import Facts
from bot.evaluation.family import Family
from bot.evaluation.weights import Pair


def score(facts: Facts, color: chess.Color) -> tuple[Pair, ...]:
    """For each type of man, the sum of its table over the squares where men of `color` stand.

    The tables' first entry is a8, which is White's view of the board; Black's men are looked up on the square
    that is theirs once the board is turned upside down.
    """
    tables = facts.weights.piece_square
    turn = 56 if color else 0
    board = facts.board
    totals = []
    for piece_type, men in (
        (chess.PAWN, facts.pawns[color]),
        (chess.KNIGHT, facts.knights[color]),
        (chess.BISHOP, facts.bishops[color]),
        (chess.ROOK, facts.rooks[color]),
        (chess.QUEEN, facts.queens[color]),
        (chess.KING, board.kings & facts.own[color]),
    ):
        middlegame = endgame = 0
        if men:
            middlegame_table, endgame_table = tables[piece_type]
            for square in squares(men):
                middlegame += middlegame_table[square ^ turn]
                endgame += endgame_table[square ^ turn]
        totals.append((middlegame, endgame))
    return tuple(totals)


FAMILY = Family(
    "piece-square",
    ("pawns", "knights", "bishops", "rooks", "queens", "king"),
    score,
)
