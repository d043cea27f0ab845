"""Compiled games between two settings."""

from __future__ import annotations

import random
from dataclasses import replace

import chess
import pytest

from bot.engine.features import ALL
from bot.evaluation.weights import WEIGHTS
from bot.lab.openings import all_openings
from bot.learning.duel import Duel
from bot.learning.starts import draw_start

OPENINGS = [opening.fen for opening in all_openings()]


@pytest.fixture(scope="module")
def duel() -> Duel:
    return Duel(None, nodes=300)


def starts(number: int) -> list[chess.Board]:
    rng = random.Random(5)
    return [draw_start(rng, OPENINGS, 8) for _ in range(number)]


def test_equals_share_every_pair(duel: Duel) -> None:
    for start in starts(8):
        as_white, as_black = duel.pair(start, {}, {})
        assert as_white + as_black == 2  # the same two games, seen from either side


def test_a_pair_is_the_same_whatever_was_played_before(duel: Duel) -> None:
    first, second = starts(2)
    tuned = {"futility_base": 60}
    before = duel.pair(first, tuned, {})
    duel.pair(second, {}, tuned)
    assert duel.pair(first, tuned, {}) == before


def test_changing_the_sides_changes_the_points(duel: Duel) -> None:
    tuned = {"reduction_slope": 800}
    pairs = [(duel.pair(start, tuned, {}), duel.pair(start, {}, tuned)) for start in starts(8)]
    assert all(ours == (2 - theirs[1], 2 - theirs[0]) for ours, theirs in pairs)
    assert any(sum(ours) != 2 for ours, _ in pairs)


def test_who_searches_without_any_technique_loses() -> None:
    duel = Duel(None, nodes=3000)  # enough for several plies
    points = sum(sum(duel.pair(start, {}, {}, features=(ALL, 0))) for start in starts(12))
    assert points > 30  # of 48


def test_a_game_that_is_over_at_once(duel: Duel) -> None:
    mated = chess.Board("rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR w KQkq - 1 3")
    assert duel.pair(mated, {}, {}) == (0, 2)
    stalemated = chess.Board("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1")
    assert duel.pair(stalemated, {}, {}) == (1, 1)


def test_each_side_has_its_own_weights() -> None:
    worthless = replace(WEIGHTS, piece_values=dict.fromkeys(WEIGHTS.piece_values, 1))
    duel = Duel(None, nodes=300, weights=(WEIGHTS, worthless))

    points = sum(sum(duel.pair(start, {}, {})) for start in starts(4))
    assert points >= 14  # of 16
