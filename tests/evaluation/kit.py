"""Positions to evaluate, and single terms of their evaluation."""

from __future__ import annotations

import random
from collections.abc import Iterator

import chess
from hypothesis import strategies as st

from bot.evaluation import WEIGHTS, Pair, Weights, breakdown
from bot.evaluation.facts import Facts

_MEN = [
    chess.Piece(piece_type, color)
    for piece_type in (1, 1, 1, 1, 1, 2, 2, 3, 3, 4, 4, 5)
    for color in chess.COLORS
]
#: More of the middle, so that men meet.
_SQUARES = st.one_of(st.integers(0, 63), st.sampled_from([*range(8, 56), *range(16, 48)]))


def term(board: chess.Board | str, family: str, name: str, color: chess.Color = chess.WHITE) -> Pair:
    """What one term gives to `color`."""
    board = chess.Board(board) if isinstance(board, str) else board
    (row,) = (row for row in breakdown(board) if (row.family, row.term) == (family, name))
    return row.white if color else row.black


def facts(board: chess.Board | str, weights: Weights = WEIGHTS) -> Facts:
    return Facts(chess.Board(board) if isinstance(board, str) else board, weights)


@st.composite
def placements(draw: st.DrawFn) -> chess.Board:
    """Any men on any squares, but for pawns on the first and last rank; one king each; castling rights
    wherever king and rook stand right. Often no position of a game, and the better to find a slip with."""
    board = chess.Board(None)
    white_king = draw(st.one_of(st.integers(0, 7), st.integers(0, 63)))
    black_king = draw(
        st.one_of(st.integers(56, 63), st.integers(0, 63)).filter(lambda king: king != white_king)
    )
    crowd = draw(st.integers(0, 30))
    men = draw(st.dictionaries(_SQUARES, st.sampled_from(_MEN), min_size=crowd, max_size=crowd))
    for square, man in men.items():
        if man.piece_type != chess.PAWN or 0 < chess.square_rank(square) < 7:
            board.set_piece_at(square, man)
    board.set_piece_at(white_king, chess.Piece(chess.KING, chess.WHITE))
    board.set_piece_at(black_king, chess.Piece(chess.KING, chess.BLACK))
    board.turn = draw(st.booleans())
    board.castling_rights = chess.BB_CORNERS
    board.castling_rights = board.clean_castling_rights()
    return board


def random_game(board: chess.Board, seed: int, plies: int) -> Iterator[chess.Board]:
    """The positions of a game of random moves from `board`, which is played on; it may end early."""
    rng = random.Random(seed)
    yield board
    for _ in range(plies):
        moves = [] if board.is_variant_end() else list(board.legal_moves)
        if not moves:
            return
        board.push(rng.choice(moves))
        yield board
