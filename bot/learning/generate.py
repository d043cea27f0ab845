"""Shards by several processes at once, each one shard at a time; a killed one costs only its shard's time."""

from __future__ import annotations

import functools
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from bot.errors import BenchError
from bot.learning.crew import Crew, JobT, Work
from bot.learning.generate_progress import Watch
from bot.learning.jobs import GOES_ON, Job
from bot.learning.origin import Origin
from bot.learning.positions import Header

if TYPE_CHECKING:
    from bot.learning.shard import Generator


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


def shard_crew(origin: Origin, jobs: Sequence[Job], processes: int) -> Crew[Job, Far, Made]:
    """Has all `jobs` to do. What it makes is what the sources were when it began: none is replaced later."""
    return file_crew(
        functools.partial(_begin, origin), jobs, processes, name=lambda job: f"shard {job.shard}"
    )


def file_crew(
    begin: Callable[[], Work[JobT, Far, Made]],
    jobs: Sequence[JobT],
    processes: int,
    *,
    name: Callable[[JobT], str],
) -> Crew[JobT, Far, Made]:
    """Has all `jobs` to do, a file each. `begin`, `name`: as `Crew` has them."""
    crew = Crew[JobT, Far, Made](begin, min(processes, len(jobs)), name=name, kept=GOES_ON)
    for job in jobs:
        crew.give(job)
    return crew


def making(crew: Crew[Any, Far, Made], watch: Watch, before: int) -> Iterator[Made]:
    """All that the crew makes, while `watch` is told; `before`: positions that were there.

    Raises BenchError."""
    cpu_s, new = 0.0, 0
    watch.show(before, 0.0, "loading the engine")
    for made in crew.work():
        if made is not None:
            cpu_s += made.cpu_s
            new += made.header.counts["positions"]
            yield made
        positions = new + sum(far.positions for far in crew.news)
        spent_s = cpu_s + sum(far.cpu_s for far in crew.news)
        watch.show(before + positions, positions / max(spent_s, 0.001))


def _begin(origin: Origin) -> Work[Job, Far, Made]:
    from bot.learning.shard import Generator  # noqa: PLC0415  loads the engine

    return functools.partial(make_shard, Generator(origin))


def make_shard(generator: Generator, job: Job, tell: Callable[[Far], None]) -> Made:
    """Make it, and tell how far it is. Raises BenchError."""
    began = time.process_time()
    try:
        header = generator.make(job, lambda made: tell(Far(made, time.process_time() - began)))
    except MemoryError:
        raise BenchError(
            f"there is no memory for a file of {job.positions:,} positions: use a smaller --shard, or fewer "
            "--processes"
        ) from None
    return Made(header, time.process_time() - began)
