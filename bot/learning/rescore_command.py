"""`knightshift lab rescore`: from folders of positions to a folder of some of them, searched deeper."""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TextIO

from rich.console import Console

from bot.errors import UserError
from bot.lab.exit_codes import INTERRUPTED
from bot.lab.files import storing
from bot.learning.generate import making
from bot.learning.generate_command import folder_to_itself
from bot.learning.generate_progress import watching
from bot.learning.jobs import GOES_ON
from bot.learning.judge import Judge
from bot.learning.positions import SUFFIX, Header, files_of, read_header
from bot.learning.rescore import Job, Rescoring, rescore_crew
from bot.timing.clock import SystemClock
from bot.warming import COMPILED, warm_for


def run_rescore(
    folders: Sequence[Path],
    *,
    out: Path,
    nodes: int,
    every: int,
    network: str | None,
    processes: int,
    console: Console,
    stderr: TextIO = sys.stderr,
) -> int:
    """Make the files that are not there yet; returns the exit code: 0, or 130 after Ctrl-C.

    `network`: see `Judge.find`. Raises UserError for what cannot be gone on with, and BenchError for what
    goes wrong.
    """
    order = Rescoring.here(nodes=nodes, every=every, judge=Judge.find(network))
    jobs = _jobs(files_of(folders), out)
    with storing(out):
        out.mkdir(parents=True, exist_ok=True)
    try:
        with folder_to_itself(out):
            there = _finished(jobs, order)
            missing = [job for job in jobs if job not in there]
            headers = list(there.values())
            kept, cpu_s, new = sum(map(_count, headers)), 0.0, 0
            if missing:
                clock = SystemClock()
                warm_for([COMPILED], Console(file=stderr), clock)
                wanted = kept + sum(-(-_count(jobs[job]) // every) for job in missing)
                with (
                    watching(stderr, total=wanted, before=kept, clock=clock) as watch,
                    rescore_crew(order, missing, processes) as crew,
                ):
                    for made in making(crew, watch, kept):
                        headers.append(made.header)
                        cpu_s += made.cpu_s
                        new += _count(made.header)
    except KeyboardInterrupt:
        stderr.write(f"Stopped: {GOES_ON}.\n")
        stderr.flush()
        return INTERRUPTED
    _tell(console, f"{kept + new:,} positions in {len(jobs)} files, of {sum(map(_count, jobs.values())):,}")
    left_out = {name: sum(header.counts.get(name, 0) for header in headers) for name in ("decisive", "void")}
    _tell(
        console,
        f"Left out: mate found {left_out['decisive']:,}, no depth finished {left_out['void']:,}",
    )
    if new:
        _tell(console, f"New: {new:,} positions, {new / cpu_s:,.0f} a second a core")
    return 0


def _jobs(sources: Sequence[Path], out: Path) -> dict[Job, Header]:
    """One for each file. Raises UserError for what would be written over, and PositionsError."""
    found: dict[str, Job] = {}
    for source in sources:
        job = Job(source, out / f"{source.stem}{SUFFIX}")
        if job.path.resolve() == source.resolve():
            raise UserError(f"{source} would be written over; choose another --out")
        if (other := found.setdefault(job.path.name, job)) != job:
            raise UserError(f"{other.source} and {source} have one name; take them one after the other")
    return {job: read_header(job.source) for job in found.values()}


def _finished(jobs: Mapping[Job, Header], order: Rescoring) -> dict[Job, Header]:
    """Those that are there. Raises UserError for files that were made otherwise, and PositionsError."""
    found = {}
    for job, of in jobs.items():
        if job.path.exists():
            header, expected = read_header(job.path), order.header(of, {})
            if (header.origin, header.seed, header.shard) != (expected.origin, of.seed, of.shard):
                raise UserError(
                    f"{job.path} was made of other positions, of fewer or more of them, with other settings, "
                    "or by another engine or network; choose another --out"
                )
            found[job] = header
    return found


def _count(header: Header) -> int:
    return header.counts["positions"]


def _tell(console: Console, text: str) -> None:
    console.print(text, highlight=False, markup=False, soft_wrap=True)
