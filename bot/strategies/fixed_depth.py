"""Plain minimax to a depth that is always the same: what everything cleverer is compared with.

It takes no notice of the clock. Of equally good moves it plays the first by their UCI text.
"""

from __future__ import annotations

import chess

from bot.errors import StrategyNameError
from bot.evaluation import evaluate
from bot.search import plain
from bot.strategies.contract import Strategy, Turn

#: Plies; nobody has waited for plain minimax to come near.
DEEPEST = 20


def fixed_depth(*, depth: int = 2) -> Strategy:
    """The strategy that looks `depth` plies ahead, 1 to 20."""
    if not 1 <= depth <= DEEPEST:
        raise StrategyNameError(f"fixed_depth: depth is {depth}; it must be from 1 to {DEEPEST}")

    def play(turn: Turn) -> None:
        play_at_depth(turn, turn.board(), depth)

    return play


def greedy(turn: Turn) -> None:
    """Play the move after which the position looks best, whatever comes next."""
    play_at_depth(turn, turn.board(), 1)


def play_at_depth(turn: Turn, board: chess.Board, depth: int) -> None:
    """Play the best move of the turn's position, `board`, looking `depth` plies ahead."""
    move, _ = plain.fixed_depth(board, depth, evaluate)
    turn.play_move(board.uci(move))
