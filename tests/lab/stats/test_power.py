"""What fixed samples can show, against simulated figures."""

from __future__ import annotations

import pytest

from bot.lab.stats.power import Pairing, pairs_needed, power_of_t, power_of_wilson, smallest_seen


@pytest.mark.parametrize(("elo", "power"), [(0, 0.05), (25, 0.24), (50, 0.59), (100, 0.98)])
def test_sixty_pairs_by_t_as_published(elo: float, power: float) -> None:
    assert power_of_t(60, Pairing(elo, 0.3)) == pytest.approx(power, abs=0.011)


@pytest.mark.parametrize(("elo", "power"), [(0, 0.01), (25, 0.08), (50, 0.31), (100, 0.92)])
def test_sixty_pairs_by_wilson_as_published(elo: float, power: float) -> None:
    assert power_of_wilson(60, Pairing(elo, 0.3)) == pytest.approx(power, abs=0.021)


@pytest.mark.parametrize(("games", "elo"), [(120, 67), (400, 36), (1000, 23), (2000, 16)])
def test_the_smallest_difference_seen_as_published(games: int, elo: float) -> None:
    assert smallest_seen(games // 2, 0.3) == pytest.approx(elo, abs=1.5)


def test_pairs_needed_is_the_least_number_that_does() -> None:
    for elo in (25, 50, 300):
        pairs = pairs_needed(Pairing(elo, 0.3))
        assert pairs is not None
        assert power_of_t(pairs, Pairing(elo, 0.3)) >= 0.8 > power_of_t(pairs - 1, Pairing(elo, 0.3))
    assert pairs_needed(Pairing(25, 0.3)) == pytest.approx(420, abs=5)
    assert pairs_needed(Pairing(0, 0.3)) is None
    assert pairs_needed(Pairing(2000, 0)) == 2


def test_two_pairs_see_only_what_is_enormous() -> None:
    assert smallest_seen(2, 0.3) == pytest.approx(570, abs=1)
    assert smallest_seen(2, 0.3, alpha=1e-12) is None


def test_the_pairs_of_two_players() -> None:
    pairing = Pairing(50, 0.3)
    assert sum(pairing.pairs) == pytest.approx(1)
    mean = sum(p * score for p, score in zip(pairing.pairs, (0, 0.25, 0.5, 0.75, 1), strict=True))
    assert mean == pytest.approx(pairing.score)
    strong = Pairing(1000, 0.9)  # too strong to draw so often
    assert min(strong.games) == 0
    assert sum(strong.games) == pytest.approx(1)
    with pytest.raises(ValueError, match="the share of draws must be from 0 to below 1, not 1"):
        Pairing(0, 1)
