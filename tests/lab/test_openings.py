"""The openings that games start from."""

from __future__ import annotations

import random

import chess
import pytest

from bot.lab.openings import all_openings, draw_openings


def test_each_is_a_position_to_play_from_two_moves_into_the_game() -> None:
    assert len(all_openings()) == len(set(all_openings())) == 200
    for fen in all_openings():
        board = chess.Board(fen)
        assert board.is_valid()
        assert board.fullmove_number == 3
        assert board.turn == chess.WHITE
        assert len(board.piece_map()) >= 30


@pytest.mark.parametrize("count", [1, 20, 200, 450])
def test_they_are_drawn_by_lot_and_seldom_twice(count: int) -> None:
    drawn = draw_openings(count, random.Random(7))
    assert len(drawn) == count
    assert max(drawn.count(fen) for fen in drawn) == -(-count // 200)
    assert drawn == draw_openings(count, random.Random(7))
    assert drawn != draw_openings(count, random.Random(8))
