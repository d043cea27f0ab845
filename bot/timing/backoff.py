"""When to try again: growing, jittered, capped waits, and a window that limits how often.

Pure values: `now` and randomness are handed in, nothing sleeps.
"""

from __future__ import annotations

import math
import random
from collections import deque
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Backoff:
    """Waits that double from `first_s` up to `cap_s`; each is drawn between half of it and all of it."""

    first_s: float
    cap_s: float

    def delay_s(self, failures: int, rng: random.Random) -> float:
        """The wait after the `failures`-th failure in a row (1, 2, 3 ...), in seconds."""
        # 2**40 times anything is past every cap; the bound keeps a long outage from overflowing a float.
        full = min(self.cap_s, self.first_s * 2.0 ** min(failures - 1, 40))
        return full * rng.uniform(0.5, 1.0)


class OpenWindow:
    """At most `limit` opens in any `window_s` seconds (a sliding window)."""

    def __init__(self, *, limit: int, window_s: float) -> None:
        self._limit = limit
        self._window_s = window_s
        self._opens: deque[float] = deque(maxlen=limit)

    def record(self, now: float) -> None:
        """An open is made at `now`."""
        self._opens.append(now)

    def wait_s(self, now: float) -> float:
        """Seconds from `now` until the next open is allowed; 0.0 when it is allowed at once."""
        if len(self._opens) < self._limit:
            return 0.0
        return max(0.0, self._opens[0] + self._window_s - now)


class Reconnect:
    """When to reopen one stream: a back-off that only minutes of health reset, inside an open window."""

    def __init__(
        self,
        backoff: Backoff,
        window: OpenWindow,
        *,
        healthy_after_s: float,
        asked_at_most_s: float = math.inf,
    ) -> None:
        """`asked_at_most_s`: what a 429 asks for counts up to so many seconds."""
        self._asked_at_most_s = asked_at_most_s
        self._backoff = backoff
        self._window = window
        self._healthy_after_s = healthy_after_s
        self._failures = 0
        self._opened_at: float | None = None

    def opening(self, now: float) -> None:
        """The stream is being opened: it counts whether or not it succeeds."""
        self._window.record(now)
        self._opened_at = None

    def opened(self, now: float) -> None:
        """The server answered; its lines are being read."""
        self._opened_at = now

    def wait_after_loss_s(self, now: float, rng: random.Random, *, asked_s: float | None = None) -> float:
        """Seconds to wait before opening again. `asked_s` is what a 429 asked for, if it did."""
        lived_s = 0.0 if self._opened_at is None else now - self._opened_at
        self._failures = 1 if lived_s >= self._healthy_after_s else self._failures + 1
        self._opened_at = None
        wait_s = max(self._backoff.delay_s(self._failures, rng), min(asked_s or 0.0, self._asked_at_most_s))
        return max(wait_s, self._window.wait_s(now))


def event_stream_reconnect() -> Reconnect:
    """Lichess allows 30 event streams in 10 minutes a token; five are kept for a restart of the process."""
    return Reconnect(Backoff(1.0, 60.0), OpenWindow(limit=25, window_s=600.0), healthy_after_s=120.0)


def game_stream_reconnect() -> Reconnect:
    """A lost game stream costs clock time: 0.5 s, 1 s, 2 s ... 10 s, and never a storm.

    Nor is a 429 obeyed that would flag the game; waiting one minute is usually enough, Lichess says.
    """
    return Reconnect(
        Backoff(0.5, 10.0), OpenWindow(limit=60, window_s=300.0), healthy_after_s=10.0, asked_at_most_s=60.0
    )
