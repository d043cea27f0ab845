"""The order and pace of errands, in virtual time."""

from __future__ import annotations

import random

from hypothesis import given
from hypothesis import strategies as st

from bot.errors import LichessError, RateLimitedError
from bot.lichess.pacing import BOT_QUOTA_KEY, Do, Entry, GiveUp, Pacing, Priority, Wait

GAME, ACCEPT, DECLINE, CHAT, LOOK_UP = Priority


def limited(seconds: float | None = None, key: str | None = None) -> RateLimitedError:
    return RateLimitedError("HTTP 429", retry_after_s=seconds, key=key)


def add(pacing: Pacing[str], *jobs: tuple[Priority, str], now: float = 0.0, worth_s: float = 1e6) -> None:
    for priority, job in jobs:
        pacing.add(priority, job, now, worth_s=worth_s)


def take(pacing: Pacing[str], now: float) -> Entry[str]:
    step = pacing.next(now)
    assert isinstance(step, Do), step
    return step.entry


def give_up(pacing: Pacing[str], now: float) -> tuple[str, LichessError]:
    step = pacing.next(now)
    assert isinstance(step, GiveUp), step
    return step.entry.job, step.error


def test_most_important_first_and_in_order_of_arrival() -> None:
    pacing: Pacing[str] = Pacing(gap_s=0.0)
    add(
        pacing,
        (LOOK_UP, "look"),
        (CHAT, "hi"),
        (DECLINE, "no"),
        (GAME, "abort"),
        (ACCEPT, "a"),
        (ACCEPT, "b"),
    )
    add(pacing, (GAME, "resign"))
    done = []
    for _ in range(7):
        done.append(take(pacing, 0.0).job)
        pacing.answered(GAME, 0.0)
    assert done == ["abort", "resign", "a", "b", "no", "hi", "look"]
    assert pacing.next(0.0) == Wait(None)


def test_a_gap_between_the_end_of_one_and_the_next() -> None:
    pacing: Pacing[str] = Pacing(gap_s=0.5)
    add(pacing, (CHAT, "a"), (CHAT, "b"))
    assert take(pacing, 10.0).job == "a"
    pacing.answered(CHAT, 12.0)
    assert pacing.next(12.0) == Wait(0.5)
    assert pacing.next(12.25) == Wait(0.25)
    assert take(pacing, 12.5).job == "b"


def test_a_429_holds_its_own_priority_and_no_other() -> None:
    pacing: Pacing[str] = Pacing(gap_s=1.0)
    add(pacing, (ACCEPT, "a"), (ACCEPT, "b"), (CHAT, "hi"), (GAME, "abort"))
    assert take(pacing, 0.0).job == "abort"
    pacing.answered(GAME, 0.0)
    assert pacing.rate_limited(take(pacing, 1.0), limited(30.0), 1.0) == 30.0
    assert take(pacing, 2.0).job == "hi"
    pacing.answered(CHAT, 2.0)
    assert pacing.next(2.0) == Wait(29.0)
    add(pacing, (GAME, "resign"), now=3.0)
    assert take(pacing, 3.0).job == "resign"
    pacing.answered(GAME, 3.0)
    assert take(pacing, 31.0).job == "a"  # in its old place


def test_without_a_time_it_is_a_minute_doubling_to_ten() -> None:
    pacing: Pacing[str] = Pacing(gap_s=0.0)
    add(pacing, (CHAT, "hi"))
    now, holds = 0.0, []
    for _ in range(6):
        holds.append(pacing.rate_limited(take(pacing, now), limited(), now))
        now += holds[-1]
    assert holds == [60.0, 120.0, 240.0, 480.0, 600.0, 600.0]
    take(pacing, now)
    pacing.answered(CHAT, now)
    add(pacing, (CHAT, "again"), now=now)
    assert pacing.rate_limited(take(pacing, now), limited(), now) == 60.0


def test_what_would_wait_longer_than_it_is_worth_is_given_up_at_once() -> None:
    pacing: Pacing[str] = Pacing(gap_s=0.0)
    add(pacing, (ACCEPT, "a"), worth_s=20.0)
    pacing.rate_limited(take(pacing, 0.0), limited(600.0, "some.key"), 0.0)
    job, error = give_up(pacing, 0.0)
    assert isinstance(error, RateLimitedError)
    assert (job, error.retry_after_s, error.key) == ("a", 600.0, "some.key")
    add(pacing, (ACCEPT, "b"), now=100.0, worth_s=20.0)
    job, error = give_up(pacing, 100.0)
    assert isinstance(error, RateLimitedError)
    assert (job, error.retry_after_s) == ("b", 500.0)
    add(pacing, (ACCEPT, "c"), now=590.0, worth_s=20.0)
    assert pacing.next(590.0) == Wait(10.0)
    assert take(pacing, 600.0).job == "c"


def test_the_quota_against_bots_does_not_hold_the_accepting_of_people() -> None:
    pacing: Pacing[str] = Pacing(gap_s=0.5)
    add(pacing, (ACCEPT, "bot"), (ACCEPT, "human"))
    assert pacing.rate_limited(take(pacing, 0.0), limited(40211.0, BOT_QUOTA_KEY), 0.0) == 0.0
    job, error = give_up(pacing, 0.0)
    assert isinstance(error, RateLimitedError)
    assert (job, error.retry_after_s) == ("bot", 40211.0)
    assert take(pacing, 0.5).job == "human"


def test_what_waited_too_long_is_given_up() -> None:
    pacing: Pacing[str] = Pacing(gap_s=50.0)
    add(pacing, (GAME, "abort"))
    add(pacing, (CHAT, "hi"), worth_s=20.0)
    take(pacing, 0.0)
    pacing.answered(GAME, 0.0)
    assert pacing.next(0.0) == Wait(20.0)
    job, error = give_up(pacing, 20.0)
    assert (job, type(error)) == ("hi", LichessError)


def test_too_many_errands_cost_the_least_important_youngest_one() -> None:
    pacing: Pacing[str] = Pacing(gap_s=0.0, limit=3)
    add(pacing, (CHAT, "old"), (CHAT, "young"), (LOOK_UP, "look"))
    add(pacing, (GAME, "abort"))
    assert give_up(pacing, 0.0)[0] == "look"
    add(pacing, (GAME, "resign"))
    job, error = give_up(pacing, 0.0)
    assert job == "young"
    assert str(error) == "not sent: more than 3 errands are waiting"
    add(pacing, (LOOK_UP, "late"))
    assert give_up(pacing, 0.0)[0] == "late"


def test_draining() -> None:
    pacing: Pacing[str] = Pacing(gap_s=1.0)
    add(pacing, (GAME, "abort"), (CHAT, "held"), (DECLINE, "no"), (LOOK_UP, "look"))
    first = take(pacing, 0.0)
    pacing.drain(2.5)
    pacing.rate_limited(first, limited(60.0), 0.0)
    assert give_up(pacing, 0.0)[0] == "abort"  # a minute is more than is left
    assert take(pacing, 1.0).job == "no"
    pacing.answered(DECLINE, 1.0)
    assert take(pacing, 2.0).job == "held"
    pacing.answered(CHAT, 2.0)
    assert pacing.next(2.0) == Wait(0.5)
    assert give_up(pacing, 2.5)[0] == "look"
    assert pacing.next(2.5) == Wait(None)


@given(st.integers(0, 2**32))
def test_every_errand_ends_exactly_once_and_the_rules_hold(seed: int) -> None:
    rng = random.Random(seed)
    pacing: Pacing[int] = Pacing(gap_s=rng.choice([0.0, 0.5, 3.0]), limit=8)
    drain_at = rng.choice([50, 100, 1500])
    now, free_at, ended = 0.0, 0.0, []
    held: dict[Priority, float] = {}
    to_come, draining = 40, False
    for number in range(2000):
        if to_come and not draining and rng.random() < 0.3:
            to_come -= 1
            pacing.add(rng.choice(list(Priority)), to_come, now, worth_s=rng.choice([0.0, 1.0, 30.0, 1000.0]))
        step = pacing.next(now)
        match step:
            case Do(entry):
                assert now >= free_at
                assert now >= held.get(entry.priority, 0.0)
                assert now < entry.expires_at
                now += rng.random()
                free_at = now + pacing.gap_s
                if rng.random() < 0.4:
                    error = limited(rng.choice([None, 0.0, 2.0, 700.0]), rng.choice([None, BOT_QUOTA_KEY]))
                    held[entry.priority] = now + pacing.rate_limited(entry, error, now)
                else:
                    pacing.answered(entry.priority, now)
                    ended.append(entry.job)
            case GiveUp(entry, _):
                ended.append(entry.job)
            case Wait(None):
                if draining or not to_come:
                    break
            case Wait(seconds):
                assert seconds is not None
                assert seconds > 0  # never a spin
                now += seconds if rng.random() < 0.7 else seconds / 2
        if not draining and number >= drain_at:
            draining = True
            pacing.drain(now + 1.0)
    assert sorted(ended) == list(range(to_come, 40))
