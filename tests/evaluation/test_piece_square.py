"""The tables, as a player reads them."""

from __future__ import annotations

import chess
import pytest

from bot.evaluation import WEIGHTS
from tests.evaluation.kit import term

NAMES = {"P": "pawns", "N": "knights", "B": "bishops", "R": "rooks", "Q": "queens", "K": "king"}

#: The pawn's middlegame table of the course notes, a8 to h8 first.
PAWN_TABLE = """
 0  0  0  0  0  0  0  0
50 50 50 50 50 50 50 50
10 10 20 30 30 20 10 10
 5  5 10 25 25 10  5  5
 0  0  0 20 20  0  0  0
 5 -5 -10 0  0 -10 -5 5
 5 10 10 -20 -20 10 10 5
 0  0  0  0  0  0  0  0
"""


def of(piece: str, square: str, color: chess.Color = chess.WHITE) -> tuple[int, int]:
    """The table's worth of one man on a board with two kings far off."""
    board = chess.Board(None)
    board.set_piece_at(chess.A8 if color else chess.A1, chess.Piece(chess.KING, not color))
    if piece != "K":
        board.set_piece_at(chess.H1 if color else chess.H8, chess.Piece(chess.KING, color))
    man = chess.Piece.from_symbol(piece)
    board.set_piece_at(chess.parse_square(square), chess.Piece(man.piece_type, color))
    return term(board, "piece-square", NAMES[piece], color)


def test_the_pawns_middlegame_table() -> None:
    table = [int(word) for word in PAWN_TABLE.split()]
    assert list(WEIGHTS.piece_square[chess.PAWN][0]) == table
    for square in range(8, 56):
        name = chess.square_name(square)
        assert of("P", name)[0] == table[8 * (7 - chess.square_rank(square)) + chess.square_file(square)]


@pytest.mark.parametrize(
    ("piece", "square", "mirror"),
    [("P", "e4", "e5"), ("P", "a7", "a2"), ("N", "f3", "f6"), ("K", "g1", "g8"), ("R", "d7", "d2")],
)
def test_black_reads_them_from_the_other_side(piece: str, square: str, mirror: str) -> None:
    assert of(piece, square) == of(piece, mirror, chess.BLACK) != (0, 0)


@pytest.mark.parametrize("piece_type", chess.PIECE_TYPES)
def test_each_man_has_two_whole_tables_that_differ(piece_type: chess.PieceType) -> None:
    middlegame, endgame = WEIGHTS.piece_square[piece_type]
    assert len(middlegame) == len(endgame) == 64
    assert middlegame != endgame


@pytest.mark.parametrize(
    ("piece", "end", "better", "worse"),
    [
        ("P", 0, "e4", "e2"),
        ("P", 1, "b6", "b3"),
        ("N", 0, "f5", "h8"),
        ("B", 0, "g2", "h1"),
        ("R", 0, "d1", "b2"),
        ("Q", 1, "d5", "a1"),
        ("K", 0, "g1", "e4"),
        ("K", 1, "e4", "g1"),
    ],
)
def test_what_they_prefer(piece: str, end: int, better: str, worse: str) -> None:
    assert of(piece, better)[end] > of(piece, worse)[end]
