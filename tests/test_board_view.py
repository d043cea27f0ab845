"""The board in the terminal."""

from __future__ import annotations

import chess
import pytest

from bot.board_view import clock_text, draw_board


def test_the_board_is_seen_from_the_side_that_was_asked_for() -> None:
    board = chess.Board()
    white_below = draw_board(board, colours=False).plain.splitlines()
    black_below = draw_board(board, seen_from=chess.BLACK, colours=False).plain.splitlines()
    assert white_below[0].split() == ["8", *"♜♞♝♛♚♝♞♜"]
    assert white_below[-1].split() == list("abcdefgh")
    assert black_below[0].split() == ["1", *"♖♘♗♔♕♗♘♖"]
    assert black_below[-1].split() == list("hgfedcba")


def test_all_lines_are_equally_wide_with_and_without_colours() -> None:
    for colours in (True, False):
        ranks = draw_board(chess.Board(), colours=colours).plain.splitlines()[:8]
        assert {len(rank) for rank in ranks} == {27}


def test_the_squares_of_the_last_move_are_marked() -> None:
    board = chess.Board()
    board.push_uci("e2e4")
    plain, marked = draw_board(chess.Board(board.fen())), draw_board(board)
    changed = [a.style != b.style for a, b in zip(plain.spans, marked.spans, strict=True)]
    assert sum(changed) == 2


@pytest.mark.parametrize(
    ("milliseconds", "text"),
    [
        (180_000, "3:00"),
        (125_400, "2:05"),
        (9_440, "0:09.4"),
        (0, "0:00.0"),
        (-5, "0:00.0"),
        (10_000, "0:10"),
    ],
)
def test_clocks_show_tenths_in_the_last_ten_seconds(milliseconds: int, text: str) -> None:
    assert clock_text(milliseconds) == text
