"""What an owner's thread waits on: the next message, or the moment at which it wants to wake."""

from __future__ import annotations

import queue
from typing import Generic, TypeVar

from bot.timing.clock import Clock

T = TypeVar("T")


class Inbox(Generic[T]):
    """Any thread, and a signal handler, may put; the owner alone takes."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._messages: queue.SimpleQueue[T] = queue.SimpleQueue()

    def put(self, message: T) -> None:
        """Never blocks."""
        self._messages.put(message)

    def take(self, wake_at: float | None) -> T | None:
        """The next message, or None once it is `wake_at` (monotonic seconds; None: wait for ever)."""
        try:
            if wake_at is None:
                return self._messages.get()
            return self._messages.get(timeout=max(0.0, wake_at - self._clock.monotonic()))
        except queue.Empty:
            return None
