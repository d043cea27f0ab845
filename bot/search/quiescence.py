"""Where a search ends: no position is judged in the midst of an exchange.

The side to move may stay content with what it has, or try what is noisy: captures that do not lose material,
and promotions to a queen. In check it must get out of it, by any move. Nothing here depends on the window,
so the result is that of the same search without one. Who cannot move has no choice: mate or stalemate.
"""

from __future__ import annotations

import chess

from bot.search.endings import captures_are_forced, settled, without_moves
from bot.search.exchange import captured_worth
from bot.search.leaf import Leaf
from bot.search.limits import Meter
from bot.search.ordering import QUIET, Ordering
from bot.search.scores import INFINITY, MAX_PLY

#: After so many plies of quiescence a check is a position like any other: to try all moves costs too much.
CHECK_PLIES = 6
#: Of the side to move: with so many its men may all be unable to move.
FEW_MEN = 4
_SEVENTH = {chess.WHITE: chess.BB_RANK_7, chess.BLACK: chess.BB_RANK_2}
_EIGHTH = {chess.WHITE: chess.BB_RANK_8, chess.BLACK: chess.BB_RANK_1}


def _may_be_stuck(board: chess.Board) -> bool:
    """Whether to look for stalemate: with only pawns beside the king, or few men. All others can move, but
    for problems; to look everywhere costs a twentieth of the speed."""
    own = board.occupied_co[board.turn]
    return own.bit_count() <= FEW_MEN or not own & ~(board.pawns | board.kings)


class Quiescence:
    """The end of a search on `board`, which it leaves as it finds it, unless the meter stops it."""

    def __init__(self, board: chess.Board, leaf: Leaf, ordering: Ordering, meter: Meter) -> None:
        self._board = board
        self._leaf = leaf
        self._ordering = ordering
        self._meter = meter

    def search(self, alpha: int, beta: int, ply: int, *, in_check: bool, depth: int = 0) -> int:
        """The score for the side to move, in centipawns; outside of (alpha, beta) a bound.

        The node itself has been counted, and found not to be settled. `depth` counts down from 0.
        """
        board = self._board
        if ply >= MAX_PLY:
            return self._leaf.worth(board)
        evading = in_check and depth > -CHECK_PLIES
        best = -INFINITY
        if evading or captures_are_forced(board):
            moves = list(self._ordering.moves(board, None, ply))
            if not moves:
                return without_moves(board, ply, in_check=in_check)
        elif _may_be_stuck(board) and not any(board.generate_legal_moves()):
            return without_moves(board, ply, in_check=in_check)
        else:
            best = self._leaf.worth(board)
            if best >= beta:
                return best
            alpha = max(alpha, best)
            moves = self._noisy()
        for move in moves:
            self._meter.visit()
            board.push(move)
            score = settled(board, ply + 1)
            if score is None:
                score = self.search(-beta, -alpha, ply + 1, in_check=board.is_check(), depth=depth - 1)
            score = -score
            board.pop()
            if score > best:
                best = score
                if score >= beta:
                    break
                alpha = max(alpha, score)
        return best

    def _noisy(self) -> list[chess.Move]:
        """Captures that do not lose material, and promotions to a queen, the likely best ones first."""
        board, ordering = self._board, self._ordering
        moves = list(board.generate_legal_captures())
        if pawns := board.pawns & board.occupied_co[board.turn] & _SEVENTH[board.turn]:
            moves += board.generate_legal_moves(pawns, _EIGHTH[board.turn] & ~board.occupied)
        ranked = []
        for index, move in enumerate(moves):
            rank = ordering.rank_noisy(board, move, captured_worth(board, move))
            if rank >= QUIET:
                ranked.append((-rank, index, move))
        ranked.sort()
        return [move for _, _, move in ranked]
