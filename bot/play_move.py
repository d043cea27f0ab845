"""The second tool: the only place from which a move is POSTed.

A move waits for nothing: not for chat, not for look-ups, not for other games, and not for the answer to the
move before, which may be late or lost though that move was played. Every request gets exactly one answer,
whatever happens.
"""

from __future__ import annotations

import logging
import queue
import threading
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Protocol

from bot.errors import ConnectionTroubleError, LichessError
from bot.game_messages import MoveAnswered, PostMove
from bot.timing.clock import Clock

log = logging.getLogger(__name__)

#: Connections of one game. When all of them wait for an answer, the next move waits for the first to come.
MOST_LINES = 4


class Mover(Protocol):
    """A connection for moves: `bot.lichess.client.Mover` is one. Raises LichessError."""

    def move(self, game_id: str, uci: str) -> None: ...

    def close(self) -> None: ...


@dataclass(eq=False)
class _Line:
    """A thread with a connection of its own."""

    wanted: queue.SimpleQueue[PostMove | None] = field(default_factory=queue.SimpleQueue)
    unanswered: int = 0  # guarded by the sender's lock
    thread: threading.Thread | None = None


class MoveSender:
    """Owns the moves lane of one game. `deliver` hears one MoveAnswered for every `send`.

    There is one warm connection, and more of them only once answers are late. `new_mover` makes one; it may
    raise LichessError.
    """

    def __init__(
        self,
        game_id: str,
        new_mover: Callable[[], Mover],
        *,
        deliver: Callable[[MoveAnswered], None],
        clock: Clock,
    ) -> None:
        self._game_id = game_id
        self._new_mover = new_mover
        self._deliver = deliver
        self._clock = clock
        self._lock = threading.Lock()
        self._lines: list[_Line] = []

    def start(self) -> None:
        with self._lock:
            self._add_line()

    def send(self, wanted: PostMove) -> None:
        """POST at once; returns before the answer.

        The caller sends nothing more in the same position until the answer came.
        """
        with self._lock:
            line = min(self._lines, key=lambda line: line.unanswered, default=None)
            if line is None or (line.unanswered and len(self._lines) < MOST_LINES):
                line = self._add_line()
            line.unanswered += 1
            line.wanted.put(wanted)

    def close(self, timeout_s: float) -> bool:
        """End the threads; True when they have ended within `timeout_s` seconds."""
        with self._lock:
            lines, self._lines = self._lines, []
        for line in lines:
            line.wanted.put(None)
        deadline = self._clock.monotonic() + timeout_s
        threads = [line.thread for line in lines if line.thread is not None]
        for thread in threads:
            thread.join(max(0.0, deadline - self._clock.monotonic()))
        return not any(thread.is_alive() for thread in threads)

    def _add_line(self) -> _Line:
        line = _Line()
        name = f"moves-{self._game_id}"
        line.thread = threading.Thread(target=self._run, args=(line,), name=name, daemon=True)
        self._lines.append(line)
        line.thread.start()
        return line

    def _run(self, line: _Line) -> None:
        mover: Mover | None = None
        while (wanted := line.wanted.get()) is not None:
            started = self._clock.monotonic()
            error: LichessError | None = None
            try:
                if mover is None:
                    mover = self._new_mover()
                mover.move(self._game_id, wanted.move)
            except LichessError as trouble:
                error = trouble
            except Exception as bug:
                log.exception("posting %s failed in an unforeseen way", wanted.move)
                error = ConnectionTroubleError(f"{type(bug).__name__}: {bug}")
            took_ms = round((self._clock.monotonic() - started) * 1000)
            with self._lock:
                line.unanswered -= 1
            self._deliver(MoveAnswered(wanted.ask_id, error, took_ms))
        if mover is not None:
            mover.close()
