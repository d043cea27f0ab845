"""Who meets whom, from what."""

from __future__ import annotations

import random
from collections import Counter

import pytest

from bot.bench.games_schedule import schedule


@pytest.mark.parametrize("opponents", [("a",), ("a", "b"), ("a", "b", "c")])
def test_each_opponent_meets_each_of_its_openings_with_both_colours(opponents: tuple[str, ...]) -> None:
    fixtures = schedule(24, opponents, random.Random(1))
    assert [fixture.number for fixture in fixtures] == list(range(1, 25))
    assert [fixture.opponent for fixture in fixtures[: len(opponents)]] == list(opponents)
    sides: dict[tuple[str, str], list[str]] = {}
    for fixture in fixtures:
        sides.setdefault((fixture.opening, fixture.opponent), []).append(fixture.bots_side)
    assert len(sides) == 12
    assert all(each == ["white", "black"] for each in sides.values())
    assert len({opening for opening, _ in sides}) == 12, "no two opponents have one opening"


def test_any_number_of_games_can_be_had_and_a_seed_repeats_them() -> None:
    for games in (1, 2, 3, 5, 7):
        fixtures = schedule(games, ("a", "b"), random.Random(3))
        assert len(fixtures) == games
        assert fixtures == schedule(games, ("a", "b"), random.Random(3))
        counts = Counter(fixture.opponent for fixture in fixtures)
        assert counts["a"] - counts["b"] in (0, 1)
    assert schedule(4, ("a",), random.Random(3)) != schedule(4, ("a",), random.Random(4))
