"""The second tool: the only place from which a move is POSTed.

One thread and one warm connection a game. A move waits for nothing: not for chat, not for look-ups, not for
other games. Every request gets exactly one answer, whatever happens.
"""

from __future__ import annotations

import logging
import queue
import threading
from collections.abc import Callable
from typing import Protocol

from bot.errors import ConnectionTroubleError, LichessError
from bot.game_messages import MoveAnswered, PostMove
from bot.timing.clock import Clock

log = logging.getLogger(__name__)


class Mover(Protocol):
    """A connection for moves: `bot.lichess.client.Mover` is one. Raises LichessError."""

    def move(self, game_id: str, uci: str) -> None: ...

    def close(self) -> None: ...


class MoveSender:
    """Owns the moves lane of one game. `deliver` hears one MoveAnswered for every `send`."""

    def __init__(
        self, game_id: str, mover: Mover, *, deliver: Callable[[MoveAnswered], None], clock: Clock
    ) -> None:
        self._game_id = game_id
        self._mover = mover
        self._deliver = deliver
        self._clock = clock
        self._wanted: queue.SimpleQueue[PostMove | None] = queue.SimpleQueue()
        self._thread = threading.Thread(target=self._run, name=f"moves-{game_id}", daemon=True)

    def start(self) -> None:
        self._thread.start()

    def send(self, wanted: PostMove) -> None:
        """POST at once; returns before the answer. The caller sends nothing more until it came."""
        self._wanted.put(wanted)

    def close(self, timeout_s: float) -> bool:
        """End the thread; True when it has ended within `timeout_s` seconds."""
        self._wanted.put(None)
        if self._thread.ident is not None:
            self._thread.join(timeout_s)
        return not self._thread.is_alive()

    def _run(self) -> None:
        while (wanted := self._wanted.get()) is not None:
            started = self._clock.monotonic()
            error: LichessError | None = None
            try:
                self._mover.move(self._game_id, wanted.move)
            except LichessError as trouble:
                error = trouble
            except Exception as bug:
                log.exception("posting %s failed in an unforeseen way", wanted.move)
                error = ConnectionTroubleError(f"{type(bug).__name__}: {bug}")
            took_ms = round((self._clock.monotonic() - started) * 1000)
            self._deliver(MoveAnswered(wanted.ask_id, error, took_ms))
        self._mover.close()
