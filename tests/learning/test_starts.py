"""Where games begin."""

from __future__ import annotations

import random
from collections import Counter

import chess
import pytest

from bot.lab.openings import all_openings
from bot.learning.starts import OPENING_PLIES, PURE_PERCENT, draw_start

OPENINGS = [opening.fen for opening in all_openings()]


def test_openings_are_as_long_as_they_are_taken_for() -> None:
    assert {chess.Board(fen).ply() for fen in OPENINGS} == {OPENING_PLIES}


@pytest.mark.parametrize("random_plies", [4, 8, 11])
def test_games_begin_after_so_many_plies_or_one_more_and_go_on(random_plies: int) -> None:
    rng = random.Random(1)
    starts = [draw_start(rng, OPENINGS, random_plies) for _ in range(400)]
    lengths = Counter(start.ply() for start in starts)
    assert set(lengths) == {random_plies, random_plies + 1}
    assert min(lengths.values()) > 120
    assert not any(start.is_game_over() for start in starts)
    assert len({start.epd() for start in starts}) > 200
    pure = sum(len(start.move_stack) == start.ply() for start in starts)
    assert abs(pure / len(starts) - PURE_PERCENT / 100) < 0.08


def test_the_same_chance_draws_the_same() -> None:
    first, second = (draw_start(random.Random("5 0 1"), OPENINGS, 8) for _ in range(2))
    assert first == second
    assert draw_start(random.Random("5 0 2"), OPENINGS, 8) != first


@pytest.mark.parametrize("random_plies", [0, 1])
def test_no_random_plies_leave_the_opening_or_the_beginning(random_plies: int) -> None:
    rng = random.Random(2)
    drawn = {draw_start(rng, OPENINGS, random_plies).ply() for _ in range(100)}
    assert drawn == {random_plies, random_plies + 1, OPENING_PLIES}
