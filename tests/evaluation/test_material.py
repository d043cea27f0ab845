"""Material by the numbers of the course notes that the terms follow."""

from __future__ import annotations

import chess
import pytest

from bot.evaluation import PIECE_VALUES, evaluate
from tests.evaluation.kit import term


@pytest.mark.parametrize(("piece", "value"), [("P", 100), ("N", 320), ("B", 330), ("R", 500), ("Q", 900)])
def test_a_man_is_worth_its_value_at_every_phase(piece: str, value: int) -> None:
    fen = f"4k3/8/8/8/8/{piece}7/8/4K3 w - - 0 1"
    assert term(fen, "material", "pieces") == (value, value)
    assert term(fen, "material", "pieces", chess.BLACK) == (0, 0)


def test_a_king_is_worth_more_than_everything_else() -> None:
    assert PIECE_VALUES[chess.KING] == 20_000
    board = chess.Board("QQQQQQQQ/Q7/8/8/RR6/BB5k/NN6/K7 w - - 0 1")  # all eight pawns promoted
    assert 10_000 < evaluate(board) < PIECE_VALUES[chess.KING]


def test_both_sides_of_the_first_position() -> None:
    for color in chess.COLORS:
        assert term(chess.Board(), "material", "pieces", color) == (4000, 4000)
        assert term(chess.Board(), "material", "bishop pair", color) == (50, 50)
        assert term(chess.Board(), "material", "rook pair", color) == (-10, -10)


@pytest.mark.parametrize(
    ("rank", "bishop_pair", "rook_pair"),
    [
        ("B3K3", 0, 0),
        ("BB2K3", 50, 0),
        ("BBB1K3", 50, 0),
        ("R3K3", 0, 0),
        ("RR2K3", 0, -10),
        ("RRR1K3", 0, -10),
    ],
)
def test_a_pair_counts_once(rank: str, bishop_pair: int, rook_pair: int) -> None:
    fen = f"4k3/8/8/8/8/8/8/{rank} w - - 0 1"
    assert term(fen, "material", "bishop pair") == (bishop_pair, bishop_pair)
    assert term(fen, "material", "rook pair") == (rook_pair, rook_pair)


OPEN = "4k3/p6p/8/8/8/8/P6P/2B1K1N1 w - - 0 1"
CLOSED = "4k3/2p2p2/3p1p2/p1pPpP1p/P1P1P2P/8/8/2B1K1N1 w - - 0 1"


def test_knights_gain_in_closed_positions_and_bishops_in_open_ones() -> None:
    knight = [term(fen, "material", "knights (closed)") for fen in (OPEN, CLOSED)]
    bishop = [term(fen, "material", "bishops (open)") for fen in (OPEN, CLOSED)]
    assert knight[0] == (0, 0)
    assert min(knight[1]) > 0
    assert min(bishop[0]) > max(bishop[1])


def test_rooks_gain_in_the_endgame() -> None:
    middlegame, endgame = term("4k3/8/8/8/8/8/8/R3K3 w - - 0 1", "material", "rooks (endgame)")
    assert middlegame == 0 < endgame
