"""Games and pairs, counted."""

from __future__ import annotations

import pytest

from bot.lab.stats.counts import Pentanomial, Wdl


def test_pairs_as_published() -> None:
    pairs = Pentanomial(5, 12, 20, 15, 8)
    assert (pairs.pairs, pairs.games, pairs.points) == (60, 120, 64.5)
    assert pairs.score == 0.5375
    assert pairs.variance == pytest.approx(0.08088542, abs=1e-8)


def test_pairs_from_their_points() -> None:
    assert Pentanomial.of([2, 0, 1.5, 0.5, 1, 2]) == Pentanomial(1, 1, 1, 1, 2)
    for wrong in (0.25, 3, -0.5):
        with pytest.raises(ValueError, match=r"a pair scores 0, 0.5, 1, 1.5 or 2 points, not "):
            Pentanomial.of([1, wrong])


def test_both_add_up_and_turn_round() -> None:
    assert Pentanomial(1, 2, 3, 4, 5) + Pentanomial(1, 0, 0, 0, 1) == Pentanomial(2, 2, 3, 4, 6)
    assert Pentanomial(1, 2, 3, 4, 5).swapped == Pentanomial(5, 4, 3, 2, 1)
    assert Wdl(1, 2, 3) + Wdl(1, 0, 0) == Wdl(2, 2, 3)
    assert Wdl(1, 2, 3).swapped == Wdl(3, 2, 1)
    pairs = Pentanomial(1, 2, 3, 4, 5)
    assert pairs.score + pairs.swapped.score == pytest.approx(1)


def test_the_variance_of_games() -> None:
    games = Wdl(60, 40, 20)
    assert games.score == pytest.approx(80 / 120)
    points = [1.0] * 60 + [0.5] * 40 + [0.0] * 20
    assert games.variance == pytest.approx(sum((p - 2 / 3) ** 2 for p in points) / 120)


def test_without_games_there_is_no_score() -> None:
    with pytest.raises(ValueError, match="no games, no score"):
        _ = Wdl().variance
    with pytest.raises(ValueError, match="no pairs, no score"):
        _ = Pentanomial().variance
