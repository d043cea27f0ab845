"""Strengths, against published values and against their own definition."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from scipy import special

from bot.lab.stats.bradley_terry import Floats, Meeting, fit, point_table, scored_on
from bot.lab.stats.counts import Pentanomial, Wdl
from bot.lab.stats.davidson import davidson
from bot.lab.stats.elo import PER_LOG_ODD

#: Four players, all against all, 60 games a pairing.
ROUND_ROBIN = {
    (0, 1): Wdl(30, 15, 15),
    (0, 2): Wdl(40, 10, 10),
    (0, 3): Wdl(48, 6, 6),
    (1, 2): Wdl(28, 14, 18),
    (1, 3): Wdl(39, 9, 12),
    (2, 3): Wdl(33, 12, 15),
}


def points_of(players: int, games: dict[tuple[int, int], Wdl]) -> Floats:
    points = np.zeros((players, players))
    for (first, second), found in games.items():
        points[first, second], points[second, first] = found.points, found.swapped.points
    return points


def elos(points: Floats) -> list[float]:
    strengths = fit(points, scored_on(points))
    return [float(strength - strengths[0]) * PER_LOG_ODD for strength in strengths]


def test_a_round_robin_as_published() -> None:
    found = elos(points_of(4, ROUND_ROBIN))
    assert found == pytest.approx([0, -108.2749, -177.7615, -286.0364], abs=6e-5)


def test_two_players_as_published() -> None:
    assert elos(points_of(2, {(0, 1): Wdl(60, 40, 20)})) == pytest.approx([0, -120.4120], abs=6e-5)


def test_davidson_as_published() -> None:
    two = davidson(2, [(0, 1, Wdl(60, 40, 20))], anchor=1)
    assert two is not None
    assert two.elo[0] == pytest.approx(190.8485, abs=6e-5)
    assert two.nu == pytest.approx(1.154701, abs=6e-7)
    four = davidson(4, [(*players, games) for players, games in ROUND_ROBIN.items()], anchor=0)
    assert four is not None
    assert four.elo == pytest.approx([0, -138.947, -227.781, -366.728], abs=6e-4)
    assert four.nu == pytest.approx(0.532700, abs=6e-7)


@pytest.mark.parametrize("games", [Wdl(10, 10, 0), Wdl(0, 10, 0), Wdl(5, 0, 4), Wdl(10, 0, 0), Wdl()])
def test_davidson_without_finite_parameters(games: Wdl) -> None:
    assert davidson(2, [(0, 1, games)], anchor=0) is None


@pytest.mark.parametrize("seed", range(5))
def test_everyone_is_expected_to_score_what_it_scored(seed: int) -> None:
    rng = np.random.default_rng(seed)
    points = rng.integers(0, 400, size=(7, 7)) / 2.0
    np.fill_diagonal(points, 0)
    points[3] /= 200  # far weaker than the others
    strengths = fit(points, scored_on(points))
    expected = (points + points.T) * special.expit(strengths[:, None] - strengths[None, :])
    np.fill_diagonal(expected, 0)
    assert expected.sum(axis=1) == pytest.approx(points.sum(axis=1), rel=1e-8)


def test_full_steps_would_overshoot_here() -> None:
    """Groups that are almost apart: Newton's method alone leaves for infinity."""
    points = np.array(
        [
            [0, 0, 0.5, 0, 0],
            [0.5, 0, 0, 0.5, 0.5],
            [0, 2859, 0, 0, 0.5],
            [0, 4073, 14247, 0, 0.5],
            [13202, 0, 0, 6803, 0],
        ]
    )
    strengths = fit(points, scored_on(points))
    expected = (points + points.T) * special.expit(strengths[:, None] - strengths[None, :])
    assert expected.sum(axis=1) == pytest.approx(points.sum(axis=1), rel=1e-6)


def test_many_tables_at_once_are_each_on_its_own() -> None:
    tables = np.random.default_rng(1).integers(1, 30, size=(50, 4, 4)).astype(float)
    tables[:, range(4), range(4)] = 0
    together = fit(tables, scored_on(tables))
    alone = [fit(table, scored_on(table)) for table in tables]
    assert together == pytest.approx(np.array(alone), abs=1e-9)


def test_one_half_point_in_ten_thousand_games_is_enough() -> None:
    points = np.array([[0, 9_999.5], [0.5, 0]])
    assert elos(points)[1] == pytest.approx(-400 * np.log10(9_999.5 / 0.5), abs=1e-6)


def test_a_group_is_rated_by_games_within_it() -> None:
    """0 and 1 are mutual; 2 lost everything to them, which says nothing of those two."""
    points = points_of(3, {(0, 1): Wdl(6, 2, 2), (0, 2): Wdl(10, 0, 0), (1, 2): Wdl(4, 0, 0)})
    linked = scored_on(points)
    assert linked.tolist() == [[True, True, True], [True, True, True], [False, False, True]]
    strengths = fit(points, linked)
    assert (strengths[0] - strengths[1]) * PER_LOG_ODD == pytest.approx(elos(points[:2, :2])[1] * -1)


def test_chains_of_scoring() -> None:
    points = np.zeros((4, 4))
    points[0, 1] = points[1, 2] = points[2, 0] = 1  # in a circle: all of them mutual
    linked = scored_on(points)
    assert linked[:3, :3].all()
    assert not linked[3, :3].any()
    assert not linked[:3, 3].any()


def test_the_table_adds_up_what_two_players_did_whichever_was_first() -> None:
    points = point_table(2, [Meeting(0, 1, Pentanomial(1, 0, 2, 0, 3)), Meeting(1, 0, Pentanomial(ww=1))])
    assert points.tolist() == [[0, 8], [6, 0]]


def test_against_another_implementation() -> None:
    """The minorisation of Hunter (2004), slow and simple."""
    points = points_of(4, ROUND_ROBIN)
    worth = np.ones(4)
    for _ in range(5_000):
        below = np.zeros(4)
        for i, j in itertools.permutations(range(4), 2):
            below[i] += (points[i, j] + points[j, i]) / (worth[i] + worth[j])
        worth = points.sum(axis=1) / below
    assert elos(points) == pytest.approx(np.log(worth / worth[0]) * PER_LOG_ODD, abs=1e-6)
