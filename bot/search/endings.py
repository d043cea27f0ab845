"""What the rules say about a position, in every variant: over or not, and who won.

Scores are from the view of the side to move, `ply` plies after the root.
"""

from __future__ import annotations

import chess
import chess.variant

from bot.search.scores import DRAW, mate_in, mated_in

FIFTY_MOVES = 100  # plies


def settled(board: chess.Board, ply: int) -> int | None:
    """The score where the game is over whatever moves there were: a variant's own end, too little material
    for anybody to win. None: it goes on, as far as can be told without its moves."""
    if board.is_variant_end():
        return _variant_result(board, ply)
    return DRAW if board.is_insufficient_material() else None


def without_moves(board: chess.Board, ply: int, *, in_check: bool) -> int:
    """The score of a position that has no legal move: mate, stalemate, or what the variant makes of it."""
    if type(board) is chess.Board:
        return mated_in(ply) if in_check else DRAW
    if board.is_variant_loss() or board.is_variant_win():
        return _variant_result(board, ply)
    return mated_in(ply) if in_check else DRAW


def fifty_moves(board: chess.Board) -> bool:
    """A draw by the fifty-move rule; a mate on the board comes first."""
    return board.halfmove_clock >= FIFTY_MOVES and board.is_fifty_moves()


def captures_are_forced(board: chess.Board) -> bool:
    """Whether the side to move must capture, and so cannot stay content with what it has."""
    return isinstance(board, chess.variant.SuicideBoard) and any(board.generate_pseudo_legal_captures())


def _variant_result(board: chess.Board, ply: int) -> int:
    if board.is_variant_loss():
        return mated_in(ply)
    return mate_in(ply) if board.is_variant_win() else DRAW
