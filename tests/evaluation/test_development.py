"""Development and tempo."""

from __future__ import annotations

import chess

from bot.evaluation import WEIGHTS
from tests.evaluation.kit import term


def after(*sans: str) -> chess.Board:
    board = chess.Board()
    for san in sans:
        board.push_san(san)
    return board


def test_minors_leave_home_one_by_one() -> None:
    counts = [
        term(board, "development", "minors at home")[0] // WEIGHTS.minor_at_home[0]
        for board in (after(), after("Nf3"), after("Nf3", "a6", "Nc3"), after("g3", "a6", "Bg2"))
    ]
    assert counts == [4, 3, 2, 3]


def test_a_queen_out_before_the_minors_costs_by_how_many_wait() -> None:
    board = after("e4", "e5", "Qh5")
    assert term(board, "development", "early queen") == (4 * WEIGHTS.early_queen_per_minor[0], 0)
    assert term(board, "development", "early queen", chess.BLACK) == (0, 0)
    late = "4k3/8/8/8/3Q4/2N2N2/8/4K3 w - - 0 1"
    assert term(late, "development", "early queen") == (0, 0)


def test_castling_rights_that_are_left() -> None:
    one = WEIGHTS.castling_right
    rights = [
        term(f"r3k2r/8/8/8/8/8/8/R3K2R w {word} - 0 1", "development", "castling")
        for word in ("KQkq", "Kkq", "-")
    ]
    assert rights == [(2 * one[0], 2 * one[1]), one, (0, 0)]
    nothing_there = chess.Board("4k3/8/8/8/8/8/8/4K3 w - - 0 1")
    nothing_there.castling_rights = chess.BB_CORNERS
    assert term(nothing_there, "development", "castling") == (0, 0)


def test_rooks_that_see_each_other() -> None:
    for rank, connected in (("R4RK1", True), ("R2Q1RK1", False), ("R5K1", False)):
        pair = term(f"4k3/8/8/8/8/8/8/{rank} w - - 0 1", "development", "connected rooks")
        assert pair == (WEIGHTS.connected_rooks if connected else (0, 0))


def test_the_move_belongs_to_the_side_that_has_it() -> None:
    assert term(after(), "development", "tempo") == WEIGHTS.tempo
    assert term(after(), "development", "tempo", chess.BLACK) == (0, 0)
    assert term(after("e4"), "development", "tempo") == (0, 0)
    assert term(after("e4"), "development", "tempo", chess.BLACK) == WEIGHTS.tempo
