"""Who plays whom, from where."""

from __future__ import annotations

from collections import Counter

import pytest

from bot.errors import UserError
from bot.lab.openings import all_openings
from bot.lab.records import Mode
from bot.lab.schedule import pairings, schedule

FIVE = all_openings()[:5]


def test_more_pairs_than_can_be_played_are_refused_at_once() -> None:
    for pairs in (10**12, 400_000):
        with pytest.raises(UserError, match="at most 1,000,000 can be played in one run"):
            schedule(("a", "b", "c"), "round-robin", pairs, all_openings(), 1)
    with pytest.raises(UserError, match="--seed is"):
        schedule(("a", "b"), "match", 1, all_openings(), 10**30)


def test_in_a_round_robin_everybody_meets_everybody_once_a_round() -> None:
    specs = schedule(("a", "b", "c", "d"), "round-robin", 3, FIVE, 1)
    assert len(specs) == 18
    met = [(spec.first, spec.second) for spec in specs]
    assert met[:6] == met[6:12] == met[12:]
    assert set(Counter(met).values()) == {3}
    assert Counter(name for pair in met for name in pair) == dict.fromkeys("abcd", 9)


def test_in_a_gauntlet_the_first_meets_all_others() -> None:
    specs = schedule(("a", "b", "c"), "gauntlet", 2, FIVE, 1)
    assert [(spec.first, spec.second) for spec in specs] == [("a", "b"), ("a", "c")] * 2


def test_in_a_round_all_pairings_play_the_same_opening() -> None:
    specs = schedule(("a", "b", "c"), "round-robin", 5, FIVE, 1)
    rounds = [{spec.opening for spec in specs[at : at + 3]} for at in range(0, 15, 3)]
    assert all(len(openings) == 1 for openings in rounds)
    assert set().union(*rounds) == set(FIVE)


def test_openings_come_again_only_when_all_have_come() -> None:
    specs = schedule(("a", "b"), "match", 12, FIVE, 1)
    assert sorted(Counter(spec.opening for spec in specs).values()) == [2, 2, 2, 3, 3]


def test_indices_are_places_and_ids_and_seeds_are_distinct() -> None:
    specs = schedule(("a", "b", "c"), "round-robin", 40, all_openings(), 1)
    assert [spec.index for spec in specs] == list(range(120))
    assert len({spec.pair_id for spec in specs}) == len({spec.seed for spec in specs}) == 120


def test_the_seed_decides() -> None:
    def of(seed: int) -> object:
        return schedule(("a", "b"), "match", 8, all_openings(), seed)

    assert of(1) == of(1)
    assert of(1) != of(2)


def test_a_longer_run_begins_as_a_shorter_one() -> None:
    short = schedule(("a", "b"), "match", 3, FIVE, 1)
    assert schedule(("a", "b"), "match", 5, FIVE, 1)[:3] == short


@pytest.mark.parametrize(
    ("players", "mode", "told"),
    [
        (("a",), "match", "needs two players, found a"),
        ((), "round-robin", "found none"),
        (("a", "b", "c"), "match", "between two players, found 3: a, b, c"),
        (("a", "b", "a"), "gauntlet", "a plays twice"),
    ],
)
def test_who_cannot_play_is_told(players: tuple[str, ...], mode: Mode, told: str) -> None:
    with pytest.raises(UserError, match=told):
        pairings(players, mode)


def test_no_pairs_are_no_run() -> None:
    with pytest.raises(UserError, match="--pairs is 0"):
        schedule(("a", "b"), "match", 0, FIVE, 1)
