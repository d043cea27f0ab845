"""Ratings with intervals: published ones, and true ones where no number can be given."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

from bot.lab.stats.bradley_terry import Meeting
from bot.lab.stats.counts import Pentanomial
from bot.lab.stats.elo import PER_LOG_ODD, UNKNOWN, Estimate, elo, elo_of_score, score_of_elo
from bot.lab.stats.intervals import wilson
from bot.lab.stats.ratings import Ratings, bootstrap, rate

#: 30 pairs a pairing.
ROUND_ROBIN = (
    Meeting(0, 1, Pentanomial(2, 4, 8, 9, 7)),
    Meeting(0, 2, Pentanomial(1, 2, 6, 10, 11)),
    Meeting(0, 3, Pentanomial(0, 1, 4, 9, 16)),
    Meeting(1, 2, Pentanomial(3, 5, 9, 8, 5)),
    Meeting(1, 3, Pentanomial(1, 3, 7, 10, 9)),
    Meeting(2, 3, Pentanomial(2, 5, 8, 9, 6)),
)
SWEEP = Pentanomial(ww=5)
#: The least that 10 of 10 shows.
SWEPT = elo_of_score(wilson(10, 10).low)


def rated(players: int, *meetings: Meeting, anchor: int = 0, resamples: int = 500) -> Ratings:
    return rate(players, meetings, anchor, np.random.default_rng(1), resamples=resamples)


def ends(estimate: Estimate) -> list[float | None]:
    return [estimate.value, estimate.low, estimate.high]


def test_a_round_robin_as_published() -> None:
    found = rate(4, ROUND_ROBIN, 0, np.random.default_rng(20260101)).estimates
    assert ends(found[0]) == [0, None, None]
    assert ends(found[1]) == pytest.approx([-110.5534, -170.55, -53.81], abs=6e-3)
    assert ends(found[2]) == pytest.approx([-169.5077, -231.67, -112.65], abs=6e-3)
    assert ends(found[3]) == pytest.approx([-253.5468, -316.35, -197.00], abs=6e-3)


def test_one_pairing_as_scipy_resamples_it() -> None:
    pairs = Pentanomial(5, 12, 20, 15, 8)
    low, high = bootstrap(2, [Meeting(0, 1, pairs)], 1, np.random.default_rng(20260101), 9_999)
    scores = [score_of_elo(end * PER_LOG_ODD) for end in (low[0], high[0])]
    assert scores == pytest.approx([0.466667, 0.608333], abs=6e-7)


@pytest.mark.parametrize(
    "pairs",
    [Pentanomial(5, 12, 20, 15, 8), Pentanomial(dd=4, wd=1), Pentanomial(ww=3), Pentanomial(wd=1, ww=9)],
)
def test_a_match_has_one_interval_and_not_two(pairs: Pentanomial) -> None:
    """The ratings of a match gave +5 to +60 where its meeting gave -9 to +75: the same 60 pairs."""
    found = rated(2, Meeting(0, 1, pairs), anchor=1)
    assert found.direct == {0}
    assert found.estimates[0] == elo(pairs)
    assert rated(2, Meeting(0, 1, pairs)).estimates[1] == elo(pairs.swapped)
    gauntlet = rated(3, Meeting(0, 1, pairs), Meeting(0, 2, SWEEP))
    assert gauntlet.direct == {1, 2}
    assert gauntlet.estimates[1:] == (elo(pairs.swapped), elo(SWEEP.swapped))


def test_another_anchor_moves_all_values_alike() -> None:
    from_a = rated(4, *ROUND_ROBIN).estimates
    from_c = rated(4, *ROUND_ROBIN, anchor=2).estimates
    values = [(a.value or 0.0) - (c.value or 0.0) for a, c in zip(from_a, from_c, strict=True)]
    assert values == pytest.approx([values[0]] * 4)
    assert ends(from_c[2]) == [0, None, None]


def test_who_won_everything_has_a_lower_bound_only() -> None:
    found = rated(2, Meeting(0, 1, SWEEP), anchor=1)
    assert found.groups == ((0,), (1,))
    assert not found.connected
    assert ends(found.estimates[0]) == [None, pytest.approx(SWEPT), None]
    assert ends(found.estimates[1]) == [0, None, None]
    assert elo(SWEEP).low == pytest.approx(SWEPT)


def test_who_lost_everything_has_an_upper_bound_only_and_comes_last() -> None:
    found = rated(2, Meeting(0, 1, SWEEP))
    assert ends(found.estimates[1]) == [None, None, pytest.approx(-SWEPT)]
    assert found.order == (0, 1)
    # One pair shows so little that the bound is beyond the anchor; the order is of what was seen.
    assert rated(2, Meeting(0, 1, Pentanomial(ww=1))).order == (0, 1)


def test_bounds_add_up_along_a_ladder() -> None:
    """2 is the anchor; 1 beat it, and 0 beat both."""
    ladder = [Meeting(0, 1, SWEEP), Meeting(1, 2, SWEEP), Meeting(0, 2, SWEEP)]
    found = rated(3, *ladder, anchor=2).estimates
    assert found[1].low == pytest.approx(SWEPT)
    assert found[0].low is not None
    assert found[0].low > 1.5 * SWEPT
    upside_down = rated(3, *ladder, anchor=0).estimates
    assert upside_down[2].high == pytest.approx(-found[0].low)


def test_a_group_beyond_the_anchor_keeps_its_own_differences() -> None:
    inner = Meeting(1, 2, Pentanomial(2, 3, 5, 6, 4))
    alone = rated(2, Meeting(0, 1, inner.pairs), anchor=1).estimates[0].value
    found = rated(3, inner, Meeting(1, 0, SWEEP), Meeting(2, 0, SWEEP))
    assert found.groups == ((0,), (1, 2))
    lows = [found.estimates[1].low, found.estimates[2].low]
    assert None not in lows
    assert (lows[0] or 0) - (lows[1] or 0) == pytest.approx(alone)
    # Together they are as strong as the least that 20 of 20 shows.
    assert sum(score_of_elo(low or 0) for low in lows) / 2 == pytest.approx(wilson(20, 20).low)


def test_of_players_whom_no_games_link_nothing_is_known() -> None:
    found = rated(4, Meeting(0, 1, Pentanomial(1, 2, 3, 4, 5)), Meeting(2, 3, Pentanomial(1, 2, 3, 4, 5)))
    assert found.groups == ((0, 1), (2, 3))
    assert found.estimates[2:] == (UNKNOWN, UNKNOWN)
    both_below = rated(3, Meeting(0, 1, SWEEP), Meeting(0, 2, SWEEP), anchor=1)
    assert both_below.estimates[2] == UNKNOWN
    assert both_below.order == (0, 1, 2)


def test_nobody_played() -> None:
    assert rated(2).estimates == (Estimate(0.0, None, None), UNKNOWN)
    assert rated(1).connected


@pytest.mark.parametrize(
    "pairs", [Pentanomial(dd=30), Pentanomial(wd=1), Pentanomial(ld=3), Pentanomial(wd=2, dd=2)]
)
def test_equal_or_few_pairs_have_an_interval_at_least_as_wide_as_wilsons(pairs: Pentanomial) -> None:
    found = rated(2, Meeting(0, 1, pairs), anchor=1).estimates[0]
    score = wilson(pairs.points, pairs.games)
    assert found.value == pytest.approx(elo_of_score(score.value))
    assert found.low is not None
    assert found.high is not None
    assert found.low <= elo_of_score(score.low) + 1e-6
    assert found.high >= elo_of_score(score.high) - 1e-6


def test_one_draw_among_wins_leaves_the_upper_end_to_wilson() -> None:
    found = rated(2, Meeting(0, 1, Pentanomial(wd=1, ww=29)), anchor=1).estimates[0]
    games = wilson(59.5, 60)
    assert found.value == pytest.approx(elo_of_score(59.5 / 60))
    assert [found.low, found.high] == pytest.approx([elo_of_score(games.low), elo_of_score(games.high)])


def test_where_resamples_lose_the_link_both_ends_are_open() -> None:
    """0 and 1 are linked by one draw of each with 2, who beat both of them otherwise."""
    rare = Pentanomial(wd=1, ww=29)
    found = rated(3, Meeting(2, 0, rare), Meeting(2, 1, rare)).estimates[1]
    assert found.value == pytest.approx(0, abs=1e-6)
    assert (found.low, found.high) == (None, None)


@pytest.mark.parametrize("seed", range(6))
def test_whatever_the_results_every_number_is_finite(seed: int) -> None:
    rng = np.random.default_rng(seed)
    meetings = [
        Meeting(*pairing, Pentanomial(*map(int, rng.integers(0, 2, size=5) * rng.integers(0, 3))))
        for pairing in itertools.combinations(range(5), 2)
        if rng.random() < 0.7
    ]
    found = rated(5, *(m for m in meetings if m.pairs.pairs), resamples=200)
    numbers = [bound for estimate in found.estimates for bound in ends(estimate) if bound is not None]
    assert np.isfinite(numbers).all()
    for estimate in found.estimates:
        if estimate.value is not None:
            assert estimate.low is None or estimate.low <= estimate.value
            assert estimate.high is None or estimate.high >= estimate.value


def test_intervals_cover_the_truth_about_as_often_as_they_say() -> None:
    rng = np.random.default_rng(8)
    truth = (0, 60, -80)
    hits = 0
    for _ in range(60):
        meetings = []
        for first, second in itertools.combinations(range(3), 2):
            score = score_of_elo(truth[first] - truth[second])
            points = rng.choice(3, size=(40, 2), p=[0.85 - score, 0.3, score - 0.15]).sum(axis=1) / 2
            meetings.append(Meeting(first, second, Pentanomial.of(points)))
        estimates = rate(3, meetings, 0, rng, resamples=400).estimates
        hits += sum(
            (estimate.low or 0) <= difference <= (estimate.high or 0)
            for estimate, difference in zip(estimates[1:], truth[1:], strict=True)
        )
    assert 0.89 <= hits / 120 <= 0.99
