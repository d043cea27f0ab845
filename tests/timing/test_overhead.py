"""Learning what a move costs, from made-up round trips."""

from __future__ import annotations

import random

from hypothesis import given
from hypothesis import strategies as st

from bot.timing.overhead import LEAST_MS, Overhead


def learned(samples: list[int], guess_ms: int = 250) -> Overhead:
    overhead = Overhead(guess_ms)
    for sample in samples:
        overhead = overhead.observe(sample)
    return overhead


def test_the_guess_holds_until_something_is_known() -> None:
    assert Overhead(250).ms == 250
    assert learned([100]).ms == 100 + 4 * 50


def test_a_steady_road_costs_its_round_trip_and_little_more() -> None:
    assert 80 <= learned([80] * 30).ms <= 85
    assert learned([0] * 30).ms == LEAST_MS


def test_jitter_is_seldom_exceeded() -> None:
    rng = random.Random(1)
    overhead, exceeded = Overhead(250), 0
    for _ in range(500):
        took_ms = round(rng.gauss(100, 30))
        exceeded += took_ms > overhead.ms
        overhead = overhead.observe(took_ms)
    assert exceeded <= 10
    assert overhead.ms < 300


def test_the_usual_cost_is_the_mean_however_much_it_jitters() -> None:
    rng = random.Random(2)
    costs = [rng.randrange(3000) for _ in range(300)]
    assert Overhead(250).usual_ms == 250
    assert learned(costs[:1]).usual_ms == max(LEAST_MS, costs[0])
    for answers in (30, 100, 200, 300):
        overhead = learned(costs[:answers])
        assert 1000 < overhead.usual_ms < 2000
        assert overhead.ms > 3000
    assert learned([0] * 30).usual_ms == LEAST_MS
    assert learned([60] * 100 + [400] * 60).usual_ms > 300  # a road that got worse, for good


def test_a_road_that_got_worse_is_noticed_within_a_few_moves() -> None:
    assert learned([50] * 30 + [400] * 3).ms >= 400


@given(st.lists(st.integers(0, 60_000), max_size=50))
def test_it_is_never_below_the_least_nor_beyond_all_reason(samples: list[int]) -> None:
    assert LEAST_MS <= learned(samples).ms <= 250 + 5 * max(samples, default=0)
