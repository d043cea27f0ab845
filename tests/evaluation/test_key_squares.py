"""The centre, and the way of a passed pawn."""

from __future__ import annotations

import chess

from bot.evaluation import WEIGHTS
from tests.evaluation.kit import term


def test_the_centre_counts_squares_not_attackers() -> None:
    pawn = "4k3/8/8/8/8/2P5/8/4K3 w - - 0 1"  # d4
    knight_too = "4k3/8/8/8/8/2P2N2/8/4K3 w - - 0 1"  # d4 once more, and e5
    assert term(pawn, "key squares", "centre") == WEIGHTS.centre_square
    assert term(knight_too, "key squares", "centre") == (
        2 * WEIGHTS.centre_square[0],
        2 * WEIGHTS.centre_square[1],
    )
    assert term(pawn, "key squares", "centre by pawns") == WEIGHTS.centre_square_by_pawn
    assert term(knight_too, "key squares", "centre by pawns") == WEIGHTS.centre_square_by_pawn


def test_the_first_position_holds_its_third_rank_and_no_centre() -> None:
    for color in chess.COLORS:
        assert term(chess.Board(), "key squares", "centre", color) == (0, 0)
        four = (4 * WEIGHTS.outer_centre_square[0], 4 * WEIGHTS.outer_centre_square[1])
        assert term(chess.Board(), "key squares", "outer centre", color) == four


def test_a_passed_pawn_is_free_when_nothing_stands_or_guards_in_front_of_it() -> None:
    free = "7k/8/8/P7/8/8/8/7K w - - 0 1"
    blocked = "7k/8/n7/P7/8/8/8/7K w - - 0 1"
    guarded = "7k/8/8/P1n5/8/8/8/7K w - - 0 1"
    not_guarded = "7k/8/8/P7/8/2n5/8/7K w - - 0 1"
    stopped = "7k/1p6/8/P7/8/8/8/7K w - - 0 1"
    found = [
        term(fen, "key squares", "free passed pawns")
        for fen in (free, not_guarded, blocked, guarded, stopped)
    ]
    assert found == [WEIGHTS.free_passed_pawn] * 2 + [(0, 0)] * 3
