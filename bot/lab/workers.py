"""Worker processes on this machine: each plays one pair at a time; a killed one costs only its pair's time.

Each worker has a process server for its players, which ends with it, and the players with that: whatever
dies, nothing is left behind. What a player has started apart from itself is ended after its pair (Linux); in
a run that is ended by force it may be left.
"""

from __future__ import annotations

import contextlib
import multiprocessing
import os
import platform
from collections import deque
from collections.abc import Generator, Sequence
from dataclasses import dataclass
from multiprocessing.connection import Connection, wait
from multiprocessing.process import BaseProcess
from typing import TYPE_CHECKING, TypeAlias

from bot.end_with_parent import end_with_parent
from bot.errors import BenchError
from bot.lab import strays
from bot.lab.pair_player import PairPlayer, PlayerChangedError, PlaySettings, preloaded
from bot.lab.records import PairRecord, PairSpec
from bot.last_words import describe_exit
from bot.nursery import Nursery
from bot.timing.clock import SystemClock

if TYPE_CHECKING:
    from typing import Any

    Link = Connection[Any, Any]
else:
    Link = Connection

#: A pair that has taken so many workers with it is not tried again.
MOST_ATTEMPTS = 3

#: Why a worker has not played a pair, and nobody will.
GivenUp: TypeAlias = BenchError | PlayerChangedError


@dataclass
class _Worker:
    process: BaseProcess
    link: Link
    busy_with: PairSpec | None = None


def play_all(
    specs: Sequence[PairSpec], settings: PlaySettings, concurrency: int, *, nursery: Nursery
) -> Generator[PairRecord, None, None]:
    """Play `specs`, `concurrency` at once, taken up in their order; yields each as it is finished.

    A worker that dies is replaced, and its pair played again. Close the iterator to end it early: that ends
    the workers at once. Raises BenchError for a pair that no worker survives, and what `PairPlayer.play`
    raises, after all that was finished by then.
    """
    crew = _Crew(settings, nursery)
    waiting = deque(specs)
    attempts: dict[str, int] = {}
    try:
        for _ in range(min(concurrency, len(specs))):
            crew.hire()
        while waiting or crew.busy:
            for worker in crew.idle:
                if waiting:
                    crew.give(worker, waiting.popleft())
            finished, lost, given_up = crew.hear()
            if given_up is not None:
                yield from finished
                raise given_up
            for spec, why in lost:
                attempts[spec.pair_id] = attempts.get(spec.pair_id, 0) + 1
                if attempts[spec.pair_id] >= MOST_ATTEMPTS:
                    raise BenchError(
                        f"pair {spec.index + 1} ({spec.first} - {spec.second}) was begun "
                        f"{MOST_ATTEMPTS} times, and each time its worker died: {why}"
                    )
                waiting.appendleft(spec)
                crew.hire()
            for worker in crew.idle:  # before whoever takes the records writes them down
                if waiting:
                    crew.give(worker, waiting.popleft())
            yield from finished
    finally:
        crew.dismiss()


class _Crew:
    """The workers; only the process that made them talks to them."""

    def __init__(self, settings: PlaySettings, nursery: Nursery) -> None:
        self._settings = settings
        self._nursery = nursery
        methods = multiprocessing.get_all_start_methods()
        self._context = multiprocessing.get_context("forkserver" if "forkserver" in methods else "spawn")
        self._workers: list[_Worker] = []

    @property
    def idle(self) -> list[_Worker]:
        return [worker for worker in self._workers if worker.busy_with is None]

    @property
    def busy(self) -> bool:
        return any(worker.busy_with is not None for worker in self._workers)

    def hire(self) -> None:
        """Start one more."""
        ours, theirs = self._context.Pipe(duplex=True)
        self._nursery.warm()
        process = self._context.Process(  # type: ignore[attr-defined]  # typeshed: on the concrete contexts
            target=work, args=(theirs, self._settings), daemon=False
        )
        try:
            process.start()
        except (OSError, EOFError) as error:  # the process server has died this moment, say
            ours.close()
            raise BenchError(
                f"no worker process can be started: {type(error).__name__}: {error}; "
                "finished pairs are in the journal, and the same command goes on"
            ) from error
        finally:
            theirs.close()
        self._workers.append(_Worker(process, ours))

    def give(self, worker: _Worker, spec: PairSpec) -> None:
        worker.busy_with = spec
        with contextlib.suppress(OSError):  # it has died, and `hear` is about to say so
            worker.link.send(spec)

    def hear(self) -> tuple[list[PairRecord], list[tuple[PairSpec, str]], GivenUp | None]:
        """Wait for news: finished pairs, those whose worker died, with the reason, and why one was given up,
        if it was."""
        finished: list[PairRecord] = []
        lost: list[tuple[PairSpec, str]] = []
        given_up: GivenUp | None = None
        ready = wait([worker.link for worker in self._workers])
        for worker in [worker for worker in self._workers if worker.link in ready]:
            try:
                answer: PairRecord | GivenUp = worker.link.recv()
            except (EOFError, OSError):
                exit_code = self._bury(worker)
                if worker.busy_with is not None:
                    lost.append((worker.busy_with, describe_exit(exit_code)))
            else:
                worker.busy_with = None
                if isinstance(answer, PairRecord):
                    finished.append(answer)
                else:
                    given_up = answer
        return finished, lost, given_up

    def dismiss(self) -> None:
        """End them at once."""
        for worker in self._workers:
            worker.process.kill()
        for worker in list(self._workers):
            self._bury(worker)

    def _bury(self, worker: _Worker) -> int:
        self._workers.remove(worker)
        worker.link.close()
        worker.process.kill()
        worker.process.join()
        exit_code = worker.process.exitcode
        worker.process.close()
        return -9 if exit_code is None else exit_code


def work(link: Link, settings: PlaySettings) -> None:
    """The whole life of a worker: plays what comes, until nothing can come any more."""
    name = f"{platform.node()}-{os.getpid()}"
    end_with_parent()  # also in the midst of a game; the process server follows, and the players with it
    nursery = Nursery(
        preload=preloaded(settings)
    )  # of its own: it must end with this process, not with the one that started it
    nursery.warm()
    player = PairPlayer(settings, nursery=nursery, clock=SystemClock(), worker=name)
    strays.adopt()
    with contextlib.suppress(EOFError, OSError):  # nobody is left to play for
        while True:
            answer = _played(player, link.recv())
            strays.end_strays(nursery.servers())
            link.send(answer)


def _played(player: PairPlayer, spec: PairSpec) -> PairRecord | GivenUp:
    try:
        return player.play(spec)
    except (BenchError, PlayerChangedError) as error:
        return error
