"""Credits in a period that begins with the first use."""

from __future__ import annotations

from bot.local_lichess.limits import Limiter


def test_credits_come_back_when_the_period_is_over() -> None:
    limiter = Limiter("three.a.minute", 3, 60_000)
    assert [limiter.charge("me", 1, now) for now in (0, 10_000, 20_000)] == [None, None, None]
    assert limiter.charge("me", 1, 30_000) == 30
    assert limiter.charge("me", 1, 59_999) == 1
    assert limiter.charge("me", 1, 60_000) is None


def test_each_key_has_its_own_credits() -> None:
    limiter = Limiter("one", 1, 1000)
    assert limiter.charge("a", 1, 0) is None
    assert limiter.charge("b", 1, 0) is None
    assert limiter.charge("a", 1, 0) == 1


def test_a_refused_charge_costs_nothing() -> None:
    limiter = Limiter("ten", 10, 1000)
    assert limiter.charge("me", 8, 0) is None
    assert limiter.charge("me", 5, 0) == 1
    assert limiter.charge("me", 2, 0) is None


def test_asking_costs_nothing_and_free_is_always_allowed() -> None:
    limiter = Limiter("one", 1, 1000)
    assert [limiter.wait_s("me", 1, 0) for _ in range(3)] == [None, None, None]
    assert limiter.charge("me", 1, 0) is None
    assert limiter.charge("me", 0, 0) is None
    assert limiter.wait_s("me", 1, 500) == 1
