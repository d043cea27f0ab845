"""Depth by the share of the men that are left: the thresholds of `depth_by_space`, where a chessboard can
reach them.

Of 32 men, five are still 15 %: it looks two plies ahead with four of them left, and three with three or two.
The two kings are always there, and they are 6 %: in chess it never looks four plies ahead, only in variants
that begin with more men (horde) or can be down to one (antichess).
"""

from __future__ import annotations

import chess

from bot.position import new_board
from bot.strategies.contract import Turn
from bot.strategies.depth_by_space import depth_for, play_by_share


def depth_by_material(turn: Turn) -> None:
    """Play the opening, the win, or the best move at the depth of the share of the variant's men."""
    board = turn.board()
    men = chess.popcount(board.occupied)
    at_start = chess.popcount(new_board(turn.variant, "startpos").occupied)
    play_by_share(turn, board, depth_for(men, at_start))
