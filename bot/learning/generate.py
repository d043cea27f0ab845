"""Shards by several processes at once, each one shard at a time; a killed one costs only its shard's time."""

from __future__ import annotations

import contextlib
import multiprocessing
import os
import signal
import threading
import time
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from multiprocessing.connection import Connection, wait
from multiprocessing.process import BaseProcess
from typing import TYPE_CHECKING

from bot.errors import BenchError
from bot.interrupts import without_interrupts
from bot.last_words import describe_exit
from bot.learning.jobs import Job
from bot.learning.origin import Origin
from bot.learning.positions import Header

if TYPE_CHECKING:
    from typing import Any

    from bot.learning.shard import Generator

    Link = Connection[Any, Any]
else:
    Link = Connection


@dataclass(frozen=True, slots=True)
class Ready:
    """A process has loaded the engine."""


@dataclass(frozen=True, slots=True)
class Far:
    """So many positions of its shard a process has, after so many seconds of processor time for it."""

    positions: int
    cpu_s: float


@dataclass(frozen=True, slots=True)
class Made:
    """A shard is on the disk."""

    header: Header
    cpu_s: float


@dataclass(frozen=True, slots=True)
class Failed:
    """Something cannot be made, and why."""

    why: str


@dataclass
class _Maker:
    process: BaseProcess
    link: Link
    busy_with: Job | None = None
    far: Far = Far(0, 0.0)


class Crew:
    """The processes; only the thread that made them talks to them. A context manager: they end with it.

    What they make is what the sources were when the crew began: none is replaced later.
    """

    def __init__(self, origin: Origin, jobs: Sequence[Job], processes: int) -> None:
        self._origin = origin
        self._waiting = deque(jobs)
        self._most = min(processes, len(jobs))
        self._context = multiprocessing.get_context("spawn")
        self._makers: list[_Maker] = []

    def __enter__(self) -> Crew:
        return self

    def __exit__(self, *_: object) -> None:
        for maker in self._makers:
            maker.process.kill()
        for maker in self._makers:
            maker.link.close()
            maker.process.join()
            maker.process.close()

    @property
    def underway(self) -> Far:
        """Of the shards that are being made, together."""
        busy = [maker.far for maker in self._makers if maker.busy_with is not None]
        return Far(sum(far.positions for far in busy), sum(far.cpu_s for far in busy))

    def work(self) -> Iterator[Made | None]:
        """Make all there is to make: yields each shard that is made, and None with other news.

        The first process begins alone: it may have something to compile, which the others then find done.
        Raises BenchError.
        """
        if self._most:
            self._hire()
        while self._waiting or any(maker.busy_with is not None for maker in self._makers):
            ready = wait([maker.link for maker in self._makers])
            for maker in [maker for maker in self._makers if maker.link in ready]:
                yield self._hear(maker)

    def _hear(self, maker: _Maker) -> Made | None:
        try:
            said: Ready | Far | Made | Failed = maker.link.recv()
        except (EOFError, OSError):
            maker.process.join()
            shard = "its start" if maker.busy_with is None else f"shard {maker.busy_with.shard}"
            raise BenchError(
                f"a process died at {shard}: {describe_exit(maker.process.exitcode or 0)}; "
                "finished files are kept, and the same command goes on"
            ) from None
        match said:
            case Ready():
                while len(self._makers) < self._most:
                    self._hire()
                self._give(maker)
            case Far():
                maker.far = said
            case Made():
                self._give(maker)
                return said
            case Failed(why):
                raise BenchError(why)
        return None

    def _give(self, maker: _Maker) -> None:
        maker.busy_with, maker.far = None, Far(0, 0.0)
        if self._waiting:
            maker.busy_with = self._waiting.popleft()
            with contextlib.suppress(OSError):  # it has died, and `_hear` is about to say so
                maker.link.send(maker.busy_with)

    def _hire(self) -> None:
        ours, theirs = self._context.Pipe(duplex=True)
        process = self._context.Process(target=live, args=(theirs, self._origin), daemon=True)
        self._makers.append(_Maker(process, ours))
        with without_interrupts():
            process.start()
        theirs.close()


def live(link: Link, origin: Origin) -> None:
    """The whole life of a process: makes what it is told to, until nobody is there to tell."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the parent, which ends us
    threading.Thread(target=_end_with_parent, name="parent's end", daemon=True).start()
    from bot.learning.shard import Generator  # noqa: PLC0415  loads the engine

    with contextlib.suppress(EOFError, OSError):  # nobody is left to work for
        try:
            generator = Generator(origin)
        except BenchError as error:
            link.send(Failed(str(error)))
            return
        link.send(Ready())
        while True:
            link.send(_made(generator, link.recv(), link.send))


def _made(generator: Generator, job: Job, tell: Callable[[Far], None]) -> Made | Failed:
    began = time.process_time()
    try:
        header = generator.make(job, lambda made: tell(Far(made, time.process_time() - began)))
    except BenchError as error:
        return Failed(str(error))
    except MemoryError:
        return Failed(
            f"there is no memory for a file of {job.positions:,} positions: use a smaller --shard, or fewer "
            "--processes"
        )
    return Made(header, time.process_time() - began)


def _end_with_parent() -> None:
    parent = multiprocessing.parent_process()
    if parent is not None:
        wait([parent.sentinel])
        os._exit(1)
