"""The second lane to Lichess: every request that is no move, one at a time, paced by `pacing`.

Moves have connections of their own (`mover`) and never wait for this one.
"""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, TypeVar

from bot.errors import ConnectionTroubleError, LichessError, RateLimitedError
from bot.lichess.pacing import Do, Entry, GiveUp, Pacing, Priority, Wait
from bot.timing.clock import Clock

log = logging.getLogger(__name__)

__all__ = ["ErrandLane", "Priority", "Waiter"]

T = TypeVar("T")

#: Waits until the event is set or so many seconds (None: any number) have passed.
Waiter = Callable[[threading.Event, float | None], object]

#: An errand that could not be done for this long is reported instead of done: the world has moved on.
WORTH_S = 120.0


@dataclass(frozen=True, slots=True)
class _Job:
    label: str
    fn: Callable[[], Any]
    on_done: Callable[[Any], None]


class ErrandLane:
    """One thread that runs errands. Every errand that was submitted gets exactly one answer."""

    def __init__(
        self,
        *,
        clock: Clock,
        wait: Waiter = threading.Event.wait,
        gap_s: float = 0.5,
        limit: int = 200,
    ) -> None:
        self._clock = clock
        self._wait = wait
        self._pacing: Pacing[_Job] = Pacing(gap_s=gap_s, limit=limit)
        self._lock = threading.Lock()  # on the pacing and on `_closing`
        self._wake = threading.Event()
        self._closing = False
        self._thread = threading.Thread(target=self._run, name="errands", daemon=True)

    def start(self) -> None:
        self._thread.start()

    def submit(
        self,
        priority: Priority,
        label: str,
        fn: Callable[[], T],
        on_done: Callable[[T | LichessError], None],
        *,
        worth_s: float = WORTH_S,
    ) -> None:
        """Have `fn` run on the lane's thread, and there `on_done` with its result or its LichessError.

        A 429 is waited out and `fn` runs again, if that still helps within `worth_s` seconds from now; else
        `on_done` hears of it. After `close` the answer is a LichessError at once, on the calling thread.
        """
        job = _Job(label, fn, on_done)
        with self._lock:
            closed = self._closing
            if not closed:
                self._pacing.add(priority, job, self._clock.monotonic(), worth_s=worth_s)
        if closed:
            self._answer(job, LichessError("not sent: the lane is closed"))
        else:
            self._wake.set()

    def close(self, drain_s: float) -> bool:
        """Take nothing more, and go on for `drain_s` seconds at most with what is waiting.

        Blocks for that long and a second; True when the thread has ended. What was left undone is answered
        with a LichessError.
        """
        with self._lock:
            self._closing = True
            self._pacing.drain(self._clock.monotonic() + drain_s)
        self._wake.set()
        if self._thread.ident is not None and self._thread is not threading.current_thread():
            self._thread.join(drain_s + 1.0)
        return not self._thread.is_alive()

    def _run(self) -> None:
        while True:
            with self._lock:
                step = self._pacing.next(self._clock.monotonic())
                closing = self._closing
            match step:
                case Do(entry):
                    self._perform(entry)
                case GiveUp(entry, error):
                    log.warning("%s: %s", entry.job.label, error)
                    self._answer(entry.job, error)
                case Wait(None) if closing:
                    return
                case Wait(seconds):
                    self._wait(self._wake, seconds)
                    self._wake.clear()

    def _perform(self, entry: Entry[_Job]) -> None:
        job = entry.job
        try:
            outcome = job.fn()
        except RateLimitedError as error:
            with self._lock:
                held_s = self._pacing.rate_limited(entry, error, self._clock.monotonic())
            log.warning("%s: %s; its like wait for %.0f s", job.label, error, held_s)
            return
        except LichessError as error:
            outcome = error
        except Exception as bug:  # the thread's outermost edge: the errand must get its answer
            log.exception("%s failed in an unforeseen way", job.label)
            outcome = ConnectionTroubleError(f"{job.label}: {type(bug).__name__}: {bug}")
        with self._lock:
            self._pacing.answered(entry.priority, self._clock.monotonic())
        self._answer(job, outcome)

    def _answer(self, job: _Job, outcome: object) -> None:
        try:
            job.on_done(outcome)
        except Exception:  # the thread's outermost edge: the next errand is somebody else's
            log.exception("the answer to %s was not taken", job.label)
