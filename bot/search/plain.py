"""The textbook's search: minimax, White for the most and Black for the least, to a fixed depth.

Nothing but an alpha-beta window, in three states: none at all, with a faulty update, and as it should be.
The root's score is the same with each of them; the number of nodes is not.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Literal

import chess

from bot.search.endings import fifty_moves, settled, without_moves
from bot.search.leaf import Evaluate
from bot.search.line import Line, position_key
from bot.search.ordering import Ordering
from bot.search.scores import DRAW, INFINITY, mate_in

#: none: every node is visited. faulty: Black's bound is replaced by its best score only where that is not
#: smaller, so it never comes down. textbook: Black's bound is its smallest score so far.
Window = Literal["none", "faulty", "textbook"]
#: The legal moves of a position, so many plies after the root, in the order in which to try them.
Order = Callable[[chess.Board, int], Iterable[chess.Move]]


def by_uci(board: chess.Board, _ply: int) -> list[chess.Move]:
    """By the moves' UCI text, which says nothing of their worth."""
    return sorted(board.legal_moves, key=chess.Move.uci)


class Plain:
    """Searches of one root position, which is left as it is.

    `evaluate`: centipawns, White's view. `nodes` counts the positions entered, the root not among them.
    """

    def __init__(
        self, root: chess.Board, evaluate: Evaluate, *, window: Window = "textbook", order: Order = by_uci
    ) -> None:
        self.nodes = 0
        self._board = root.copy()
        self._evaluate = evaluate
        self._window = window
        self._order = order
        self._line = Line(root)

    def best(self, depth: int, moves: Iterable[chess.Move] | None = None) -> tuple[chess.Move, int]:
        """The best of `moves` (by default all, by their UCI text), the first of equals, and its score from
        White's view. `depth` in plies, at least 1. Raises ValueError where there is no move."""
        wins_at_once = mate_in(1)  # nothing is better, for whichever side
        candidates = by_uci(self._board, 0) if moves is None else moves
        found = self._loop(candidates, depth, -wins_at_once, wins_at_once, 0)
        if found is None:
            raise ValueError(f"no legal move in {self._board.fen()}")
        return found

    def _value(self, depth: int, alpha: int, beta: int, ply: int) -> int:
        """The score of the position on the board, from White's view."""
        self.nodes += 1
        board = self._board
        sign = 1 if board.turn == chess.WHITE else -1
        if (over := settled(board, ply)) is not None:
            return sign * over
        if self._line.repeats(position_key(board)) or fifty_moves(board):
            return DRAW
        if depth == 0:
            if not any(board.generate_legal_moves()):
                return sign * without_moves(board, ply, in_check=board.is_check())
            return self._evaluate(board)
        found = self._loop(self._order(board, ply), depth, alpha, beta, ply)
        if found is None:
            return sign * without_moves(board, ply, in_check=board.is_check())
        return found[1]

    def _loop(
        self, moves: Iterable[chess.Move], depth: int, alpha: int, beta: int, ply: int
    ) -> tuple[chess.Move, int] | None:
        board = self._board
        key = position_key(board)
        white = board.turn == chess.WHITE
        best_move, best = None, -INFINITY if white else INFINITY
        self._line.enter(key)
        for move in moves:
            board.push(move)
            score = self._value(depth - 1, alpha, beta, ply + 1)
            board.pop()
            if score > best if white else score < best:
                best_move, best = move, score
            if self._window == "none":
                continue
            if white:
                alpha = max(alpha, best)
            elif self._window == "textbook":
                beta = min(beta, best)
            elif beta <= best:
                beta = best
            if beta <= alpha:
                break
        self._line.leave(key)
        return None if best_move is None else (best_move, best)


def fixed_depth(board: chess.Board, depth: int, evaluate: Evaluate) -> tuple[chess.Move, int]:
    """The move that a search of `depth` plies without extensions or quiescence likes best, the first of
    equals by their UCI text, and its score from White's view."""
    ordering = Ordering(board)
    return Plain(board, evaluate, order=lambda at, ply: ordering.moves(at, None, ply)).best(depth)
