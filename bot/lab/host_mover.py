"""A player of the lab in a process of its own, through the same host as online, for a referee who waits."""

from __future__ import annotations

import queue
import re
from types import TracebackType
from typing import Self

from bot.lab.records import Fault
from bot.lab.referee import Moved, Refused, Reply, Waiting
from bot.nursery import Nursery
from bot.strategies.contract import StrategySpec, Tell, TurnFacts, tell_nobody
from bot.strategies.messages import Cause, Chose, Failed, HostMessage, Ready, Thinking
from bot.strategy_host import StrategyHost
from bot.timing.clock import Clock

#: Loading may compile and read a lot; no clock runs meanwhile.
LOAD_LIMIT_S = 120.0
#: How the strategy `uci` tells that SIGKILL ended its engine.
_ENGINE_KILLED = re.compile(r"the engine .* died: .*exit code: -9\b")


class HostMover:
    """A context manager; whatever the strategy does, it ends with the block. A new one for each game, so that
    nothing is remembered from one game to the next.

    `outside`: what was perhaps not the player's own doing, once that has happened, and one line on it.
    `tell` hears the thoughts that the host passes on, while `choose` waits; not the last one of a turn.
    """

    outside: tuple[Cause, str] | None = None

    def __init__(
        self, spec: StrategySpec, nursery: Nursery, *, name: str, clock: Clock, tell: Tell = tell_nobody
    ) -> None:
        self._heard: queue.SimpleQueue[HostMessage] = queue.SimpleQueue()
        self._host = StrategyHost(spec, deliver=self._heard.put, name=name, nursery=nursery, tracebacks=False)
        self._clock = clock
        self._tell = tell
        self._ask_id = 0

    def start(self) -> None:
        """Begin to load it."""
        self._host.start()

    def fault_in_loading(self) -> str | None:
        """Wait until it is loaded; None, or one line on why it is not."""
        match self._next(LOAD_LIMIT_S):
            case Ready():
                return None
            case Failed(_, reason, _):
                return reason
            case _:
                return f"it was not loaded within {LOAD_LIMIT_S:g} s"

    def choose(self, facts: TurnFacts, deadline_ms: int) -> Reply:
        """See `referee.Mover`. Thinking that goes on at the deadline is stopped, and the process with it."""
        while (message := self._next(0)) is not None:  # what happened while the other one was thinking
            if isinstance(message, Failed):
                return Refused("crash", message.reason)
        self._ask_id += 1
        ends_at = self._clock.monotonic() + deadline_ms / 1000
        self._host.ask(self._ask_id, facts)
        while True:
            match self._next(max(0.0, ends_at - self._clock.monotonic())):
                case Chose(_, move, thought=thought):
                    return Moved(move, thought)
                case Failed(_, reason, _):
                    return Refused(fault_of(reason), reason)
                case None:
                    self._host.kill()
                    return Waiting()
                case Thinking(_, thought):
                    self._tell(thought)
                case _:  # told, but not final
                    continue

    def _next(self, limit_s: float) -> HostMessage | None:
        try:
            message = self._heard.get(timeout=limit_s) if limit_s else self._heard.get_nowait()
        except queue.Empty:
            return None
        if isinstance(message, Failed) and (cause := _cause(message)) != "own":
            self.outside = cause, message.reason
        return message

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self._host.close()


def _cause(failed: Failed) -> Cause:
    return "killed" if _ENGINE_KILLED.match(failed.reason) else failed.cause


def fault_of(reason: str) -> Fault:
    """Which fault the one line of a failed turn tells of: those of `turn_tools` begin as no other does."""
    if reason.startswith("play_move: "):
        return "illegal move"
    if reason.startswith("play_move("):
        return "two moves"
    return "no move" if reason == "the strategy returned without calling play_move" else "crash"
