"""Mobility, counted by hand."""

from __future__ import annotations

import chess
import pytest

from bot.evaluation import WEIGHTS
from tests.evaluation.kit import term


@pytest.mark.parametrize(
    ("fen", "name", "piece_type", "squares"),
    [
        ("4k3/8/8/8/3N4/8/8/4K3 w - - 0 1", "knights", chess.KNIGHT, 8),
        ("4k3/8/8/8/8/8/8/N3K3 w - - 0 1", "knights", chess.KNIGHT, 2),
        ("4k3/8/8/8/8/1P6/2P5/N3K3 w - - 0 1", "knights", chess.KNIGHT, 0),  # its own men
        ("4k3/8/8/8/8/1p6/2p5/N3K3 w - - 0 1", "knights", chess.KNIGHT, 1),  # b3 guards c2, nobody b3
        ("4k3/8/8/8/3p4/8/8/N3K3 w - - 0 1", "knights", chess.KNIGHT, 2),
        ("4k3/8/8/3p4/8/8/4K3/1N6 w - - 0 1", "knights", chess.KNIGHT, 3),
        ("4k3/8/8/8/3p4/8/4K3/1N6 w - - 0 1", "knights", chess.KNIGHT, 2),  # d4 guards c3
        ("4k3/8/8/8/3B4/8/8/4K3 w - - 0 1", "bishops", chess.BISHOP, 13),
        ("4k3/8/8/8/3R4/8/8/4K3 w - - 0 1", "rooks", chess.ROOK, 14),
        ("4k3/8/8/8/3Q4/8/8/4K3 w - - 0 1", "queens", chess.QUEEN, 27),
        ("4k3/3p4/8/8/3R4/8/8/4K3 w - - 0 1", "rooks", chess.ROOK, 13),  # takes d7, and no further
    ],
)
def test_squares_beyond_the_usual_number(
    fen: str, name: str, piece_type: chess.PieceType, squares: int
) -> None:
    more = squares - WEIGHTS.usual_mobility[piece_type]
    weight = WEIGHTS.mobility[piece_type]
    assert term(fen, "mobility", name) == (more * weight[0], more * weight[1])


def test_without_a_piece_there_is_nothing_to_move() -> None:
    for name in ("knights", "bishops", "rooks", "queens"):
        assert term("4k3/8/8/8/8/8/8/4K3 w - - 0 1", "mobility", name) == (0, 0)


def test_it_does_not_matter_whose_turn_it_is() -> None:
    fen = "r1bqkbnr/pppp1ppp/2n5/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R {} KQkq - 2 3"
    for name in ("knights", "bishops", "rooks", "queens"):
        white, black = (term(fen.format(turn), "mobility", name) for turn in "wb")
        assert white == black
