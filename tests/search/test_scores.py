"""Mate and its distance."""

from __future__ import annotations

import pytest

from bot.evaluation import LIMIT, MATE
from bot.search.scores import (
    DECISIVE,
    DRAW,
    INFINITY,
    MAX_PLY,
    from_here,
    from_root,
    mate_in,
    mated_in,
    moves_to_mate,
    plies_to_mate,
)


def test_nearer_mates_are_better_and_evaluations_are_in_between() -> None:
    ascending = [-INFINITY, *map(mated_in, range(MAX_PLY + 1)), -LIMIT, DRAW, LIMIT]
    ascending += [*map(mate_in, range(MAX_PLY, 0, -1)), INFINITY]
    assert ascending == sorted(set(ascending))
    assert mate_in(MAX_PLY) > DECISIVE > LIMIT


@pytest.mark.parametrize("plies", range(1, MAX_PLY, 7))
def test_the_distance_can_be_told(plies: int) -> None:
    assert plies_to_mate(mate_in(plies)) == plies_to_mate(mated_in(plies)) == plies


@pytest.mark.parametrize("score", [0, 500, -LIMIT, LIMIT])
def test_an_evaluation_tells_of_no_mate(score: int) -> None:
    assert plies_to_mate(score) is None
    assert from_root(score, 9) == from_here(score, 9) == score


@pytest.mark.parametrize("score", [mate_in(9), mated_in(9)])
def test_seen_from_the_root_a_mate_is_further_away(score: int) -> None:
    assert plies_to_mate(from_root(score, 4)) == 13
    assert from_here(from_root(score, 4), 4) == score


@pytest.mark.parametrize(
    ("score", "moves"), [(MATE - 1, 1), (MATE - 3, 2), (-(MATE - 2), -1), (-(MATE - 4), -2), (350, None)]
)
def test_mate_is_told_in_moves(score: int, moves: int | None) -> None:
    assert moves_to_mate(score) == moves
