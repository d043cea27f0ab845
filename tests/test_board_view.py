"""The board in the terminal."""

from __future__ import annotations

import chess
import pytest

from bot.board_view import clock_text, draw_board, shows_signs


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


def test_letters_are_ascii_alone() -> None:
    for colours in (True, False):
        ranks = draw_board(chess.Board(), colours=colours, letters=True).plain.splitlines()
        assert ranks[0].split() == ["8", *"rnbqkbnr"]
        assert ranks[7].split() == ["1", *"RNBQKBNR"]
        assert "\n".join(ranks).isascii()


def test_only_some_encodings_show_the_signs() -> None:
    assert [shows_signs(encoding) for encoding in ("utf-8", "ascii", "latin-1", "nonsense")] == [
        True,
        False,
        False,
        False,
    ]


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
