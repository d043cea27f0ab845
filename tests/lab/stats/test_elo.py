"""Elo differences, against fishtest's own figures and at the ends of the scale."""

from __future__ import annotations

import math

import numpy as np
import pytest

from bot.lab.stats.counts import PAIR_SCORES, Pentanomial, Wdl
from bot.lab.stats.elo import (
    NORMALIZED,
    UNKNOWN,
    Estimate,
    elo,
    elo_of_games,
    elo_of_score,
    los,
    normalized_elo,
    score_of_elo,
)


@pytest.mark.parametrize(
    ("score", "difference"),
    [(0.55, 34.8601), (0.64, 99.9510), (0.75, 190.8485), (0.9, 381.6970), (0.5, 0.0)],
)
def test_elo_of_a_score(score: float, difference: float) -> None:
    assert elo_of_score(score) == pytest.approx(difference, abs=6e-5)
    assert score_of_elo(difference) == pytest.approx(score, abs=1e-7)


def test_the_score_of_a_difference() -> None:
    assert score_of_elo(50) == pytest.approx(0.5714631, abs=6e-8)
    assert score_of_elo(100) == pytest.approx(0.6400650, abs=6e-8)
    assert score_of_elo(-1_000_000) == 0


@pytest.mark.parametrize("score", [0.0, 1.0, -0.1, 1.5])
def test_a_perfect_score_has_no_difference(score: float) -> None:
    with pytest.raises(ValueError, match="has no Elo difference"):
        elo_of_score(score)


def test_the_sample_line_of_fishtest() -> None:
    pairs = Pentanomial(43, 61, 144, 55, 37)
    found, normalized = elo(pairs, "z"), normalized_elo(pairs, "z")
    assert found.value == pytest.approx(-9.1990, abs=6e-5)
    assert half_width(found) == pytest.approx(20.9272, abs=6e-5)
    assert normalized.value == pytest.approx(-11.4981, abs=6e-5)
    assert half_width(normalized) == pytest.approx(26.1137, abs=6e-5)
    assert los(pairs) == pytest.approx(0.194072, abs=6e-7)


def test_more_pairs_as_published() -> None:
    assert elo(Pentanomial(5, 12, 20, 15, 8)).value == pytest.approx(26.1067, abs=6e-5)
    found = elo(Pentanomial(2, 6, 20, 16, 16), "z")
    assert [found.value, found.low, found.high] == pytest.approx([113.9373, 63.26, 169.82], abs=5e-3)
    normalized = normalized_elo(Pentanomial(379, 10170, 21828, 10640, 343), "z")
    assert [normalized.value, half_width(normalized)] == pytest.approx([3.0505, 2.3124], abs=6e-5)
    assert pytest.approx(347.4356, abs=6e-5) == NORMALIZED


def test_games_that_are_not_paired() -> None:
    assert elo_of_games(Wdl(60, 40, 20)).value == pytest.approx(120.4120, abs=6e-5)


@pytest.mark.parametrize(
    ("pairs", "text"),
    [
        (Pentanomial(ww=5), "> +166"),
        (Pentanomial(ll=5), "< -166"),
        (Pentanomial(dd=30), "+0 (-87 to +87)"),
        (Pentanomial(wd=1), "+191 (-243 to +625)"),
        (Pentanomial(5, 12, 20, 15, 8), "+26 (-25 to +79)"),
    ],
)
def test_what_is_said_of_few_or_equal_pairs(pairs: Pentanomial, text: str) -> None:
    assert str(elo(pairs)) == text
    there, back = elo(pairs), elo(pairs.swapped).swapped
    for bound, other in ((there.value, back.value), (there.low, back.low), (there.high, back.high)):
        assert bound == (None if other is None else pytest.approx(other, abs=1e-9))


def test_an_estimate_in_words() -> None:
    assert str(Estimate(620.2, 354.6, None)) == "+620 (above +355)"
    assert str(Estimate(-620.2, None, -354.6)) == "-620 (below -355)"
    assert str(Estimate(3.0, None, None)) == "+3 (no bounds)"
    assert str(Estimate(None, -3.0, 5.0)) == "-3 to +5"
    assert str(UNKNOWN) == "unknown"


@pytest.mark.parametrize("pairs", [Pentanomial(dd=4), Pentanomial(ww=4), Pentanomial(wd=1)])
def test_equal_pairs_have_no_normalized_elo(pairs: Pentanomial) -> None:
    assert normalized_elo(pairs) == UNKNOWN


def test_of_few_pairs_there_is_no_normalized_elo_as_their_spread_is_chance() -> None:
    """Nine even pairs and half a win were "+116 +- 152": the deviation of one pair, taken as known."""
    assert normalized_elo(Pentanomial(dd=8, wd=1)) == UNKNOWN
    assert normalized_elo(Pentanomial(dd=8, wd=1), "z") != UNKNOWN


@pytest.mark.parametrize("shares", [(0.1, 0.2, 0.4, 0.2, 0.1), (0.02, 0.08, 0.25, 0.35, 0.3)])
@pytest.mark.parametrize("pairs", [10, 20, 60])
def test_normalized_elo_of_small_samples_is_true_to_its_interval(
    pairs: int, shares: tuple[float, ...]
) -> None:
    """With the deviation taken as known, intervals of the second kind are right 81 to 85 times in 100."""
    mean = sum(share * score for share, score in zip(shares, PAIR_SCORES, strict=True))
    variance = sum(share * (score - mean) ** 2 for share, score in zip(shares, PAIR_SCORES, strict=True))
    truth = (mean - 0.5) / math.sqrt(2 * variance) * NORMALIZED
    drawn = np.random.default_rng(5).multinomial(pairs, shares, size=2_000)
    found = [normalized_elo(Pentanomial(*map(int, counts))) for counts in drawn]
    right = sum(each.low is None or each.high is None or each.low <= truth <= each.high for each in found)
    assert 0.92 <= right / len(found) <= 0.99


def test_superiority_without_spread_comes_from_pairs_won_and_lost() -> None:
    assert los(Pentanomial(dd=9)) == 0.5
    assert los(Pentanomial(ww=1)) == 0.75  # of uniform shares given one success: P(share > 1/2)
    assert los(Pentanomial(ww=5)) == 1 - 2**-6
    assert los(Pentanomial(ll=5)) == pytest.approx(2**-6)


@pytest.mark.parametrize("function", [elo, normalized_elo, los])
def test_without_pairs_nothing_is_said(function: object) -> None:
    assert callable(function)
    with pytest.raises(ValueError, match=r"no pairs, no score|no proportion"):
        function(Pentanomial())


def half_width(estimate: Estimate) -> float:
    assert estimate.low is not None
    assert estimate.high is not None
    return (estimate.high - estimate.low) / 2
