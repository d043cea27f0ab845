"""Faults on request: what goes wrong, where, how often. They happen on the real wire, through `seam.Faults`.

    script = FaultScript(Fault(Kind.ANSWER, at("move"), status=429, shape="html", times=3, after=1))
    with LocalLichess(faults=script) as server: ...

Each fault waits for its occasion: a request, or a line of a stream. One fault an occasion: the first in the
script that fits and is not used up. `Storm` has the same faults at random.
"""

from __future__ import annotations

import asyncio
from abc import ABC, abstractmethod
from collections import Counter, deque
from collections.abc import Sequence

from bot.local_lichess import spoilt_lines
from bot.local_lichess.fault import Fault, Fired, Kind, Occasion, Where, at, kinds_of, occasion_of
from bot.local_lichess.seam import Answer, Call, Controls, Cut
from bot.local_lichess.spoilt_lines import KEEP_ALIVE
from bot.local_lichess.troubled_answers import troubled

__all__ = ["Fault", "FaultScript", "FaultsAtWork", "Fired", "Kind", "Occasion", "Where", "at", "kinds_of"]

#: Streams remembered as silent, and lines held back, at most.
_MANY = 1000


class FaultsAtWork(ABC):
    """Carries faults out; which one is due is for a subclass to say. Lives on the server's thread."""

    def __init__(self) -> None:
        self.fired: list[Fired] = []  # may be read from any thread
        self._controls: Controls | None = None
        self._outage: Fault | None = None
        self._down_until = 0.0
        # Streams are compared by identity, for two opens make equal calls.
        self._silent: deque[Call] = deque(maxlen=_MANY)
        self._held: deque[tuple[Call, bytes]] = deque(maxlen=_MANY)
        self._starts: dict[str | None, deque[bytes]] = {}

    def take_controls(self, controls: Controls) -> None:
        self._controls = controls

    def counts(self) -> Counter[Kind]:
        """How often each kind has happened."""
        return Counter(fired.kind for fired in self.fired)

    @abstractmethod
    def _due(self, occasion: Occasion, call: Call, line: bytes | None) -> Fault | None:
        """The fault for this occasion; `line` is the one about to be written."""

    # --- what the server asks ---------------------------------------------------------------------------

    async def before(self, call: Call) -> Answer | Cut | None:
        if (down := self._down()) is not None:
            return down
        fault = self._take("request", call)
        if fault is None:
            return None
        match fault.kind:
            case Kind.ANSWER:
                return troubled(fault.status, fault.shape, limit_s=fault.seconds, key=fault.key)
            case Kind.HANG:
                await asyncio.sleep(fault.seconds)
                return Cut.RESET
            case Kind.DELAY:
                await asyncio.sleep(fault.seconds)
                return self._down()
            case Kind.OUTAGE | Kind.DEPLOY:
                self._go_down(fault)
        return Cut.RESET

    async def after(self, call: Call, answer: Answer) -> Answer | Cut:
        fault = self._take("effect", call)
        if fault is None:
            return answer
        match fault.kind:
            case Kind.LATE_ANSWER:
                await asyncio.sleep(fault.seconds)
                return answer
            case Kind.GARBLE_ANSWER:
                return Answer(answer.status, answer.body[: len(answer.body) // 2], answer.content_type)
        return Cut.RESET

    async def line(self, call: Call, line: bytes) -> Sequence[bytes | Cut]:
        if any(silent is call for silent in self._silent):
            return ()
        if self._down() is not None:
            return (Cut.RESET,)
        blank = not line.strip()
        fault = self._take("line", call, line)
        pieces: Sequence[bytes | Cut] = (line,) if fault is None else await self._spoil(fault, call, line)
        if spoilt_lines.event_type(line) == "gameStart":
            self._starts.setdefault(call.account_id, deque(maxlen=32)).append(line)
        if blank or (fault is not None and fault.kind is Kind.SWAP):
            return pieces
        return (*pieces, *self._let_go(call))

    # --- carrying out -----------------------------------------------------------------------------------

    def _take(self, occasion: Occasion, call: Call, line: bytes | None = None) -> Fault | None:
        fault = self._due(occasion, call, line)
        if fault is not None:
            self.fired.append(Fired(fault.kind, call))
        return fault

    async def _spoil(self, fault: Fault, call: Call, line: bytes) -> Sequence[bytes | Cut]:
        match fault.kind:
            case Kind.END:
                return (Cut.END,)
            case Kind.RESET_MID_LINE:
                return (line[: len(line) // 2], Cut.RESET)
            case Kind.SILENCE:
                self._silent.append(call)
                return ()
            case Kind.LATE_LINE:
                await asyncio.sleep(fault.seconds)
                return (line,)
            case Kind.SWALLOW:
                return ()
            case Kind.TRUNCATE:
                return (spoilt_lines.truncated(line),)
            case Kind.NOT_JSON:
                return (spoilt_lines.not_json(line),)
            case Kind.MISSING:
                return (spoilt_lines.without(line, fault.fields),)
            case Kind.NULL:
                return (spoilt_lines.with_null(line, fault.fields),)
            case Kind.UNKNOWN_EVENT:
                return (spoilt_lines.unknown_event(len(self.fired)), line)
            case Kind.DUPLICATE:
                return (line, line)
            case Kind.SWAP:
                self._held.append((call, line))
                return ()
            case Kind.REPLAY_START:
                return (line, *self._starts.get(call.account_id, ()))
            case Kind.OUTAGE | Kind.DEPLOY:
                self._go_down(fault)
        return (Cut.RESET,)

    def _let_go(self, call: Call) -> list[bytes]:
        """The lines that had to wait for the one before them."""
        late = [line for owner, line in self._held if owner is call]
        kept = [(owner, line) for owner, line in self._held if owner is not call]
        self._held = deque(kept, maxlen=_MANY)
        return late

    def _go_down(self, outage: Fault) -> None:
        controls = self._need_controls()
        self._outage = outage
        self._down_until = controls.clock.monotonic() + outage.seconds
        if outage.kind is Kind.DEPLOY:
            controls.credit_clocks()
        controls.break_connections()

    def _down(self) -> Answer | Cut | None:
        """What is said while the server is down; None while it is up."""
        outage = self._outage
        if outage is None:
            return None
        if self._need_controls().clock.monotonic() >= self._down_until:
            self._outage = None
            return None
        return Cut.RESET if outage.status == 0 else troubled(outage.status, outage.shape)

    def _need_controls(self) -> Controls:
        if self._controls is None:
            raise RuntimeError("these faults were not handed to a server")
        return self._controls


class FaultScript(FaultsAtWork):
    """Faults that were thought of beforehand, or that `add` brings at the right moment."""

    def __init__(self, *faults: Fault) -> None:
        super().__init__()
        self._waiting = [_Waiting(fault) for fault in faults]

    def add(self, *faults: Fault) -> None:
        """From any thread. Occasions are counted from now on."""
        self._waiting.extend([_Waiting(fault) for fault in faults])

    def _due(self, occasion: Occasion, call: Call, line: bytes | None) -> Fault | None:
        due = None
        for waiting in list(self._waiting):
            if waiting.fits(occasion, call, line) and waiting.is_its_turn(free=due is None):
                due = waiting.fault
        return due


class _Waiting:
    """A fault of a script, and its count of occasions."""

    def __init__(self, fault: Fault) -> None:
        self.fault = fault
        self._let_pass = 0
        self._happened = 0

    def fits(self, occasion: Occasion, call: Call, line: bytes | None) -> bool:
        fault, where = self.fault, self.fault.where
        if occasion_of(fault) != occasion:
            return False
        if where.endpoints and call.endpoint not in where.endpoints:
            return False
        if where.account is not None and call.account_id != where.account:
            return False
        if line is not None:
            event = spoilt_lines.event_type(line)
            if event != where.event and (where.event is not None or event == KEEP_ALIVE):
                return False
        if fault.game is None:
            return True
        subject = call.subject_id or (None if line is None else spoilt_lines.event_subject(line))
        return subject == fault.game

    def is_its_turn(self, *, free: bool) -> bool:
        """Count the occasion; True when the fault happens now. Not `free`: another one happens already."""
        if self._let_pass < self.fault.after:
            self._let_pass += 1
            return False
        if not free or (self.fault.times is not None and self._happened >= self.fault.times):
            return False
        self._happened += 1
        return True
