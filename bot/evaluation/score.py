"""The sum of all terms: what a position is worth."""

from __future__ import annotations

from typing import NamedTuple

import chess

from bot.evaluation.facts import Facts
from bot.evaluation.families import families_of
from bot.evaluation.phase import game_phase, taper
from bot.evaluation.weights import PIECE_VALUES, WEIGHTS, Pair, Weights

#: No evaluation reaches what a king is worth.
LIMIT = PIECE_VALUES[chess.KING] - 1


class Row(NamedTuple):
    """One term, as it counts for each side by itself."""

    family: str
    term: str
    white: Pair
    black: Pair


def evaluate(board: chess.Board, weights: Weights = WEIGHTS) -> int:
    """What `board` is worth, in centipawns from White's side; strictly between -20000 and 20000.

    The middlegame and endgame scores of all terms are summed, White's less Black's, and tapered once by the
    phase of the game. Mirroring the board and swapping the colours negates the result exactly (of racing
    kings: swapping them alone). Works for every variant of python-chess. The game must not be over; see
    `game_value`.
    """
    facts = Facts(board, weights)
    middlegame = endgame = 0
    for family in families_of(board):
        for pair in family.score(facts, chess.WHITE):
            middlegame += pair[0]
            endgame += pair[1]
        for pair in family.score(facts, chess.BLACK):
            middlegame -= pair[0]
            endgame -= pair[1]
    return limited(taper(middlegame, endgame, game_phase(board)))


def breakdown(board: chess.Board, weights: Weights = WEIGHTS) -> tuple[Row, ...]:
    """Every term of `evaluate`, by name and side, in the order of the families."""
    facts = Facts(board, weights)
    return tuple(
        Row(family.name, term, white, black)
        for family in families_of(board)
        for term, white, black in zip(
            family.terms, family.score(facts, chess.WHITE), family.score(facts, chess.BLACK), strict=True
        )
    )


def limited(score: int) -> int:
    """`score`, kept within LIMIT on both sides."""
    return max(-LIMIT, min(LIMIT, score))
