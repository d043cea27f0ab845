"""A search for a player: deeper and deeper while there is time, with any number of threads and lines.

The table is kept from one search to the next. Threads share it, and nothing else (lazy SMP): what one has
found out, the others need not. Searches release the GIL.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace

import chess

from bot.engine.features import ALL
from bot.engine.found import Found, legal_line, outside
from bot.engine.network import Network
from bot.engine.position import name_of
from bot.engine.scores import MATE
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
#: Such a mate, in plies, is the shortest: every move of the root was tried, and every answer to it.
SHORTEST_MATE = 2
#: Iterations that end within this part of it are so shallow that they say little about the position.
EARLY = 0.03
NS_PER_S = 1_000_000_000


class Searcher:
    """One search after the other, in one thread; `stop` and `limit_time` may be called from any.

    `hash_mib`: of the table. `contempt`: what a draw costs the side that the search is for, in centipawns.
    `features`: see `features`; `network`: judges, instead of the hand-written evaluation. With one thread,
    the same searches of the same positions under limits of nodes or depth find the same, node for node.
    """

    def __init__(
        self,
        *,
        hash_mib: int = 16,
        threads: int = 1,
        contempt: int = 0,
        features: int = ALL,
        network: Network | None = None,
        clock: Clock | None = None,
    ) -> None:
        self.contempt = contempt
        self._features = features
        self._network = network
        self._clock = clock or SystemClock()
        self._table = new_table(hash_mib)
        self._hash_mib = hash_mib
        self._workers = [Worker(features, network) for _ in range(threads)]
        self._searches = 0
        self._lock = threading.Lock()  # guards what follows
        self._begun = False
        self._began_s = self._time_from_s = 0.0
        self._limits = Limits()

    def configure(self, *, hash_mib: int | None = None, threads: int | None = None) -> None:
        """Change the size of the table, which empties it, or the number of threads; not while searching."""
        if hash_mib is not None and hash_mib != self._hash_mib:
            self._table = self._table[:0]  # before there are two
            self._table = new_table(hash_mib)
            self._hash_mib = hash_mib
        if threads is not None:
            del self._workers[threads:]
            self._workers += [
                Worker(self._features, self._network) for _ in range(threads - len(self._workers))
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
        run = _Run(self, board, lines, among, report)
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


class _Run:
    """One search, from its first iteration to its last."""

    def __init__(
        self,
        searcher: Searcher,
        board: chess.Board,
        lines: int,
        among: tuple[chess.Move, ...],
        report: Callable[[Found], None] | None,
    ) -> None:
        legal = list(board.legal_moves)
        if not legal:
            raise ValueError(f"no legal move in {board.fen()}")
        chosen = [move for move in legal if not among or move in among]
        if not chosen:
            raise ValueError(f"none of the moves is legal in {board.fen()}")
        self._searcher = searcher
        self._board = board
        self._report = report
        self._never = [searcher.engine_move(move, board) for move in legal if move not in chosen]
        self._patience = Patience()
        unsearched = legal_line([searcher.likeliest(self._never)], board) or (chosen[0],)
        self._best = [
            Found(unsearched[0], 0, 0, 0.0, score_cp=0, line=n + 1) for n in range(min(lines, len(chosen)))
        ]
        self._scores = [0] * len(self._best)

    def deepen(self, most: int) -> Found:
        """Search until a limit is reached, or nothing can be found any more."""
        for depth in range(1, most + 1):
            before = self._best[0].move
            if not self._iteration(depth):
                break
            score = self._scores[0]
            if self._searcher.is_early():
                self._patience = Patience(score=score)
            else:
                self._patience = self._patience.iteration(score, changed=self._best[0].move != before)
            if len(self._best) == 1 and self._is_settled(MATE - abs(score), depth):
                break
            if not self._searcher.has_time(self._patience):
                break
        searcher = self._searcher
        return replace(self._best[0], nodes=searcher.nodes, elapsed_s=searcher.elapsed_s)

    def _is_settled(self, mate: int, depth: int) -> bool:
        """Whether a mate in so many plies ends the search.

        A deeper one may find a shorter mate, as moves are left out and reduced on the way to it. With a clock
        that is not worth the time; without, it is what was asked for.
        """
        return mate <= SHORTEST_MATE or (mate <= depth and self._searcher.is_timed())

    def _iteration(self, depth: int) -> bool:
        """Search so deep, each line in turn; False when it was stopped in its midst."""
        searcher = self._searcher
        left_out = list(self._never)
        for number in range(len(self._best)):
            score, line, finished = searcher.iterate(
                depth, self._scores[number], left_out, self._bound(number)
            )
            moves = legal_line(line, self._board)
            if not moves:  # stopped before any move was found to be the best
                return False
            if finished:
                self._scores[number] = score
            self._take(number, depth, moves, finished=finished)
            if not finished:
                return False
            left_out.append(line[0])
        return True

    def _take(self, number: int, depth: int, moves: tuple[chess.Move, ...], *, finished: bool) -> None:
        searcher, before = self._searcher, self._best[number]
        cp, mate_in = outside(self._scores[number])
        found = Found(
            moves[0],
            depth if finished else before.depth,
            searcher.nodes,
            searcher.elapsed_s,
            cp,
            mate_in,
            moves,
            searcher.seldepth,
            searcher.hashfull(),
            number + 1,
        )
        self._best[number] = found
        if self._report is not None and finished:
            self._report(found)

    def _bound(self, number: int) -> Callable[[int], None]:
        def note(score: int) -> None:
            if number == 0:
                self._patience = self._patience.warned(score)

        return note
