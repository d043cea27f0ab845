"""Time controls, and the clocks that keep them. All instants are milliseconds, handed in."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass

from bot.local_lichess.seats import Color, other

DAY_MS = 24 * 3600 * 1000
#: What both sides are shown to have left when there is no clock.
UNLIMITED_MS = 2_147_483_647
_MORE_TIME_BELOW_MS = 2 * 3600 * 1000
_LEAST_START_MS = 3_000
_FIRST_MOVE_S = {"ultraBullet": 15, "bullet": 20, "blitz": 25, "rapid": 30, "classical": 35}
_FIRST_MOVE_IN_ARENA_S = {"ultraBullet": 11, "bullet": 16, "blitz": 21, "rapid": 25, "classical": 30}


@dataclass(frozen=True, slots=True)
class Realtime:
    """Base time and Fischer increment, in seconds."""

    limit_s: int
    increment_s: int = 0

    @property
    def start_ms(self) -> int:
        """What each side begins with; a base time of 0 is raised to the increment, at least 3 s."""
        return self.limit_s * 1000 or max(_LEAST_START_MS, self.increment_s * 1000)

    @property
    def initial_ms(self) -> int:
        """The base time as a game shows it."""
        return self.limit_s * 1000

    @property
    def increment_ms(self) -> int:
        return self.increment_s * 1000


@dataclass(frozen=True, slots=True)
class FineRealtime(Realtime):
    """Kept in milliseconds, which is finer than Lichess can: 10 s and 0.1 s, say.

    Its speed is that of `limit_s` and `increment_s`, which a challenge can ask for.
    """

    fine_start_ms: int = 0
    fine_increment_ms: int = 0

    @property
    def start_ms(self) -> int:
        return self.fine_start_ms

    @property
    def initial_ms(self) -> int:
        return self.fine_start_ms

    @property
    def increment_ms(self) -> int:
        return self.fine_increment_ms


@dataclass(frozen=True, slots=True)
class Correspondence:
    """So many days for each move."""

    days: int


@dataclass(frozen=True, slots=True)
class Unlimited:
    """No clock at all."""


TimeControl = Realtime | Correspondence | Unlimited


def speed_of(time_control: TimeControl) -> str:
    """The speed's key, by the seconds 40 moves would take; without a clock it is correspondence."""
    if not isinstance(time_control, Realtime):
        return "correspondence"
    seconds = time_control.limit_s + 40 * time_control.increment_s
    for bound, speed in ((30, "ultraBullet"), (180, "bullet"), (480, "blitz"), (1500, "rapid")):
        if seconds < bound:
            return speed
    return "classical"


def first_move_ms(time_control: Realtime, *, in_arena: bool) -> int:
    """How long each first move is waited for, in games that wait for it at all."""
    return (_FIRST_MOVE_IN_ARENA_S if in_arena else _FIRST_MOVE_S)[speed_of(time_control)] * 1000


class GameClock(ABC):
    """Who has how much time left. `turn` is the side to move."""

    def __init__(self, turn: Color) -> None:
        self.turn = turn

    @abstractmethod
    def remaining_ms(self, side: Color, now_ms: int) -> int:
        """Time left, never below 0, with the running time taken off."""

    @abstractmethod
    def flag_falls_ms(self, grace_ms: int = 0) -> int | None:
        """The first instant at which the side to move is out of time; None while nothing runs."""

    @abstractmethod
    def step(self, now_ms: int, *, ply: int, active: bool) -> None:
        """A move was made: the one after `ply` plies. Not `active`: it ended the game."""

    @abstractmethod
    def take_back(self, now_ms: int) -> None:
        """One move is taken back. No time is restored, and none charged for the turn that is broken off."""

    @abstractmethod
    def give(self, side: Color, seconds: int, now_ms: int) -> bool:
        """Add time; False when that side cannot be given any."""

    @abstractmethod
    def stop(self, now_ms: int) -> None:
        """The game is over."""

    def is_flagged(self, now_ms: int, grace_ms: int = 0) -> bool:
        """The side to move is out of time."""
        falls_ms = self.flag_falls_ms(grace_ms)
        return falls_ms is not None and now_ms >= falls_ms


class RealtimeClock(GameClock):
    """Starts once both sides have made their first move, which costs nothing and earns no increment."""

    def __init__(self, control: Realtime, turn: Color) -> None:
        super().__init__(turn)
        self._increment_ms = control.increment_ms
        self._left_ms: dict[Color, int] = {"white": control.start_ms, "black": control.start_ms}
        self._since_ms: int | None = None  # when the side to move began to think; None: not running

    def remaining_ms(self, side: Color, now_ms: int) -> int:
        running_ms = 0 if side != self.turn or self._since_ms is None else now_ms - self._since_ms
        return max(0, self._left_ms[side] - running_ms)

    def flag_falls_ms(self, grace_ms: int = 0) -> int | None:
        return None if self._since_ms is None else self._since_ms + self._left_ms[self.turn] + grace_ms

    def step(self, now_ms: int, *, ply: int, active: bool) -> None:
        running = self._since_ms is not None
        self._charge(now_ms)
        if running and active:
            self._left_ms[self.turn] += self._increment_ms
        self.turn = other(self.turn)
        self._since_ms = now_ms if active and (running or ply == 1) else None

    def take_back(self, now_ms: int) -> None:
        self.turn = other(self.turn)
        if self._since_ms is not None:
            self._since_ms = now_ms

    def give(self, side: Color, seconds: int, now_ms: int) -> bool:  # noqa: ARG002  a clock that runs or not
        if self._left_ms[side] >= _MORE_TIME_BELOW_MS:
            return False
        self._left_ms[side] += seconds * 1000
        return True

    def stop(self, now_ms: int) -> None:
        self._charge(now_ms)
        self._since_ms = None

    def _charge(self, now_ms: int) -> None:
        if self._since_ms is not None:
            self._left_ms[self.turn] -= now_ms - self._since_ms


class TurnClock(GameClock):
    """The same time for every turn; it runs from the start of the game."""

    def __init__(self, control: Correspondence, turn: Color, now_ms: int) -> None:
        super().__init__(turn)
        self._turn_ms = control.days * DAY_MS
        self._since_ms = now_ms
        self._stopped_ms: int | None = None

    def remaining_ms(self, side: Color, now_ms: int) -> int:
        if side != self.turn:
            return self._turn_ms
        until_ms = now_ms if self._stopped_ms is None else self._stopped_ms
        return max(0, self._turn_ms - (until_ms - self._since_ms))

    def flag_falls_ms(self, grace_ms: int = 0) -> int | None:  # noqa: ARG002  days know no grace
        return self._since_ms + self._turn_ms if self._stopped_ms is None else None

    def step(self, now_ms: int, *, ply: int, active: bool) -> None:  # noqa: ARG002  every turn is alike
        self.turn = other(self.turn)
        self._since_ms = now_ms

    def take_back(self, now_ms: int) -> None:
        self.turn = other(self.turn)
        self._since_ms = now_ms

    def give(self, side: Color, seconds: int, now_ms: int) -> bool:  # noqa: ARG002  the turn begins anew
        if side != self.turn:
            return False
        self._since_ms = now_ms
        return True

    def stop(self, now_ms: int) -> None:
        self._stopped_ms = now_ms


class NoClock(GameClock):
    """Nobody is ever out of time."""

    def remaining_ms(self, side: Color, now_ms: int) -> int:  # noqa: ARG002  nothing runs
        return UNLIMITED_MS

    def flag_falls_ms(self, grace_ms: int = 0) -> int | None:  # noqa: ARG002  nothing runs
        return None

    def step(self, now_ms: int, *, ply: int, active: bool) -> None:  # noqa: ARG002  nothing runs
        self.turn = other(self.turn)

    def take_back(self, now_ms: int) -> None:  # noqa: ARG002  nothing runs
        self.turn = other(self.turn)

    def give(self, side: Color, seconds: int, now_ms: int) -> bool:  # noqa: ARG002  nothing to give
        return False

    def stop(self, now_ms: int) -> None:
        """Nothing runs."""


def new_clock(control: TimeControl, turn: Color, now_ms: int) -> GameClock:
    """The clock of a game that begins now with `turn` to move."""
    match control:
        case Realtime():
            return RealtimeClock(control, turn)
        case Correspondence():
            return TurnClock(control, turn, now_ms)
        case Unlimited():
            return NoClock(turn)
