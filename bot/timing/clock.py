"""The clock that is handed in: real in the service, virtual in tests."""

from __future__ import annotations

import time
from typing import Protocol


class Clock(Protocol):
    """Tells the time; nothing else in the project may."""

    def monotonic(self) -> float:
        """Seconds since an arbitrary start; never goes back. For durations and deadlines."""

    def wall(self) -> float:
        """Seconds since the Unix epoch. For time stamps only."""


class SystemClock:
    """The machine's own clock. Made in `app` and nowhere else."""

    def monotonic(self) -> float:
        return time.monotonic()

    def wall(self) -> float:
        return time.time()


class VirtualClock:
    """A clock that moves only when told to."""

    def __init__(self, *, start: float = 0.0, wall: float = 1_750_000_000.0) -> None:
        self._now = start
        self._wall_offset = wall - start

    def monotonic(self) -> float:
        return self._now

    def wall(self) -> float:
        return self._now + self._wall_offset

    def advance(self, seconds: float) -> None:
        """Move on by `seconds` (>= 0)."""
        if seconds < 0:
            raise ValueError(f"a clock does not go back: {seconds}")
        self._now += seconds
