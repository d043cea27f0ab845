"""In which order, and how fast, errands go to Lichess. Pure: `now` is handed in, in monotonic seconds.

The most important waiting errand goes first, one at a time, with a gap between two. After a 429 the errands
of that priority are held back for as long as Lichess asked; the others go on.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from enum import IntEnum
from typing import Generic, TypeVar

from bot.errors import LichessError, RateLimitedError

J = TypeVar("J")

#: What a 429 that names no time costs: 60 s, doubling while they go on, 600 s at most.
FIRST_HOLD_S, LONGEST_HOLD_S = 60.0, 600.0
#: The daily quota of games against other bots. It is about that one opponent: others may still be accepted.
BOT_QUOTA_KEY = "bot.vsBot.day"


class Priority(IntEnum):
    """What an errand is about, most important first."""

    GAME = 0  # resign, abort, draw, takeback, claims
    ACCEPT = 1
    LOOK_UP = 2  # few, and they find what got lost: a flood of challenges must not hold them up
    DECLINE = 3
    CHAT = 4


@dataclass(frozen=True, slots=True)
class Entry(Generic[J]):
    """One errand in the queue. After `expires_at` it is not worth doing any more."""

    priority: Priority
    job: J
    expires_at: float
    number: int  # in order of arrival


@dataclass(frozen=True, slots=True)
class Do(Generic[J]):
    """Do it now, then call `answered` or `rate_limited`."""

    entry: Entry[J]


@dataclass(frozen=True, slots=True)
class GiveUp(Generic[J]):
    """It will not be done."""

    entry: Entry[J]
    error: LichessError


@dataclass(frozen=True, slots=True)
class Wait:
    """Nothing to do for so many seconds, or (None) until an errand is added."""

    seconds: float | None


@dataclass(slots=True)
class Pacing(Generic[J]):
    """The queue. At most `limit` errands wait; beyond that the least important, youngest one is given up."""

    gap_s: float = 0.5
    limit: int = 200
    _waiting: list[Entry[J]] = field(default_factory=list)
    _given_up: list[GiveUp[J]] = field(default_factory=list)
    _added: int = 0
    _next_at: float = float("-inf")
    _until: float = float("inf")
    _held_until: dict[Priority, float] = field(default_factory=dict)
    _held_for: dict[Priority, RateLimitedError] = field(default_factory=dict)
    _strikes: dict[Priority, int] = field(default_factory=dict)  # 429s in a row

    def add(self, priority: Priority, job: J, now: float, *, worth_s: float) -> None:
        """`worth_s`: for how many seconds from `now` the errand is worth doing."""
        self._added += 1
        self._waiting.append(Entry(priority, job, now + worth_s, self._added))
        if len(self._waiting) > self.limit:
            least = max(self._waiting, key=_order)
            self._drop(least, LichessError(f"not sent: more than {self.limit} errands are waiting"))

    def next(self, now: float) -> Do[J] | GiveUp[J] | Wait:
        """What to do at `now`. A Do or GiveUp has left the queue."""
        self._drop_hopeless(now)
        if self._given_up:
            return self._given_up.pop(0)
        if not self._waiting:
            return Wait(None)
        ready = [entry for entry in self._waiting if self._held(entry.priority, now) == 0]
        if ready and now >= self._next_at:
            first = min(ready, key=_order)
            self._waiting.remove(first)
            return Do(first)
        # Something changes when the gap is over, when a hold ends, or when an errand expires.
        changes = self._next_at if ready else min(self._held_until[entry.priority] for entry in self._waiting)
        return Wait(max(0.0, min(changes, *(entry.expires_at for entry in self._waiting)) - now))

    def answered(self, priority: Priority, now: float) -> None:
        """An errand of this priority was done, or failed for good."""
        self._next_at = now + self.gap_s
        self._strikes.pop(priority, None)

    def rate_limited(self, entry: Entry[J], error: RateLimitedError, now: float) -> float:
        """The errand met a 429 and goes back to its place; returns how many seconds its like are held."""
        self._next_at = now + self.gap_s
        if error.key == BOT_QUOTA_KEY:
            self._given_up.append(GiveUp(entry, error))
            return 0.0
        strikes = self._strikes.get(entry.priority, 0)
        self._strikes[entry.priority] = strikes + 1
        hold_s = error.retry_after_s
        if hold_s is None:
            hold_s = min(LONGEST_HOLD_S, FIRST_HOLD_S * 2.0 ** min(strikes, 10))
        self._held_until[entry.priority] = now + hold_s
        self._held_for[entry.priority] = error
        self._waiting.append(replace(entry, expires_at=min(entry.expires_at, self._until)))
        return hold_s

    def drain(self, until: float) -> None:
        """What has not been done by `until` is given up then; what cannot be done by then, at once.

        Nothing is added any more.
        """
        self._until = until
        self._waiting = [replace(e, expires_at=min(e.expires_at, until)) for e in self._waiting]

    def _drop_hopeless(self, now: float) -> None:
        for entry in list(self._waiting):
            held_s = self._held(entry.priority, now)
            if now + held_s < entry.expires_at:
                continue
            if held_s:
                error = self._held_for[entry.priority]
                self._drop(entry, RateLimitedError(str(error), retry_after_s=held_s, key=error.key))
            else:
                self._drop(entry, LichessError("not sent: it has waited for as long as it was worth"))

    def _drop(self, entry: Entry[J], error: LichessError) -> None:
        self._waiting.remove(entry)
        self._given_up.append(GiveUp(entry, error))

    def _held(self, priority: Priority, now: float) -> float:
        return max(0.0, self._held_until.get(priority, now) - now)


def _order(entry: Entry[J]) -> tuple[Priority, int]:
    return entry.priority, entry.number
