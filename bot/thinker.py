"""A strategy in a process of its own, for a caller who waits for its move: `move` and `check`."""

from __future__ import annotations

import queue
from types import TracebackType
from typing import Self

from bot.errors import StrategyError, StrategyNameError
from bot.nursery import Nursery
from bot.strategies.contract import StrategySpec, TurnFacts
from bot.strategies.messages import Chose, Committed, Failed, HostMessage, Ready, Thinking
from bot.strategy_host import StrategyHost

#: Loading may compile and read a lot; nobody's clock runs meanwhile.
LOAD_LIMIT_S = 60.0


class Thinker:
    """A context manager; one turn at a time. Whatever the strategy does, it ends with the block."""

    def __init__(self, spec: StrategySpec, nursery: Nursery) -> None:
        self._heard: queue.SimpleQueue[HostMessage] = queue.SimpleQueue()
        self._host = StrategyHost(
            spec, deliver=self._heard.put, name=spec.name, nursery=nursery, tracebacks=False
        )
        self._name = spec.name
        self._ask_id = 0

    def load(self) -> int:
        """Start it; returns how long its loading took, in milliseconds.

        Raises StrategyNameError when it cannot be loaded.
        """
        self._host.start()
        match self._next(LOAD_LIMIT_S):
            case Ready(_, load_ms):
                return load_ms
            case Failed(_, reason, _):
                raise StrategyNameError(reason)
            case _:
                self._host.kill()
                raise StrategyNameError(f"{self._name} was not loaded within {LOAD_LIMIT_S:.0f} s")

    def play(self, facts: TurnFacts) -> Chose:
        """The move of a turn. Raises StrategyError when there is none within the turn's hard limit."""
        self._ask_id += 1
        self._host.ask(self._ask_id, facts)
        limit_s = facts.limit.hard_ms / 1000
        while True:
            match self._next(limit_s):
                case Chose() as chose:
                    return chose
                case Failed(_, reason, _):
                    raise StrategyError(reason)
                case Ready() | Committed() | Thinking():
                    continue
                case None:
                    self._host.kill()
                    raise StrategyError(f"{self._name} had no move after {limit_s:.0f} s and was stopped")

    def _next(self, limit_s: float) -> HostMessage | None:
        try:
            return self._heard.get(timeout=limit_s)
        except queue.Empty:
            return None

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self._host.close()
