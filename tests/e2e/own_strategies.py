"""Strategies as users write them. The tests copy this file beside a config.yml, so it stands on its own."""

from __future__ import annotations

from collections.abc import Sequence

import chess

from bot.strategies.contract import Turn


def shuffle(board: chess.Board, moves: Sequence[str]) -> str:
    """Take back one's own last move; where that cannot be, the first move of a piece, or the first of all.

    Two who play like this draw by repetition before long.
    """
    legal = sorted(board.uci(move) for move in board.legal_moves)
    if len(moves) >= 2:
        back = moves[-2][2:4] + moves[-2][0:2]
        if back in legal:
            return back
    quiet = [
        board.uci(move)
        for move in board.legal_moves
        if not board.is_zeroing(move) and not board.is_castling(move)
    ]
    return sorted(quiet or legal)[0]


def shuffles(turn: Turn) -> None:
    turn.play_move(shuffle(turn.board(), turn.moves))


def castles(turn: Turn) -> None:
    """Castle as soon as that can be, then shuffle."""
    board = turn.board()
    if castling := [board.uci(move) for move in board.legal_moves if board.is_castling(move)]:
        turn.play_move(castling[0])
        return
    develops = [move for move in ("g1f3", "g2g3", "f1g2") if chess.Move.from_uci(move) in board.legal_moves]
    if develops and board.has_castling_rights(board.turn):
        turn.play_move(develops[0])
        return
    turn.play_move(shuffle(board, turn.moves))


def takes_the_most(turn: Turn) -> None:
    """The best promotion, else the best capture, else the last move in the order of their text."""
    board = turn.board()

    def worth(move: chess.Move) -> tuple[int, int, str]:
        return move.promotion or 0, board.piece_type_at(move.to_square) or 0, move.uci()

    turn.play_move(board.uci(max(board.legal_moves, key=worth)))
