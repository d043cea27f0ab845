"""What the rules of variants add to, or put in place of, the terms of chess."""

from __future__ import annotations

import chess
import chess.variant

from bot.evaluation.facts import Facts
from bot.evaluation.family import NOTHING, Family, times
from bot.evaluation.weights import Pair


def pocket_score(facts: Facts, color: chess.Color) -> tuple[Pair, ...]:
    """Crazyhouse: for each man in hand, `pocket_per_cent` of its value, rounded down over their sum."""
    board = facts.board
    if not isinstance(board, chess.variant.CrazyhouseBoard):
        return (NOTHING,)
    values = facts.weights.piece_values
    pocket = board.pockets[color]
    worth = sum(pocket.count(piece_type) * values[piece_type] for piece_type in _MEN_IN_HAND)
    middlegame, endgame = facts.weights.pocket_per_cent
    return ((worth * middlegame // 100, worth * endgame // 100),)


def checks_score(facts: Facts, color: chess.Color) -> tuple[Pair, ...]:
    """Three-check: `checks_given` by the number of checks that `color` has given, three or more alike."""
    board = facts.board
    if not isinstance(board, chess.variant.ThreeCheckBoard):
        return (NOTHING,)
    given = min(max(3 - board.remaining_checks[color], 0), 3)
    return (facts.weights.checks_given[given],)


def hill_score(facts: Facts, color: chess.Color) -> tuple[Pair, ...]:
    """King of the hill: for each king's move from the king of `color` to the nearest of d4, e4, d5, e5."""
    king = facts.king[color]
    if king is None:
        return (NOTHING,)
    steps = min(chess.square_distance(king, square) for square in _HILL)
    return (times(steps, facts.weights.step_to_hill),)


def race_score(facts: Facts, color: chess.Color) -> tuple[Pair, ...]:
    """Racing kings: `race_by_rank` by the king's rank. Both sides run to the eighth."""
    king = facts.king[color]
    return (NOTHING if king is None else facts.weights.race_by_rank[chess.square_rank(king)],)


def antichess_score(facts: Facts, color: chess.Color) -> tuple[Pair, ...]:
    """Antichess: for each man of `color`, kings included. Who loses all his men first wins."""
    return (times(facts.own[color].bit_count(), facts.weights.antichess_man),)


_MEN_IN_HAND = (chess.PAWN, chess.KNIGHT, chess.BISHOP, chess.ROOK, chess.QUEEN)
_HILL = (chess.D4, chess.E4, chess.D5, chess.E5)

POCKET = Family("pocket", ("men in hand",), pocket_score)
CHECKS = Family("checks", ("checks given",), checks_score)
HILL = Family("hill", ("steps to the hill",), hill_score)
RACE = Family("race", ("king's rank",), race_score)
ANTICHESS = Family("antichess", ("men",), antichess_score)
