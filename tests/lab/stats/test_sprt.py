"""The sequential test: published ratios, what defines them, and how often it errs."""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest

from bot.lab.stats.counts import Pentanomial
from bot.lab.stats.elo import NORMALIZED, score_of_elo
from bot.lab.stats.sprt import Scale, Sprt


@pytest.mark.parametrize(
    ("counts", "elo0", "elo1", "scale", "llr"),
    [
        ((5, 12, 20, 15, 8), 0, 50, "logistic", 0.085952),
        ((5, 12, 20, 15, 8), -25, 25, "logistic", 1.949427),
        ((5, 12, 20, 15, 8), 0, 50, "normalized", 0.365700),
        ((2, 6, 20, 16, 16), 0, 50, "logistic", 5.673183),
        ((2, 6, 20, 16, 16), 0, 50, "normalized", 4.979878),
        ((379, 10170, 21828, 10640, 343), 0, 2, "normalized", 2.945495),
        # fastchess' own tests
        ((365, 16618, 36229, 16974, 390), 0, 2, "normalized", 2.250368),
        ((127, 4883, 10712, 5150, 104), -1.75, 0.25, "normalized", 3.010154),
        ((223, 9863, 21279, 10037, 246), 0.5, 2.5, "logistic", -3.074126),
        ((871, 26175, 55983, 26678, 821), 0, 2, "logistic", -4.978673),
        ((36027, 68692, 36433), 0, 2, "normalized", 0.923293),
        # one outcome only
        ((0, 0, 0, 0, 1), 0, 50, "logistic", 0.133837),
        ((0, 0, 0, 0, 21), 0, 50, "logistic", 2.805675),
        ((0, 0, 0, 0, 22), 0, 50, "logistic", 2.939267),
        ((0, 0, 30, 0, 0), 0, 50, "logistic", -4.618443),
    ],
)
def test_ratios_as_published(
    counts: tuple[int, ...], elo0: float, elo1: float, scale: Scale, llr: float
) -> None:
    test = Sprt(elo0, elo1, scale=scale)
    assert test.llrs(np.array([counts], dtype=float))[0] == pytest.approx(llr, abs=1.1e-6)


def test_bounds_as_published() -> None:
    assert Sprt(0, 50).upper == pytest.approx(2.944439, abs=6e-7)
    assert Sprt(0, 50).lower == pytest.approx(-2.944439, abs=6e-7)
    uneven = Sprt(0, 5, alpha=0.05, beta=0.10)
    assert [uneven.lower, uneven.upper] == pytest.approx([-2.2513, 2.8904], abs=6e-5)


def test_decisions() -> None:
    test = Sprt(0, 50)
    ratios = {pairs: test.decide(test.llr(Pentanomial(ww=pairs))) for pairs in (0, 1, 21, 22, 23)}
    assert ratios == {0: "continue", 1: "continue", 21: "continue", 22: "continue", 23: "H1"}
    assert test.decide(test.llr(Pentanomial(dd=30))) == "H0"
    assert test.llr(Pentanomial()) == 0
    assert test.decide(test.upper) == "H1"
    assert test.decide(test.lower) == "H0"


EXTREMES = np.array(list(itertools.product([0, 1, 400], repeat=5)), dtype=float)


@pytest.mark.parametrize("scale", ["logistic", "normalized"])
@pytest.mark.parametrize(("elo0", "elo1"), [(0, 5), (-200, 200), (-3, 100)])
def test_every_result_has_a_finite_ratio(scale: Scale, elo0: float, elo1: float) -> None:
    found = Sprt(elo0, elo1, scale=scale).llrs(EXTREMES)
    assert np.isfinite(found).all()
    assert found[0] == 0


@pytest.mark.parametrize("elo", [-150.0, 0.0, 40.0])
def test_hypotheses_are_what_they_say(elo: float) -> None:
    """The ratio to "what was seen" is 0 for a hypothesis that says just that, and below it otherwise."""
    shares = np.array([3, 10, 20, 14, 6]) / 53
    values = np.linspace(0, 1, 5)
    seen = math.log(shares @ values / (1 - shares @ values)) * 400 / math.log(10)
    mean, deviation = shares @ values, math.sqrt(shares @ (values - shares @ values) ** 2)
    normalized = (mean - 0.5) / deviation / math.sqrt(2) * NORMALIZED
    for scale, truth in (("logistic", seen), ("normalized", normalized)):
        test = Sprt(elo, truth, scale=scale) if elo < truth else Sprt(truth, elo, scale=scale)  # type: ignore[arg-type]  # a loop forgets literals
        ratios = test.log_ratios(shares[None, :])[0] * (1 if elo < truth else -1)
        likeliest = shares / np.exp(ratios)  # the other hypothesis is what was seen
        assert likeliest.sum() == pytest.approx(1, abs=1e-8)
        mean = likeliest @ values
        if scale == "logistic":
            assert mean == pytest.approx(score_of_elo(elo), abs=1e-8)
        else:
            spread = math.sqrt(likeliest @ (values - mean) ** 2)
            assert (mean - 0.5) / spread / math.sqrt(2) * NORMALIZED == pytest.approx(elo, abs=1e-6)
        assert shares @ ratios > 0


def test_what_is_no_test_is_refused() -> None:
    with pytest.raises(ValueError, match="elo0 must be below elo1, not 5 and 5"):
        Sprt(5, 5)
    with pytest.raises(ValueError, match=r"alpha must be between 0 and 0.5, not 0.6"):
        Sprt(0, 5, alpha=0.6)
    with pytest.raises(ValueError, match="normalized bounds must be between -200 and 200 Elo, not 0 and 500"):
        Sprt(0, 500, scale="normalized")


def accepted(test: Sprt, elo: float, runs: int, most: int, seed: int) -> tuple[float, float]:
    """How often simulated players with 30 % draws, `elo` apart, are found to differ by elo1, and the mean
    number of pairs it takes. All runs are played side by side; each ends in its own time."""
    rng = np.random.default_rng(seed)
    score = score_of_elo(elo)
    games = rng.choice(3, size=(runs, most, 2), p=[0.85 - score, 0.3, score - 0.15])
    outcomes = games.sum(axis=2)
    counts = np.zeros((runs, 5))
    going = np.arange(runs)
    for_h1 = pairs = 0
    for played in range(most):
        counts[going, outcomes[going, played]] += 1
        llr = test.llrs(counts[going])
        for_h1 += int((llr >= test.upper).sum())
        ended = (llr >= test.upper) | (llr <= test.lower)
        pairs += int(ended.sum()) * (played + 1)
        going = going[~ended]
        if not going.size:
            return for_h1 / runs, pairs / runs
    raise AssertionError(f"{going.size} of {runs} runs are undecided after {most} pairs")


def test_it_errs_about_as_often_as_it_says_and_takes_as_long_as_published() -> None:
    false, pairs = accepted(Sprt(0, 100), 0, runs=2_000, most=400, seed=1)
    assert 0.034 <= false <= 0.061
    assert pairs == pytest.approx(26, abs=1.5)
    found, pairs = accepted(Sprt(0, 100), 100, runs=2_000, most=400, seed=2)
    assert 0.034 <= 1 - found <= 0.061
    assert pairs == pytest.approx(26, abs=1.5)
