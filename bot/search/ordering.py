"""In which order moves are looked at: the likely best ones first, so that the window closes early."""

from __future__ import annotations

from collections.abc import Iterator

import chess

from bot.evaluation.weights import PIECE_VALUES as WORTH
from bot.search.exchange import captured_worth, exchange, is_exchange
from bot.search.scores import MAX_PLY

#: The bands of the order; within a band finer numbers decide. The hash move comes before all.
WINNING, KILLER, QUIET, LOSING = 4_000_000, 2_000_000, 0, -4_000_000
#: Quiet moves that refuted a sister node, for each ply.
KILLERS = 2
#: History never grows out of its band.
MOST_HISTORY = 1_000_000


class Ordering:
    """What one search has learned about its moves."""

    def __init__(self, board: chess.Board) -> None:
        self._exchanges = is_exchange(board)
        self._killers: list[list[chess.Move]] = [[] for _ in range(MAX_PLY + 1)]
        self._history: dict[tuple[chess.Color, int], int] = {}

    def moves(self, board: chess.Board, first: chess.Move | None, ply: int) -> Iterator[chess.Move]:
        """All legal moves: `first` (legal here, or None), then winning and even captures and promotions by
        their victim and capturer, killers, quiet moves by their history, losing captures.

        `board` must be, at every step of the iteration, in the position that it was in at the start. What
        comes after `first` is generated only when it is asked for.
        """
        if first is not None:
            yield first
        rank = self.rank
        ranked = [(-rank(board, move, ply), index, move) for index, move in enumerate(board.legal_moves)]
        ranked.sort()
        for _, _, move in ranked:
            if move != first:
                yield move

    def rank(self, board: chess.Board, move: chess.Move, ply: int) -> int:
        """The higher, the earlier."""
        victim = captured_worth(board, move)
        if victim or move.promotion is not None:
            return self.rank_noisy(board, move, victim)
        killers = self._killers[ply]
        if move in killers:
            return KILLER - killers.index(move)
        return QUIET + self._history.get(_index(board.turn, move), 0)

    def rank_noisy(self, board: chess.Board, move: chess.Move, victim: int) -> int:
        """`rank` of a capture of something worth `victim`, or of a promotion."""
        if move.promotion is not None and move.promotion != chess.QUEEN:
            return LOSING + victim
        promoted = WORTH[chess.QUEEN] if move.promotion is not None else 0
        mover = board.piece_type_at(move.from_square) or chess.PAWN
        most_victim_least_capturer = 16 * (victim + promoted) - mover
        gives_more = WORTH[mover] > victim and mover != chess.KING
        if self._exchanges and gives_more and exchange(board, move) < 0:
            return LOSING + most_victim_least_capturer
        return WINNING + most_victim_least_capturer

    def refuted(self, board: chess.Board, move: chess.Move, depth: int, ply: int) -> None:
        """`move`, tried on `board` with `depth` plies to go, was too good for the other side to allow."""
        if move.promotion is not None or captured_worth(board, move):
            return
        killers = self._killers[ply]
        if move not in killers:
            killers.insert(0, move)
            del killers[KILLERS:]
        index = _index(board.turn, move)
        self._history[index] = min(MOST_HISTORY, self._history.get(index, 0) + depth * depth)


def _index(color: chess.Color, move: chess.Move) -> tuple[chess.Color, int]:
    return color, move.from_square << 6 | move.to_square | (move.drop or 0) << 12
