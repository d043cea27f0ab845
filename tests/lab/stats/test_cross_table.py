"""Observed against expected scores."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

from bot.lab.stats.bradley_terry import Meeting
from bot.lab.stats.counts import Pentanomial
from bot.lab.stats.cross_table import cross_table
from bot.lab.stats.elo import score_of_elo


def test_expected_scores_are_those_of_the_ratings() -> None:
    """Two of three pairings agree with a strength each, so the third is where all of it is left over."""
    meetings = [
        Meeting(0, 1, Pentanomial(2, 4, 8, 9, 7)),
        Meeting(1, 2, Pentanomial(3, 5, 9, 8, 5)),
        Meeting(0, 2, Pentanomial(7, 9, 8, 4, 2)),
    ]
    found = cross_table(3, meetings)
    left = [cell.observed - cell.expected for cell in found.cells]
    # Each player scored what was expected in all.
    assert left[0] + left[2] == pytest.approx(0, abs=1e-9)
    assert left[1] - left[0] == pytest.approx(0, abs=1e-9)
    assert found.misfit is not None
    assert found.misfit.freedom == 1
    residuals = [cell.residual for cell in found.cells]
    assert residuals == pytest.approx([residuals[0], residuals[0], -(residuals[0] or 0)])
    assert found.misfit.chi_square == pytest.approx((residuals[0] or 0) ** 2)
    assert found.misfit.p < 0.01


def test_two_players_agree_with_their_ratings_by_force() -> None:
    found = cross_table(2, [Meeting(0, 1, Pentanomial(1, 2, 8, 4, 5))])
    assert found.cells[0].observed == pytest.approx(found.cells[0].expected)
    assert found.cells[0].residual is None
    assert found.misfit is None


def test_between_groups_the_expected_score_is_the_observed_one() -> None:
    sweep = Pentanomial(ww=12)
    found = cross_table(3, [Meeting(0, 1, sweep), Meeting(2, 1, sweep.swapped), Meeting(0, 2, sweep)])
    assert [cell.expected for cell in found.cells] == [1, 0, 1]
    assert [cell.residual for cell in found.cells] == [None] * 3
    assert found.misfit is None
    assert cross_table(3, []).cells == ()


def test_a_circle_is_no_matter_of_strength() -> None:
    better = Pentanomial(dd=2, wd=3, ww=25)
    found = cross_table(3, [Meeting(0, 1, better), Meeting(1, 2, better), Meeting(2, 0, better)])
    assert [cell.expected for cell in found.cells] == pytest.approx([0.5] * 3)
    assert found.misfit is not None
    assert found.misfit.p < 1e-9


def test_equal_pairs_and_few_pairs() -> None:
    draws = Pentanomial(dd=10)
    found = cross_table(3, [Meeting(0, 1, draws), Meeting(1, 2, draws), Meeting(0, 2, draws)])
    assert [cell.residual for cell in found.cells] == [None] * 3  # and not "0.0 standard deviations"
    assert found.misfit is not None
    assert (found.misfit.chi_square, found.misfit.p) == (0, 1)
    few = Pentanomial(dd=9)
    assert cross_table(3, [Meeting(0, 1, draws), Meeting(1, 2, draws), Meeting(0, 2, few)]).misfit is None


def test_true_strengths_are_doubted_about_five_times_in_a_hundred() -> None:
    """Somewhat more often: the spread of 60 pairs is itself uncertain."""
    rng = np.random.default_rng(4)
    truth = (0, 80, -60, 150)
    doubts, trials = 0, 400
    residuals = []
    for _ in range(trials):
        meetings = []
        for first, second in itertools.combinations(range(4), 2):
            score = score_of_elo(truth[first] - truth[second])
            points = rng.choice(3, size=(60, 2), p=[0.9 - score, 0.2, score - 0.1]).sum(axis=1) / 2
            meetings.append(Meeting(first, second, Pentanomial.of(points)))
        found = cross_table(4, meetings)
        assert found.misfit is not None
        assert found.misfit.freedom == 3
        doubts += found.misfit.p < 0.05
        residuals += [cell.residual or 0.0 for cell in found.cells]
    assert 0.03 <= doubts / trials <= 0.09
    assert np.std(residuals) == pytest.approx(1, abs=0.06)
