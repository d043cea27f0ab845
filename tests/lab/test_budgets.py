"""Budgets and their timers."""

from __future__ import annotations

import pytest

from bot.errors import UserError
from bot.lab.budgets import MARGIN_MS, OnClock, PerMove, Unhurried, parse_clock, speed, timer
from bot.strategies.contract import Clocks, TimeLimit

NO_CLOCKS = Clocks()


def test_a_clock_is_seconds_and_an_increment() -> None:
    assert parse_clock("10+0.1") == OnClock(10_000, 100)
    assert parse_clock("0.5+0") == OnClock(500, 0)


@pytest.mark.parametrize("text", ["10", "0+1", "-1+0", "1+", "1:30+1", "ten+one"])
def test_anything_else_is_no_clock(text: str) -> None:
    with pytest.raises(UserError, match="expected SECONDS"):
        parse_clock(text)


def test_a_clock_runs_down_by_what_was_thought_and_gets_its_increment() -> None:
    clock = timer(OnClock(1_000, 50), told_apart=False, stall_ms=60_000)
    assert clock.spend(400)
    assert clock.remaining_ms == 650
    assert clock.spend(650)
    assert clock.remaining_ms == 50
    assert not clock.spend(51)
    assert clock.remaining_ms == 0


def test_on_a_clock_the_referee_waits_as_long_as_there_is_time_and_tells_less() -> None:
    clock = timer(OnClock(10_000, 100), told_apart=False, stall_ms=60_000)
    allowance = clock.allow(Clocks(10_000, 10_000, 100, 100), "white", 0)
    assert allowance.deadline_ms == 10_000
    assert allowance.fault == "time loss"
    assert 1 <= allowance.told.soft_ms <= allowance.told.hard_ms < 10_000


@pytest.mark.parametrize(
    ("told_apart", "told"), [(False, TimeLimit(200, 200)), (True, TimeLimit(200, 60_000))]
)
def test_a_time_per_move_has_a_stated_margin(told_apart: bool, told: TimeLimit) -> None:
    watch = timer(PerMove(200), told_apart=told_apart, stall_ms=60_000)
    allowance = watch.allow(NO_CLOCKS, "white", 0)
    assert (allowance.told, allowance.deadline_ms, allowance.fault) == (told, 200 + MARGIN_MS, "time loss")
    assert watch.spend(200 + MARGIN_MS)
    assert not watch.spend(201 + MARGIN_MS)
    assert str(MARGIN_MS) in str(PerMove(200))


def test_without_a_budget_too_long_is_a_stall() -> None:
    watch = timer(Unhurried(60_000), told_apart=False, stall_ms=60_000)
    allowance = watch.allow(NO_CLOCKS, "white", 0)
    assert (allowance.told, allowance.deadline_ms, allowance.fault) == (
        TimeLimit(1_000, 60_000),
        60_000,
        "stall",
    )
    assert not watch.spend(60_001)


def test_a_speed_is_what_lichess_calls_it() -> None:
    assert [speed(budget) for budget in (OnClock(10_000, 0), OnClock(180_000, 2_000), PerMove(5))] == [
        "ultraBullet",
        "blitz",
        "correspondence",
    ]
