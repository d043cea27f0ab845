"""Intervals, against published values and against chance itself."""

from __future__ import annotations

import random
from typing import Literal

import pytest

from bot.lab.stats.counts import Pentanomial
from bot.lab.stats.intervals import geometric_mean, pair_interval, score_interval, wilson


@pytest.mark.parametrize(
    ("successes", "trials", "low", "high"),
    [
        (61, 120, 0.420, 0.596),  # the figures of a study that these strategies come from
        (84, 120, 0.613, 0.775),
        (81, 263, 0.2553, 0.3662),  # Newcombe, Statistics in Medicine 17 (1998), table I
        (15, 148, 0.0624, 0.1605),
        (0, 20, 0.0, 0.1611),
        (1, 29, 0.0061, 0.1718),
        (29, 29, 0.8830, 1.0),
    ],
)
def test_wilson_as_published(successes: int, trials: int, low: float, high: float) -> None:
    found = wilson(successes, trials)
    assert found.value == successes / trials
    assert [found.low, found.high] == pytest.approx([low, high], abs=6e-4)


@pytest.mark.parametrize(
    ("successes", "trials", "low", "high"),
    [  # in percent; scipy and statsmodels agree
        (61, 120, 42.0025, 59.6124),
        (84, 120, 61.2849, 77.4744),
        (60, 120, 41.1939, 58.8061),
        (0, 10, 0, 27.7533),
        (10, 10, 72.2467, 100),
        (1, 1, 20.6549, 100),
        (523, 1000, 49.2014, 55.3810),
        (70.5, 120, 49.8041, 67.1531),
    ],
)
def test_wilson_to_the_last_digit(successes: float, trials: int, low: float, high: float) -> None:
    found = wilson(successes, trials)
    assert [100 * found.low, 100 * found.high] == pytest.approx([low, high], abs=6e-5)


def test_wilson_ends_exactly_where_a_proportion_ends() -> None:
    assert wilson(0, 10).low == 0
    assert wilson(10, 10).high == 1


@pytest.mark.parametrize(("successes", "trials"), [(0, 0), (-1, 5), (6, 5)])
def test_no_proportion_is_refused(successes: int, trials: int) -> None:
    with pytest.raises(ValueError, match=f"no proportion: {successes} of {trials}"):
        wilson(successes, trials)


def test_wilson_covers_the_truth_as_often_as_it_says() -> None:
    rng = random.Random(1)
    hits = 0
    for _ in range(2_000):
        found = wilson(sum(rng.random() < 0.3 for _ in range(50)), 50)
        hits += found.low <= 0.3 <= found.high
    assert 0.93 < hits / 2_000 < 0.97


def test_the_geometric_mean_is_that_of_the_logarithms() -> None:
    found = geometric_mean([0.1, 10.0, 1.0], random.Random(1))
    assert found.value == pytest.approx(1.0)
    assert found.low == pytest.approx(0.1)
    assert found.high == pytest.approx(10.0)
    same = geometric_mean([0.25] * 5, random.Random(1))
    assert [same.low, same.value, same.high] == pytest.approx([0.25] * 3)


def test_the_bootstrap_covers_the_truth_about_as_often_as_it_says() -> None:
    rng = random.Random(2)
    hits = 0
    for _ in range(100):
        found = geometric_mean([rng.lognormvariate(-1.0, 0.5) for _ in range(25)], rng)
        hits += found.low <= 2.718281828**-1.0 <= found.high
    assert hits >= 86


def test_it_is_the_same_again_for_the_same_seed() -> None:
    ratios = [0.1, 0.2, 0.3, 0.7]
    assert geometric_mean(ratios, random.Random(3)) == geometric_mean(ratios, random.Random(3))


@pytest.mark.parametrize("ratios", [[], [0.5, 0.0]])
def test_what_has_no_geometric_mean_is_refused(ratios: list[float]) -> None:
    with pytest.raises(ValueError, match="a geometric mean needs numbers, all of them above 0"):
        geometric_mean(ratios, random.Random(1))


@pytest.mark.parametrize(("method", "low", "high"), [("z", 0.465537, 0.609463), ("t", 0.463411, 0.611589)])
def test_pairs_as_published(method: Literal["z", "t"], low: float, high: float) -> None:
    found = score_interval(Pentanomial(5, 12, 20, 15, 8), method)
    assert [found.value, found.low, found.high] == pytest.approx([0.5375, low, high], abs=1e-6)


@pytest.mark.parametrize(
    "pairs",
    [
        Pentanomial(ww=1),  # one pair has no spread
        Pentanomial(dd=30),  # nor have equal ones
        Pentanomial(ww=30),
        Pentanomial(wd=1, ww=29),  # beyond 1
        Pentanomial(ll=1, ww=1),
    ],
)
def test_where_pairs_do_not_show_it_the_interval_is_wilsons(pairs: Pentanomial) -> None:
    assert pair_interval(pairs) is None
    assert score_interval(pairs) == wilson(pairs.points, pairs.games)


def coverage(pairs: int, method: Literal["z", "t", "wilson"], trials: int = 2_000) -> float:
    """How often the interval holds the truth: equal players, 30 % draws, independent games."""
    rng = random.Random(11)
    hits = 0
    for _ in range(trials):
        points = rng.choices([0.0, 0.5, 1.0], weights=[35, 30, 35], k=2 * pairs)
        found = Pentanomial.of(a + b for a, b in zip(points[::2], points[1::2], strict=True))
        games = wilson(found.points, found.games)
        interval = games if method == "wilson" else score_interval(found, method)
        hits += interval.low <= 0.5 <= interval.high
    return hits / trials


def test_each_interval_covers_as_often_as_published() -> None:
    assert coverage(10, "t") == pytest.approx(0.95, abs=0.015)
    assert coverage(10, "z") == pytest.approx(0.91, abs=0.015)
    assert coverage(10, "wilson") == pytest.approx(0.98, abs=0.015)
    assert coverage(60, "z") == pytest.approx(0.945, abs=0.015)


def test_a_player_against_itself_is_inconclusive_95_times_in_100() -> None:
    """Neither end of the interval that verdicts rest on lies beyond 1/2."""
    assert coverage(60, "t", trials=4_000) == pytest.approx(0.95, abs=0.01)


@pytest.mark.parametrize(
    "pairs", [Pentanomial(dd=4, wd=1), Pentanomial(1, 2, 3, 2, 1), Pentanomial(dd=1, wd=1)]
)
def test_few_pairs_are_never_surer_than_their_games(pairs: Pentanomial) -> None:
    """Five pairs, four of them even, had an interval half as wide as Wilson's over their ten games."""
    found, games = score_interval(pairs), wilson(pairs.points, pairs.games)
    assert found.low <= games.low
    assert found.high >= games.high
