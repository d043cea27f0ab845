"""One `go`: searched in the engine's thread, stopped and told of a ponderhit from the one that listens."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import TYPE_CHECKING

import chess

from bot.search.limits import Limits
from bot.uci.commands import Go
from bot.uci.lines import bestmove, info
from bot.uci.options import Options
from bot.uci.pacing import move_time

if TYPE_CHECKING:
    from bot.engine.found import Found
    from bot.engine.searcher import Searcher


class Search:
    """`board` with its move stack is the search's own from now on."""

    def __init__(self, go: Go, board: chess.Board, options: Options) -> None:
        self._go = go
        self._board = board
        self._options = options
        self._released = threading.Event()  # the best move may be told
        self._over = threading.Event()  # it is about to be told
        if not (go.infinite or go.ponder):
            self._released.set()
        self._lock = threading.Lock()  # guards what follows
        self._searcher: Searcher | None = None
        self._stopped = False
        self._pondering = go.ponder

    # --- in the listening thread ----------------------------------------------------------------------------

    @property
    def under_way(self) -> bool:
        """Whether it was asked for, and has neither been told to stop nor come to its end."""
        return not (self._over.is_set() or self._stopped)

    def stop(self) -> None:
        """Let the best move be told as soon as can be. Whether it has begun, or has ended long since."""
        with self._lock:
            self._stopped = True
            if self._searcher is not None:
                self._searcher.stop()
        self._released.set()

    def ponderhit(self) -> None:
        """The move that was pondered on was played: the clock of this search runs from now on."""
        with self._lock:
            if not self._pondering:
                return
            self._pondering = False
            if self._searcher is not None:
                self._searcher.limit_time(*self._time())
        if not self._go.infinite:
            self._released.set()

    # --- in the engine's thread -----------------------------------------------------------------------------

    def run(self, searcher: Searcher, say: Callable[[str], None]) -> None:
        """Search, telling each step, and tell the best move once it may be told."""
        board, go = self._board, self._go
        line: tuple[chess.Move, ...] = ()
        if any(board.legal_moves):
            line = self._searched(searcher, say)
        else:
            say("info depth 0 score " + ("mate 0" if board.is_check() else "cp 0"))
        if go.infinite or go.ponder:
            self._released.wait()
        self._over.set()
        say(bestmove(line, board))

    def answer(self, say: Callable[[str], None]) -> None:
        """Tell any move, where the search has failed: who asked for one waits for it."""
        if self._go.infinite or self._go.ponder:
            self._released.wait()
        self._over.set()
        say(bestmove(list(self._board.legal_moves)[:1], self._board))

    def _searched(self, searcher: Searcher, say: Callable[[str], None]) -> tuple[chess.Move, ...]:
        board, go = self._board, self._go

        def report(found: Found) -> None:
            say(info(found, board))
            if go.mate is not None and found.mate_in is not None and 0 < found.mate_in <= go.mate:
                searcher.stop()

        with self._lock:
            searcher.begin()
            self._searcher = searcher
            if self._stopped:
                searcher.stop()
            soft_s, hard_s = (None, None) if self._pondering or go.infinite else self._time()
        try:
            found = searcher.search(
                board,
                Limits(go.depth, go.nodes, soft_s, hard_s),
                report=report,
                lines=self._options.multipv,
                among=go.search_moves,
            )
        finally:
            with self._lock:
                self._searcher = None
        return found.pv or (found.move,)

    def _time(self) -> tuple[float | None, float | None]:
        """What to aim at and what not to exceed, in seconds from now on; None: no matter."""
        time = move_time(self._go, self._board, overhead_ms=self._options.overhead_ms)
        if time is None:
            return None, None
        return None if time.soft_ms is None else time.soft_ms / 1000, time.hard_ms / 1000
