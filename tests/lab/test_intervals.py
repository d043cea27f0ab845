"""Intervals, against published values and against chance itself."""

from __future__ import annotations

import random

import pytest

from bot.lab.intervals import geometric_mean, wilson


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
