from __future__ import annotations

import pytest

from bot.lab import foresight
from bot.lab.budgets import OnClock, PerMove, Unhurried
from bot.lab.pair_player import PlaySettings
from bot.lab.player import PlayerSpec
from bot.lab.registration import FixedTest, SprtTest
from bot.lab.stats.sprt import Sprt


def settings(budget: PerMove | OnClock | Unhurried, *players: str) -> PlaySettings:
    specs = tuple(PlayerSpec.parse(player).under(budget) for player in players)
    return PlaySettings(specs, budget, 60_000, 400, agreed_scores=False, tablebase=None)


def test_a_fixed_sample_says_what_it_sees() -> None:
    """Simulated elsewhere: 60 pairs with 30 % draws see 25 Elo in 24, 50 in 59, 100 in 98 of 100 samples."""
    first, second, third = foresight.prospects(FixedTest(60), 0.3)

    assert "23% of the time at +25 Elo, 59% of the time at +50 Elo, 99% of the time at +100 Elo" in first
    assert "a difference of 6" in second
    assert third.startswith("To see 25 Elo as often would take 4")


def test_a_sequential_test_says_how_long_it_takes() -> None:
    lines = foresight.prospects(SprtTest(Sprt(0.0, 50.0), 400), 0.3)

    assert [line.split(":")[0] for line in lines[1:]] == ["at +0 Elo", "at +25 Elo", "at +50 Elo"]
    assert "accepted 5%" in lines[1]
    assert "accepted 96%" in lines[3]


def test_openings_that_come_again_are_warned_of() -> None:
    assert foresight.repeats(FixedTest(60), 60) == ()
    assert "40 openings for 60 pairs" in foresight.repeats(FixedTest(60), 40)[0]


def test_time_budgets_say_how_long_a_pair_takes() -> None:
    assert foresight.pair_ms_by_budget(settings(PerMove(100), "greedy", "random")) == 20_000
    assert foresight.pair_ms_by_budget(settings(OnClock(10_000, 100), "greedy", "random")) == 60_000
    assert foresight.pair_ms_by_budget(settings(Unhurried(60_000), "greedy", "random")) is None
    assert foresight.pair_ms_by_budget(settings(PerMove(100), "classical:nodes=100", "random")) is None


def test_the_time_a_run_takes() -> None:
    assert foresight.eta(FixedTest(60), 0.3, 2000, 2) == "At 2.0 s a pair, 2 at once: 60 s."


@pytest.mark.parametrize(
    ("elo", "said"), [(67.0, "pairs would show it"), (0.0, "hardly"), (1e-4, "no number of pairs")]
)
def test_what_it_would_take_to_decide(elo: float, said: str) -> None:
    assert said in foresight.to_decide(FixedTest(60), elo, 0.3)
