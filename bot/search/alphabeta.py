"""One search of one depth: negamax with an alpha-beta window.

`-search(-beta, -alpha)` of every move in turn; the best is the score, and a move that is too good for the
other side to allow (>= beta) ends the node. The score is exact inside the window and a bound outside of it
(fail-soft). After the first move the others only have to be proven worse, with a window of nothing
(principal variation search), and late quiet ones first with less depth (late move reductions).
"""

from __future__ import annotations

from dataclasses import dataclass

import chess

from bot.search.endings import fifty_moves, settled, without_moves
from bot.search.leaf import Leaf
from bot.search.limits import Meter
from bot.search.line import Line, position_key
from bot.search.ordering import Ordering
from bot.search.quiescence import Quiescence
from bot.search.scores import DRAW, INFINITY, MAX_PLY, mate_in, mated_in
from bot.search.table import Table, settles

#: Entries of the table: a few hundred bytes each.
TABLE_SIZE = 400_000
#: With this many plies towards a draw by the fifty-move rule, what the table says about a position may have
#: been true only with fewer.
TABLE_TRUSTS_PLIES = 80
#: Reductions: from which depth, from which move on, and from which move on one ply more.
REDUCED_DEPTH, REDUCED_MOVE, LATE_MOVE = 3, 4, 12
#: The plies of a mate in two.
MATE_IN_TWO = 3


@dataclass(frozen=True, slots=True)
class Features:
    """What a search may do. With nothing but the table and quiescence it finds what plain minimax finds."""

    table: bool = True
    quiescence: bool = True
    check_extension: bool = True
    reductions: bool = True


class AlphaBeta:
    """Searches of one root position. `board` is the root; it is changed, and changed back after each search
    unless the meter stops it."""

    def __init__(self, board: chess.Board, leaf: Leaf, meter: Meter, features: Features) -> None:
        self.board = board
        self.meter = meter
        self.line = Line(board)
        self.ordering = Ordering(board)
        self.table = Table(TABLE_SIZE)
        self._features = features
        self._leaf = leaf
        self._quiescence = Quiescence(board, leaf, self.ordering, meter)

    def search(self, depth: int, alpha: int, beta: int, ply: int, *, in_check: bool) -> int:
        """The score of the position on the board for the side to move, `depth` plies deep, `ply` plies after
        the root (at least 1). Raises SearchStopped, with the board wherever it was."""
        board = self.board
        self.meter.visit()
        if (over := settled(board, ply)) is not None:
            return over
        key = position_key(board)
        if self.line.repeats(key) or fifty_moves(board):
            return DRAW
        alpha, beta = max(alpha, mated_in(ply)), min(beta, mate_in(ply + 1))
        if alpha >= beta:  # a shorter mate is found already
            return alpha
        if in_check and self._features.check_extension:
            depth += 1  # so a line in which one side checks and checks is twice as long
        if depth <= 0 or ply >= MAX_PLY:
            return self._end(alpha, beta, ply, in_check=in_check)
        entry = self.table.get(key) if self._features.table else None
        if entry is not None and board.halfmove_clock < TABLE_TRUSTS_PLIES:
            known = settles(entry, depth, alpha, beta, ply)
            if known is not None:
                return known
        hash_move = None if entry is None else entry.move
        self.line.enter(key)
        best, best_move = self._moves(depth, alpha, beta, ply, hash_move, in_check=in_check)
        self.line.leave(key)
        if self._features.table:
            self.table.store(key, depth, best, best_move, window=(alpha, beta), ply=ply)
        return best

    def try_move(
        self, move: chess.Move, index: int, depth: int, window: tuple[int, int], ply: int, *, in_check: bool
    ) -> int:
        """The score of `move` for the side to move, the `index`-th that is tried in this node.

        `depth`, `ply`, `in_check`: of the node. Outside of the window (alpha, beta) a bound.
        """
        board, (alpha, beta) = self.board, window
        reduction = 0 if in_check else self._reduction(move, index, depth, ply)
        board.push(move)
        checks = board.is_check()
        if index == 0:
            score = -self.search(depth - 1, -beta, -alpha, ply + 1, in_check=checks)
        else:
            if checks:
                reduction = 0
            score = -self.search(depth - 1 - reduction, -alpha - 1, -alpha, ply + 1, in_check=checks)
            if score > alpha and (reduction or score < beta):
                score = -self.search(depth - 1, -beta, -alpha, ply + 1, in_check=checks)
        board.pop()
        return score

    def _moves(
        self, depth: int, alpha: int, beta: int, ply: int, first: chess.Move | None, *, in_check: bool
    ) -> tuple[int, chess.Move | None]:
        best, best_move = -INFINITY, None
        for index, move in enumerate(self.ordering.moves(self.board, first, ply)):
            score = self.try_move(move, index, depth, (alpha, beta), ply, in_check=in_check)
            if score > best:
                best = score
                if score > alpha:
                    alpha, best_move = score, move
                    if score >= beta:
                        self.ordering.refuted(self.board, move, depth, ply)
                        break
        if best == -INFINITY:
            best = without_moves(self.board, ply, in_check=in_check)
        return best, best_move

    def _reduction(self, move: chess.Move, index: int, depth: int, ply: int) -> int:
        """By how many plies a late quiet move is looked at less, at first.

        At the root never so many that a mate in two which it begins could not be seen.
        """
        if not self._features.reductions or depth < REDUCED_DEPTH or index < REDUCED_MOVE:
            return 0
        if self.board.is_capture(move) or move.promotion is not None:
            return 0
        reduction = 2 if index >= LATE_MOVE and depth > REDUCED_DEPTH else 1
        return reduction if ply else min(reduction, depth - MATE_IN_TWO)

    def _end(self, alpha: int, beta: int, ply: int, *, in_check: bool) -> int:
        if self._features.quiescence:
            return self._quiescence.search(alpha, beta, ply, in_check=in_check)
        if not any(self.board.generate_legal_moves()):
            return without_moves(self.board, ply, in_check=in_check)
        return self._leaf.worth(self.board)
