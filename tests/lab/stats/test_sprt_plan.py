"""How long sequential tests take, against simulated figures."""

from __future__ import annotations

import pytest

from bot.lab.stats.elo import NORMALIZED, elo_of_score
from bot.lab.stats.power import Pairing
from bot.lab.stats.sprt import Scale, Sprt
from bot.lab.stats.sprt_plan import plan_sprt, undecided

#: By how much the figures may be too low: what a test oversteps its bounds by is left out.
OVERSTEP = 0.10


@pytest.mark.parametrize(
    ("elo1", "truth", "pairs"),
    [
        *[(50, 0, 93), (50, 50, 93), (50, 25, 154)],
        *[(100, 0, 26), (100, 100, 26), (100, 50, 42)],
        *[(20, 0, 550), (20, 20, 550), (20, 10, 890)],
    ],
)
def test_the_mean_as_published(elo1: float, truth: float, pairs: float) -> None:
    assert plan_sprt(Sprt(0, elo1), Pairing(truth, 0.3)).pairs == pytest.approx(pairs, rel=OVERSTEP)


@pytest.mark.parametrize(("elo1", "p95"), [(50, 397), (100, 108), (20, 2260)])
def test_long_tests_in_the_middle_as_published(elo1: float, p95: float) -> None:
    assert plan_sprt(Sprt(0, elo1), Pairing(elo1 / 2, 0.3)).pairs_p95 == pytest.approx(p95, rel=OVERSTEP)


@pytest.mark.parametrize(("share", "games"), [(0, 640_000), (1, 640_000), (0.5, 1.05e6)])
def test_the_rule_of_thumb_for_normalized_bounds(share: float, games: float) -> None:
    """So many games over the square of the upper bound, whatever the draws."""
    for draws in (0.3, 0.8):
        deviation = ((1 - draws) / 4) ** 0.5
        truth = Pairing(elo_of_score(0.5 + share * 5 / NORMALIZED * deviation), draws)
        found = plan_sprt(Sprt(0, 5, scale="normalized"), truth)
        assert 2 * found.pairs == pytest.approx(games / 25, rel=0.01)
        assert found.accepts == pytest.approx([0.05, 0.5, 0.95][round(2 * share)], abs=0.001)


@pytest.mark.parametrize("scale", ["logistic", "normalized"])
def test_plans_exist_for_any_truth_and_follow_it(scale: Scale) -> None:
    test = Sprt(0, 30, scale=scale)
    plans = [plan_sprt(test, Pairing(elo, 0.4)) for elo in range(-2000, 2001, 40)]
    accepts = [plan.accepts for plan in plans]
    assert accepts == sorted(accepts)
    assert accepts[0] == pytest.approx(0)
    assert accepts[-1] == pytest.approx(1)
    for plan in plans:
        assert 0 < plan.pairs < plan.pairs_p95 < 4 * plan.pairs


def test_a_test_that_may_not_go_on_stays_undecided_that_often() -> None:
    test, truth = Sprt(0, 50), Pairing(25, 0.3)
    plan = plan_sprt(test, truth)
    assert undecided(test, truth, round(plan.pairs_p95)) == pytest.approx(0.05, abs=0.001)
    shares = [undecided(test, truth, pairs) for pairs in (0, 1, 20, 60, 150, 400, 5_000)]
    assert shares == sorted(shares, reverse=True)
    assert shares[0] == 1
    assert shares[-1] == pytest.approx(0, abs=1e-9)


@pytest.mark.parametrize("elo", [-30, 0, 10, 25, 60, 400])
def test_the_time_that_tests_stay_open_adds_up_to_their_mean(elo: float) -> None:
    test, truth = Sprt(0, 20), Pairing(elo, 0.3)
    plan = plan_sprt(test, truth)
    step = max(1, round(plan.pairs / 200))
    total = sum(undecided(test, truth, pairs) for pairs in range(0, round(15 * plan.pairs), step)) * step
    # The first fifth of the mean is taken as open, which it is but for a few in a hundred.
    assert total == pytest.approx(plan.pairs, rel=0.03)
