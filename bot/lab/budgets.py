"""How long the players of a run may think: in words, and as a timer that a referee asks and tells. Pure.

Times are what the referee measures, the way to the player's process and back included.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal, Protocol

from bot.errors import UserError
from bot.events import RealTime, Side, Speed
from bot.strategies.contract import Clocks, TimeLimit
from bot.time_controls import speed_of
from bot.timing.budget import limits

#: A move under a budget of time per move may come so much later: a system that has other things to do, and
#: the way to the player and back, are not its fault.
MARGIN_MS = 100
#: What a player without any budget is told to aim at.
UNHURRIED_SOFT_MS = 1_000
#: What is set aside of a clock for the way to the player and back, when its time limit is worked out.
OVERHEAD_MS = 30

_CLOCK = re.compile(r"(\d+(?:\.\d+)?)\+(\d+(?:\.\d+)?)")


@dataclass(frozen=True, slots=True)
class PerMove:
    """So many milliseconds a move, and `MARGIN_MS` on top before the game is lost on time."""

    ms: int

    def __str__(self) -> str:
        return f"{self.ms} ms a move, {MARGIN_MS} ms more forgiven"


@dataclass(frozen=True, slots=True)
class OnClock:
    """A chess clock for each player, in milliseconds; measured thinking is subtracted, then the increment
    added."""

    base_ms: int
    increment_ms: int

    def __str__(self) -> str:
        return f"a clock of {self.base_ms / 1000:g}+{self.increment_ms / 1000:g} s"


@dataclass(frozen=True, slots=True)
class Unhurried:
    """No budget: whoever has no move after `stall_ms` has stalled."""

    stall_ms: int

    def __str__(self) -> str:
        return "none"


Budget = PerMove | OnClock | Unhurried


def parse_clock(text: str) -> OnClock:
    """`10+0.1`: seconds, and seconds an increment. Raises UserError."""
    match = _CLOCK.fullmatch(text)
    if match is None or not float(match[1]):
        raise UserError(f"--clock {text}: expected SECONDS+INCREMENT such as 10+0.1")
    return OnClock(round(float(match[1]) * 1000), round(float(match[2]) * 1000))


@dataclass(frozen=True, slots=True)
class Allowance:
    """For one move: what the player is told, after how much of it the referee waits no longer, and what that
    is called then."""

    told: TimeLimit
    deadline_ms: int
    fault: Literal["stall", "time loss"]


class Timer(Protocol):
    """One player's time in one game."""

    remaining_ms: int | None  # None: no clock
    increment_ms: int

    def allow(self, clocks: Clocks, side: Side, moves_played: int) -> Allowance: ...

    def spend(self, elapsed_ms: int) -> bool:
        """Take off what a move has taken; False where that was too much."""
        ...


class Stopwatch:
    """No clock; each move for itself."""

    remaining_ms: int | None = None
    increment_ms = 0

    def __init__(self, allowance: Allowance) -> None:
        self._allowance = allowance

    def allow(self, clocks: Clocks, side: Side, moves_played: int) -> Allowance:  # noqa: ARG002  each move is alike
        return self._allowance

    def spend(self, elapsed_ms: int) -> bool:
        return elapsed_ms <= self._allowance.deadline_ms


class ChessClock:
    """Runs down while the player thinks."""

    def __init__(self, budget: OnClock) -> None:
        self.remaining_ms: int | None = budget.base_ms
        self.increment_ms = budget.increment_ms
        self._left_ms = budget.base_ms
        self._speed = speed(budget)

    def allow(self, clocks: Clocks, side: Side, moves_played: int) -> Allowance:
        told = limits(clocks, side, overhead_ms=OVERHEAD_MS, moves_played=moves_played, speed=self._speed)
        return Allowance(told, self._left_ms, "time loss")

    def spend(self, elapsed_ms: int) -> bool:
        self._left_ms -= elapsed_ms
        in_time = self._left_ms >= 0
        self._left_ms = max(0, self._left_ms) + (self.increment_ms if in_time else 0)
        self.remaining_ms = self._left_ms
        return in_time


def timer(budget: Budget, *, told_apart: bool, stall_ms: int) -> Timer:
    """A fresh timer for one game.

    `told_apart`: the player knows its time per move from an option of its own, so its time limit only says
    how long nobody would wait; else the limit is all it knows.
    """
    match budget:
        case OnClock():
            return ChessClock(budget)
        case PerMove(ms):
            told = TimeLimit(ms, max(ms, stall_ms)) if told_apart else TimeLimit(ms, ms)
            return Stopwatch(Allowance(told, ms + MARGIN_MS, "time loss"))
        case Unhurried(hard_ms):
            return Stopwatch(Allowance(TimeLimit(min(UNHURRIED_SOFT_MS, hard_ms), hard_ms), hard_ms, "stall"))


def speed(budget: Budget) -> Speed:
    """What Lichess would call it; without a clock a game is "correspondence"."""
    if isinstance(budget, OnClock):
        return speed_of(RealTime(round(budget.base_ms / 1000), round(budget.increment_ms / 1000)))
    return "correspondence"
