"""A search for a player: deeper and deeper while there is time, with any number of threads and lines.

The table is kept from one search to the next. Threads share it, and nothing else (lazy SMP): what one has
found out, the others need not. Searches release the GIL.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from types import MappingProxyType

import chess

from bot.engine.deepening import Deepening
from bot.engine.features import ALL
from bot.engine.found import Found
from bot.engine.learned import use
from bot.engine.network import Network
from bot.engine.position import name_of
from bot.engine.state import MAX_PLY
from bot.engine.table import hashfull, new_table
from bot.engine.worker import Worker
from bot.search.limits import Limits
from bot.search.patience import MOST_SHARE, Patience
from bot.timing.clock import Clock, SystemClock

#: An iteration takes about as long as all before it: after this part of the time none is begun.
LAST_START = 0.75
#: No search is deeper, in plies.
DEEPEST = MAX_PLY - 1
#: Iterations that end within this part of it are so shallow that they say little about the position.
EARLY = 0.03
NS_PER_S = 1_000_000_000


class Searcher:
    """One search after the other, in one thread; `stop` and `limit_time` may be called from any.

    `hash_mib`: of the table. `contempt`: what a draw costs the side that the search is for, in centipawns.
    `features`: see `features`; `tuned`: see `tunables`; `network`: judges, instead of the hand-written
    evaluation. With one thread, the same searches of the same positions under limits of nodes or depth find
    the same, node for node.
    """

    def __init__(
        self,
        *,
        hash_mib: int = 16,
        threads: int = 1,
        contempt: int = 0,
        features: int = ALL,
        network: Network | None = None,
        tuned: Mapping[str, int] = MappingProxyType({}),
        clock: Clock | None = None,
    ) -> None:
        self.contempt = contempt
        self._features = features
        self._network = network
        self._tuned = tuned
        self._clock = clock or SystemClock()
        self._table = new_table(hash_mib)
        self._hash_mib = hash_mib
        self._workers = [Worker(features, network, tuned) for _ in range(threads)]
        self._searches = 0
        self._lock = threading.Lock()  # guards what follows
        self._begun = False
        self._began_s = self._time_from_s = 0.0
        self._limits = Limits()

    def judge_by(self, network: Network | None) -> None:
        """Let this network judge from now on; None: the hand-written evaluation. Not while searching."""
        self._network = network
        for worker in self._workers:
            use(worker.state, network)
        self.clear()

    def configure(self, *, hash_mib: int | None = None, threads: int | None = None) -> None:
        """Change the size of the table, which empties it, or the number of threads; not while searching."""
        if hash_mib is not None and hash_mib != self._hash_mib:
            self._table = self._table[:0]  # before there are two
            self._table = new_table(hash_mib)
            self._hash_mib = hash_mib
        if threads is not None:
            del self._workers[threads:]
            self._workers += [
                Worker(self._features, self._network, self._tuned)
                for _ in range(threads - len(self._workers))
            ]

    def clear(self) -> None:
        """Forget everything, as for a new game; not while searching."""
        self._table.fill(0)
        self._searches = 0
        for worker in self._workers:
            worker.forget()

    def begin(self) -> None:
        """From now on `stop` and `limit_time` count for the next search. `search` does this itself if nobody
        did; who might stop it before it has begun must."""
        with self._lock:
            for worker in self._workers:
                worker.go_on()
            self._limits = Limits()
            self._began_s = self._time_from_s = self._clock.monotonic()
            self._begun = True

    def stop(self) -> None:
        """End the search within milliseconds; it returns the best that it has found."""
        for worker in self._workers:
            worker.stop()

    def limit_time(self, soft_s: float | None, hard_s: float | None) -> None:
        """From now on, let the search take so many seconds, as in `Limits`: the move that was pondered on has
        been played."""
        with self._lock:
            self._limits = replace(self._limits, soft_s=soft_s, hard_s=hard_s)
            self._time_from_s = self._clock.monotonic()
            self._set_deadline()

    def search(
        self,
        board: chess.Board,
        limits: Limits | None = None,
        *,
        report: Callable[[Found], None] | None = None,
        lines: int = 1,
        among: tuple[chess.Move, ...] = (),
    ) -> Found:
        """The best move on `board`, whose move stack is the game so far; the board is left as it is.

        `report` is called after each iteration, for each line. `lines`: how many of the best moves to look
        for. `among`: the moves to choose from, all if none are named. Without limits it goes on until `stop`,
        or to the greatest depth there is. Raises ValueError where there is no legal move, or for a board that
        the engine cannot play.
        """
        if not self._begun:
            self.begin()
        limits = limits or Limits()
        with self._lock:
            self._begun = False
            if self._limits == Limits():
                self._limits = limits
            else:  # time has been limited meanwhile
                self._limits = replace(limits, soft_s=self._limits.soft_s, hard_s=self._limits.hard_s)
            self._set_deadline()
        self._searches += 1
        for worker in self._workers:
            worker.begin(
                board,
                node_limit=self._limits.nodes if worker is self._workers[0] else None,
                contempt=self.contempt,
                age=self._searches,
            )
        run = Deepening(self, board, lines, among, report)
        with self._helpers():
            return run.deepen(min(self._limits.depth or DEEPEST, DEEPEST))

    # --- for the run ----------------------------------------------------------------------------------------

    @property
    def elapsed_s(self) -> float:
        """Seconds since the search began."""
        return self._clock.monotonic() - self._began_s

    @property
    def nodes(self) -> int:
        """Of all threads."""
        return sum(worker.nodes for worker in self._workers)

    def hashfull(self) -> int:
        """Entries of this search in the table, in thousandths."""
        return hashfull(self._table, self._searches)

    def iterate(
        self, depth: int, expected: int, left_out: list[int], on_bound: Callable[[int], None]
    ) -> tuple[int, list[int], bool]:
        """One iteration of the first thread: its score, its best line, and whether it was finished."""
        main = self._workers[0]
        score = main.iteration(self._table, depth, expected=expected, left_out=left_out, on_bound=on_bound)
        return score, main.best_line(), not main.stopped

    def engine_move(self, move: chess.Move, board: chess.Board) -> int:
        """The engine's own for a legal move of the position that is searched."""
        return self._workers[0].engine_move(name_of(move, board))

    def likeliest(self, left_out: list[int]) -> int:
        """The move to play where nothing could be searched, NO_MOVE for none."""
        return self._workers[0].likeliest(self._table, left_out)

    @property
    def seldepth(self) -> int:
        """The furthest ply that was looked at."""
        return int(self._workers[0].state["deepest"])

    def has_time(self, patience: Patience) -> bool:
        """Whether one more iteration should be begun."""
        with self._lock:
            soft_s = self._limits.soft_s
            used_s = self._clock.monotonic() - self._time_from_s
        return soft_s is None or used_s < LAST_START * soft_s * patience.share

    def is_timed(self) -> bool:
        """Whether time is what ends it, so that there is time to save."""
        with self._lock:
            limits = self._limits
        by_clock = limits.hard_s is not None and limits.depth is None and limits.nodes is None
        return limits.soft_s is not None or by_clock

    def is_early(self) -> bool:
        """Whether so little time is gone that a change of mind says nothing."""
        soft_s = self._limits.soft_s
        return soft_s is not None and self._clock.monotonic() - self._time_from_s < EARLY * soft_s

    def _set_deadline(self) -> None:
        """The time at which the search is stopped in its midst. The lock is held."""
        hard_s, soft_s = self._limits.hard_s, self._limits.soft_s
        if soft_s is not None:
            longest_s = MOST_SHARE * soft_s
            hard_s = longest_s if hard_s is None else min(hard_s, longest_s)
        deadline = 0 if hard_s is None else max(1, int((self._time_from_s + hard_s) * NS_PER_S))
        self._workers[0].stop_at(deadline)

    @contextmanager
    def _helpers(self) -> Iterator[None]:
        """The other threads, as long as the first one searches."""
        threads = [
            threading.Thread(
                target=worker.deepen,
                args=(self._table,),
                kwargs={"first": 1 + number % 2},
                name=f"search {number}",
            )
            for number, worker in enumerate(self._workers[1:], start=1)
        ]
        for thread in threads:
            thread.start()
        try:
            yield
        finally:
            for worker in self._workers[1:]:
                worker.stop()
            for thread in threads:
                thread.join()
