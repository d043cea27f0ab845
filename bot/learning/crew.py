"""Processes that load the engine and then do one job after the other, each at its own time."""

from __future__ import annotations

import contextlib
import multiprocessing
import signal
from collections import deque
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from multiprocessing.connection import Connection, wait
from multiprocessing.process import BaseProcess
from typing import TYPE_CHECKING, Generic, TypeAlias, TypeVar

from bot.end_with_parent import end_with_parent
from bot.errors import BenchError
from bot.interrupts import without_interrupts
from bot.last_words import describe_exit

if TYPE_CHECKING:
    from typing import Any

    Link = Connection[Any, Any]
else:
    Link = Connection

JobT = TypeVar("JobT")
#: What is told of a job before it is done.
NewsT = TypeVar("NewsT")
DoneT = TypeVar("DoneT")

#: Does a job, and tells of it meanwhile. Raises BenchError for what cannot be done.
Work: TypeAlias = Callable[[JobT, Callable[[NewsT], None]], DoneT]


@dataclass(frozen=True, slots=True)
class Ready:
    """A process has loaded the engine."""


@dataclass(frozen=True, slots=True)
class News(Generic[NewsT]):
    """Of the job that is being done."""

    news: NewsT


@dataclass(frozen=True, slots=True)
class Done(Generic[DoneT]):
    """A job is, and what came of it."""

    outcome: DoneT


@dataclass(frozen=True, slots=True)
class Failed:
    """Something cannot be done, and why."""

    why: str


@dataclass
class _Member(Generic[JobT, NewsT]):
    process: BaseProcess
    link: Link
    is_ready: bool = False
    busy_with: JobT | None = None
    news: NewsT | None = None


class Crew(Generic[JobT, NewsT, DoneT]):
    """The processes; only the thread that made them talks to them. A context manager: they end with it.

    `begin`: called in each process; loads what is needed, and returns what does the jobs. Raises BenchError
    there where nothing can be done. `name`: of a job, in messages. `kept`: what is so when a process dies.
    """

    def __init__(
        self,
        begin: Callable[[], Work[JobT, NewsT, DoneT]],
        processes: int,
        *,
        name: Callable[[JobT], str],
        kept: str,
    ) -> None:
        self._begin = begin
        self._most = processes
        self._name = name
        self._kept = kept
        self._waiting: deque[JobT] = deque()
        self._context = multiprocessing.get_context("spawn")
        self._members: list[_Member[JobT, NewsT]] = []

    def __enter__(self) -> Crew[JobT, NewsT, DoneT]:
        return self

    def __exit__(self, *_: object) -> None:
        for member in self._members:
            member.process.kill()
        for member in self._members:
            member.link.close()
            member.process.join()
            member.process.close()

    @property
    def news(self) -> list[NewsT]:
        """The last of each job that is being done."""
        return [member.news for member in self._members if member.news is not None]

    def give(self, job: JobT) -> None:
        """To be done after those that were given before; also while there is `work`."""
        self._waiting.append(job)
        for member in self._members:
            if member.is_ready and member.busy_with is None:
                self._set_to_work(member)

    def work(self) -> Iterator[DoneT | None]:
        """Do all there is to do: yields what came of each job, and None with other news.

        The first process begins alone: it may have something to compile, which the others then find done.
        Raises BenchError.
        """
        while self._waiting or any(member.busy_with is not None for member in self._members):
            if not self._members:
                self._hire()
            ready = wait([member.link for member in self._members])
            for member in [member for member in self._members if member.link in ready]:
                yield self._hear(member)

    def _hear(self, member: _Member[JobT, NewsT]) -> DoneT | None:
        try:
            said: Ready | News[NewsT] | Done[DoneT] | Failed = member.link.recv()
        except (EOFError, OSError):
            member.process.join()
            when = "its start" if member.busy_with is None else self._name(member.busy_with)
            raise BenchError(
                f"a process died at {when}: {describe_exit(member.process.exitcode or 0)}; {self._kept}"
            ) from None
        match said:
            case Ready():
                while len(self._members) < self._most:
                    self._hire()
                member.is_ready = True
                self._set_to_work(member)
            case News(news):
                member.news = news
            case Done(outcome):
                self._set_to_work(member)
                return outcome
            case Failed(why):
                raise BenchError(why)
        return None

    def _set_to_work(self, member: _Member[JobT, NewsT]) -> None:
        member.busy_with = member.news = None
        if self._waiting:
            member.busy_with = self._waiting.popleft()
            with contextlib.suppress(OSError):  # it has died, and `_hear` is about to say so
                member.link.send(member.busy_with)

    def _hire(self) -> None:
        ours, theirs = self._context.Pipe(duplex=True)
        process = self._context.Process(target=live, args=(theirs, self._begin), daemon=True)
        self._members.append(_Member(process, ours))
        with without_interrupts():
            process.start()
        theirs.close()


def live(link: Link, begin: Callable[[], Work[JobT, NewsT, DoneT]]) -> None:
    """The whole life of a process: does what it is told to, until nobody is there to tell."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the parent, which ends us
    end_with_parent()
    with contextlib.suppress(EOFError, OSError):  # nobody is left to work for
        try:
            work = begin()
        except BenchError as error:
            link.send(Failed(str(error)))
            return
        link.send(Ready())
        while True:
            link.send(_done(work, link.recv(), lambda news: link.send(News(news))))


def _done(work: Work[JobT, NewsT, DoneT], job: JobT, tell: Callable[[NewsT], None]) -> Done[DoneT] | Failed:
    try:
        return Done(work(job, tell))
    except BenchError as error:
        return Failed(str(error))
