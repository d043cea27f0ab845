"""The watchdog's question, in virtual time."""

from __future__ import annotations

from bot.account_messages import SessionEnded, Tick
from bot.events import KeepAlive
from bot.progress import LATE_S, SILENCE_S, Progress
from bot.stream_reader import StreamLost


def test_keep_alives_are_progress_and_silence_is_not() -> None:
    progress = Progress(0.0)
    progress.heard(KeepAlive(), 50.0)
    assert progress.is_made(50.0 + SILENCE_S, [])
    assert not progress.is_made(50.1 + SILENCE_S, [])


def test_a_deaf_service_is_not_kept_alive_by_what_it_says_to_itself() -> None:
    progress = Progress(0.0)
    for now in range(100):
        progress.heard(Tick(), float(now))
        progress.heard(SessionEnded("g1", "mate"), float(now))
    assert not progress.is_made(100.0, [])


def test_an_outage_is_no_reason_to_restart() -> None:
    progress = Progress(0.0)
    progress.heard(StreamLost("connection refused", 600.0), 10.0)
    assert progress.is_made(600.0, [])
    assert not progress.is_made(611.0 + SILENCE_S, [])


def test_a_game_past_its_own_deadline_is_stuck() -> None:
    progress = Progress(0.0)
    assert progress.is_made(40.0, [None, 40.0 - LATE_S])
    assert not progress.is_made(40.1, [None, 40.0 - LATE_S])
