"""Which positions have been on the board."""

from __future__ import annotations

import chess
import chess.variant

from bot.search.line import Line, position_key
from tests.search.kit import after

SHUFFLE = "g1f3 g8f6 f3g1 f6g8 "


def test_a_position_of_the_line_is_a_draw_at_once() -> None:
    root = chess.Board()
    line = Line(root)
    line.enter(position_key(root))
    assert line.repeats(position_key(after(SHUFFLE)))
    line.leave(position_key(root))
    assert not line.repeats(position_key(after(SHUFFLE)))


def test_one_of_the_game_is_a_draw_the_third_time() -> None:
    once, twice = Line(after("g1f3 g8f6")), Line(after(SHUFFLE + "g1f3 g8f6"))
    start = position_key(chess.Board())
    assert not once.repeats(start)
    assert twice.repeats(start)


def test_the_game_is_left_as_it_is() -> None:
    board = after(SHUFFLE)
    Line(board)
    assert len(board.move_stack) == 4


def test_the_same_men_are_not_the_same_position() -> None:
    """Castling rights, the side to move and an en passant capture make a difference; the counters do not."""
    base = "r3k2r/8/8/3pP3/8/8/8/R3K2R w KQkq - 0 9"
    others = [
        "r3k2r/8/8/3pP3/8/8/8/R3K2R w Kkq - 0 9",
        "r3k2r/8/8/3pP3/8/8/8/R3K2R b KQkq - 0 9",
        "r3k2r/8/8/3pP3/8/8/8/R3K2R w KQkq d6 0 9",
    ]
    keys = {position_key(chess.Board(fen)) for fen in (base, *others)}
    assert len(keys) == 4
    assert position_key(chess.Board(base.replace("0 9", "33 70"))) in keys


def test_an_en_passant_square_that_nobody_can_use_is_nothing() -> None:
    assert position_key(after("e2e4")) == position_key(
        chess.Board("rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1")
    )


def test_pockets_and_checks_count() -> None:
    house = [
        chess.variant.CrazyhouseBoard(f"4k3/8/8/8/8/8/8/4K3[{men}] w - - 0 1") for men in ("", "N", "n", "NN")
    ]
    checks = [
        chess.variant.ThreeCheckBoard(f"4k3/8/8/8/8/8/8/4K3 w - - {left} 0 1") for left in ("3+3", "2+3")
    ]
    assert len({position_key(board) for board in house}) == 4
    assert len({position_key(board) for board in checks}) == 2


def test_in_crazyhouse_even_captures_can_be_undone() -> None:
    """White takes and drops, Black does too: the same men on the same squares and in the same hands."""
    board = chess.variant.CrazyhouseBoard("4k3/8/8/3p4/4P3/8/8/4K3[Pp] w - - 0 1")
    start = position_key(board)
    for move in ("e4d5", "P@d6", "P@e4", "e8e7", "e1e2", "e7e8", "e2e1"):
        board.push_uci(move)
    assert Line(board)._game[start] == 1
