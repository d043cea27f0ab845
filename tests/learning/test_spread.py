"""The scale of an evaluation: found where there is one, and given to a network."""

from __future__ import annotations

import numpy as np
import pytest

from bot.learning.parameters import OUTPUT_BOUND, fresh
from bot.learning.positions import DRAW, LOSS, WIN
from bot.learning.spread import LEAST_POSITIONS, correction, fitting, scaled
from bot.learning.train import shares
from tests.learning.training_kit import evaluated, scattered


def played(spread: float, *, seed: int, games: int = 200_000) -> tuple[np.ndarray, np.ndarray]:
    """Centipawns, and results by lot that have this spread; a third of them are draws."""
    rng = np.random.default_rng(seed)
    said = rng.normal(0, 250, games)
    won = rng.random(games) < shares(said, spread)
    return said, np.where(won, WIN, LOSS) / WIN


@pytest.mark.parametrize("spread", [120.0, 200.0, 640.0])
def test_it_finds_the_spread_of_results(spread: float) -> None:
    said, results = played(spread, seed=1)
    assert fitting(said, results) == pytest.approx(spread, rel=0.03)
    assert fitting(said, shares(said, spread)) == pytest.approx(spread, rel=0.002)


def test_draws_widen_it_by_what_they_say() -> None:
    said, results = played(200.0, seed=2)
    drawn = np.random.default_rng(3).random(len(said)) < 0.3
    found = fitting(said, np.where(drawn, DRAW / WIN, results))
    assert found is not None
    assert 260 < found < 400


@pytest.mark.parametrize("results", ["by lot", "all drawn", "the other way about"])
def test_results_that_say_nothing(results: str) -> None:
    said, wanted = played(200.0, seed=4)
    rng = np.random.default_rng(5)
    wanted = {
        "by lot": rng.permutation(wanted),
        "all drawn": np.full(len(said), 0.5),
        "the other way about": 1 - wanted,
    }[results]
    assert fitting(said, wanted) is None


def test_too_few_say_nothing() -> None:
    said, wanted = played(200.0, seed=6)
    assert fitting(said[: LEAST_POSITIONS - 1], wanted[: LEAST_POSITIONS - 1]) is None
    assert fitting(said[:LEAST_POSITIONS], wanted[:LEAST_POSITIONS]) is not None


@pytest.mark.parametrize(
    ("spread", "factor"),
    [(200.0, 1.0), (250.0, 0.8), (160.0, 1.25), (1209.0, 1.0), (120.0, 1.0), (None, 1.0)],
)
def test_only_a_scale_that_is_a_little_wrong_is_put_right(spread: float | None, factor: float) -> None:
    """A network of 30,000 positions foretold little, and was made to say a sixth of what it had learnt."""
    assert correction(spread) == pytest.approx(factor)


def test_a_network_says_so_much_more_and_stays_within_bounds() -> None:
    parameters, positions = fresh(8, np.random.default_rng(7)), scattered(200, seed=8)
    before = evaluated(parameters, positions)
    found = evaluated(scaled(parameters, 1.25), positions)

    assert np.allclose(found, 1.25 * before, rtol=1e-4, atol=1e-5)
    assert np.array_equal(before, evaluated(parameters, positions))  # it was not written to
    assert np.abs(scaled(parameters, 100.0).outputs).max() <= OUTPUT_BOUND + 1e-6
