"""`go perft N`: how many lines of so many plies begin with each move. For those who test move generators."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import TYPE_CHECKING

import chess

from bot.uci.commands import CommandError
from bot.uci.lines import remark

if TYPE_CHECKING:
    from bot.engine.state import State

#: Beyond this the count would take years.
DEEPEST = 12


class Perft:
    """One count. Made and stopped by the thread that listens, run by the engine's. Raises CommandError."""

    def __init__(self, board: chess.Board, depth: int) -> None:
        if not 1 <= depth <= DEEPEST:
            raise CommandError(f"go: perft takes a depth from 1 to {DEEPEST}, not {depth}")
        self._board = board
        self._depth = depth
        self._stopped = threading.Event()
        self._over = threading.Event()
        self._state: State | None = None

    @property
    def under_way(self) -> bool:
        """Whether it was asked for, and has neither been told to stop nor come to its end."""
        return not (self._over.is_set() or self._stopped.is_set())

    def stop(self) -> None:
        """Count no more."""
        self._stopped.set()
        if (state := self._state) is not None:  # else `run` sees the event before it counts
            state["control"] = 1

    def run(self, say: Callable[[str], None]) -> None:
        """Tell the count of each move, and the sum."""
        try:
            self._count(say)
        finally:
            self._over.set()

    def _count(self, say: Callable[[str], None]) -> None:
        from bot.engine.perft import perft  # noqa: PLC0415  numba: the engine's thread only
        from bot.engine.position import load  # noqa: PLC0415
        from bot.engine.state import new_state  # noqa: PLC0415

        state, board, total = new_state(), self._board, 0
        self._state = state
        for move in sorted(board.legal_moves, key=board.uci):
            name, lines = board.uci(move), 1
            if self._depth > 1:
                board.push(move)
                load(state, board)
                board.pop()
                if not self._stopped.is_set():
                    lines = int(perft(state, self._depth - 1, 0))
            if self._stopped.is_set():
                say(remark("the count was stopped"))
                return
            say(f"{name}: {lines}")
            total += lines
        self._over.set()  # before anybody hears of it
        say("")
        say(f"Nodes searched: {total}")
