"""`knightshift lab generate`: what there is already, the rest of it, and what it sums up to."""

from __future__ import annotations

import contextlib
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TextIO

from rich.console import Console

from bot.errors import UserError
from bot.lab.append_only import folder_locked
from bot.lab.exit_codes import INTERRUPTED
from bot.lab.files import storing
from bot.learning.generate import making, shard_crew
from bot.learning.generate_progress import watching
from bot.learning.jobs import GOES_ON, MOST_SHARDS, Job
from bot.learning.judge import Judge
from bot.learning.origin import Origin
from bot.learning.positions import SUFFIX, Header, PositionsError, read_header
from bot.timing.clock import Clock, SystemClock
from bot.warming import COMPILED, warm_for


@dataclass(frozen=True, slots=True)
class Order:
    """What is asked for: so many positions of this seed, in shards of so many (the last one has the rest)."""

    folder: Path
    positions: int
    shard_positions: int
    seed: int

    def jobs(self) -> list[Job]:
        """All shards. Raises UserError for more of them than can be told apart."""
        starts = range(0, self.positions, self.shard_positions)
        if len(starts) > MOST_SHARDS:
            raise UserError(
                f"--positions {self.positions} in files of --shard {self.shard_positions} are {len(starts)} "
                f"files, and {MOST_SHARDS} is the most"
            )
        return [
            Job(self.folder, self.seed, number, min(self.shard_positions, self.positions - start))
            for number, start in enumerate(starts)
        ]


def run_generate(
    order: Order,
    *,
    nodes: int,
    random_plies: int,
    network: str | None,
    processes: int,
    console: Console,
    stderr: TextIO = sys.stderr,
) -> int:
    """Make the positions that are not there yet; returns the exit code: 0, or 130 after Ctrl-C.

    `network`: see `Judge.find`. Raises UserError for what cannot be gone on with, and BenchError for what
    goes wrong.
    """
    clock = SystemClock()
    order.jobs()  # before anything is made
    origin = Origin.here(
        nodes=nodes, random_plies=random_plies, shard=order.shard_positions, judge=Judge.find(network)
    )
    with storing(order.folder):
        order.folder.mkdir(parents=True, exist_ok=True)
    try:
        with folder_to_itself(order.folder):
            there = finished(order, origin)
            missing = [job for job in order.jobs() if job.shard not in there]
            cpu_s, new = 0.0, 0
            if missing:
                warm_for([COMPILED], Console(file=stderr), clock)
                cpu_s, new = _make(order, origin, there, missing, processes, clock, stderr)
    except KeyboardInterrupt:
        stderr.write(f"Stopped: {GOES_ON}.\n")
        stderr.flush()
        return INTERRUPTED
    for line in summary(list(there.values()), new=new, cpu_s=cpu_s):
        console.print(line, highlight=False, markup=False, soft_wrap=True)
    return 0


def finished(order: Order, origin: Origin) -> dict[int, Header]:
    """The shards of the order that are there, with as many positions as they should have, or more.

    Raises UserError where another engine or network, or other settings, made any of the seed's, and
    PositionsError for damaged ones.
    """
    jobs = {job.path.name: job for job in order.jobs()}
    found = {}
    for path in sorted(order.folder.glob(f"seed{order.seed}-*{SUFFIX}")):
        header = read_header(path)
        job = Job(order.folder, header.seed, header.shard, 0)
        if header.seed != order.seed or job.path != path:
            raise PositionsError(
                f"{path} holds shard {header.shard} of seed {header.seed}: it was renamed; move it away"
            )
        expected = origin.header(order.seed, header.shard, {}).origin
        if header.origin != expected:
            other = ", ".join(
                f"{name} {header.origin.get(name)} (now {now})"
                for name, now in expected.items()
                if header.origin.get(name) != now
            )
            raise UserError(f"{path} was made with {other}; choose another --out or another --seed")
        if path.name in jobs and header.counts["positions"] >= jobs[path.name].positions:
            found[header.shard] = header
    return found


def summary(headers: Sequence[Header], *, new: int, cpu_s: float) -> Iterator[str]:
    """Some lines about these shards, of which `new` positions took `cpu_s` seconds of processor time."""
    total: Counter[str] = Counter()
    for header in headers:
        total.update(header.counts)
    kept, plies, games = total["positions"], total["plies"], total["games"]
    yield f"{kept:,} positions of {games:,} games, in {len(headers)} files"
    wins, draws, losses = total["white_wins"], total["draws"], total["black_wins"]
    yield f"White won {wins:,}, drew {draws:,}, lost {losses:,}"
    if games:
        ended = ("checkmate", "stalemate", "drawn", "called won", "called drawn", "too long")
        yield "Ended: " + ", ".join(f"{name} {total[name]:,}" for name in ended)
        yield (
            f"Of {plies:,} positions {kept:,} were kept ({kept / plies:.0%}); left out: in check "
            f"{total['in_check']:,}, best move not quiet {total['not_quiet']:,}, mate found "
            f"{total['decisive']:,}, duplicate {total['duplicate']:,}"
        )
        yield f"Starts too uneven to count: {total['void']:,}; {total['nodes'] / plies:,.0f} nodes a move"
    if new:
        yield f"New: {new:,} positions, {new / cpu_s:,.0f} a second a core"


def _make(
    order: Order,
    origin: Origin,
    there: dict[int, Header],
    missing: Sequence[Job],
    processes: int,
    clock: Clock,
    stderr: TextIO,
) -> tuple[float, int]:
    """Add the missing shards to `there`; returns the seconds of processor time and the positions made."""
    before = sum(header.counts["positions"] for header in there.values())
    cpu_s, new = 0.0, 0
    with (
        watching(stderr, total=max(order.positions, before), before=before, clock=clock) as watch,
        shard_crew(origin, missing, processes) as crew,
    ):
        for made in making(crew, watch, before):
            there[made.header.shard] = made.header
            cpu_s += made.cpu_s
            new += made.header.counts["positions"]
    return cpu_s, new


@contextlib.contextmanager
def folder_to_itself(folder: Path) -> Iterator[None]:
    """Within, nobody else makes files of positions there. Raises UserError where somebody does."""
    refusal = (
        f"{folder}: another `lab generate` or `lab rescore` is writing there; "
        "use --processes for more at once"
    )
    with folder_locked(folder, refusal):
        _sweep(folder)
        try:
            yield
        finally:
            _sweep(folder)


def _sweep(folder: Path) -> None:
    """Remove what those have left who were killed while they wrote."""
    if sys.platform != "win32":  # nothing is locked there: it may be somebody's
        for left in folder.glob(f"*{SUFFIX}.tmp"):
            left.unlink(missing_ok=True)
