"""Back-off and open windows, in virtual time."""

from __future__ import annotations

import random

from hypothesis import given
from hypothesis import strategies as st

from bot.timing.backoff import Backoff, OpenWindow, event_stream_reconnect, game_stream_reconnect


@given(failures=st.integers(1, 10_000), seed=st.integers())
def test_every_wait_lies_between_half_and_all_of_the_capped_doubling(failures: int, seed: int) -> None:
    delay = Backoff(1.0, 60.0).delay_s(failures, random.Random(seed))
    full = 60.0 if failures > 6 else min(60.0, 2.0 ** (failures - 1))
    assert full / 2 <= delay <= full


def test_a_window_lets_so_many_through_and_then_waits_for_the_oldest() -> None:
    window = OpenWindow(limit=2, window_s=10.0)
    assert window.wait_s(0.0) == 0.0
    window.record(0.0)
    window.record(4.0)
    assert window.wait_s(5.0) == 5.0
    assert window.wait_s(10.0) == 0.0
    window.record(10.0)
    assert window.wait_s(11.0) == 3.0


LIVES_S = st.sampled_from([0.0, 0.1, 5.0, 130.0])


@given(seed=st.integers(), lives=st.lists(LIVES_S, min_size=60, max_size=60))
def test_at_most_30_event_streams_are_opened_in_10_minutes(seed: int, lives: list[float]) -> None:
    rng, reconnect, now, opens = random.Random(seed), event_stream_reconnect(), 0.0, list[float]()
    for life_s in lives:
        opens.append(now)
        reconnect.opening(now)
        if life_s:
            reconnect.opened(now)
        now += life_s
        now += reconnect.wait_after_loss_s(now, rng)
    assert all(sum(1 for at in opens if start <= at < start + 600.0) < 30 for start in opens)


def test_only_health_resets_the_back_off() -> None:
    rng, reconnect = random.Random(1), event_stream_reconnect()
    now, waits = 0.0, list[float]()
    for life_s in (1.0, 1.0, 1.0, 1.0, 200.0, 1.0):
        reconnect.opening(now)
        reconnect.opened(now)
        now += life_s
        waits.append(reconnect.wait_after_loss_s(now, rng))
        now += waits[-1]
    assert waits[3] > 4.0 - 1e-9
    assert waits[4] <= 1.0
    assert waits[5] <= 2.0


def test_a_lost_game_stream_is_back_soon_and_what_a_429_asks_for_is_waited() -> None:
    rng, reconnect = random.Random(1), game_stream_reconnect()
    reconnect.opening(0.0)
    assert reconnect.wait_after_loss_s(0.0, rng) <= 0.5
    reconnect.opening(1.0)
    assert reconnect.wait_after_loss_s(1.0, rng, asked_s=7.0) == 7.0


def test_no_game_is_left_for_as_long_as_a_429_may_ask_for() -> None:
    rng = random.Random(1)
    assert game_stream_reconnect().wait_after_loss_s(0.0, rng, asked_s=1234.0) == 60.0
    assert event_stream_reconnect().wait_after_loss_s(0.0, rng, asked_s=1234.0) == 1234.0
