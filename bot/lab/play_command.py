"""`knightshift lab match` and `tournament`: plan, play, write down, show."""

from __future__ import annotations

import contextlib
import functools
import hashlib
import json
import os
import sys
from pathlib import Path
from typing import TextIO

from rich.console import Console

from bot.errors import KnightshiftError
from bot.lab.exit_codes import INTERRUPTED
from bot.lab.journal import FILE_NAME, read_journal
from bot.lab.plan import Run, RunOptions, plan
from bot.lab.player import PlayerSpec
from bot.lab.records import PairRecord, RunHeader
from bot.lab.run_progress import watching
from bot.lab.tournament import PlayAll, Stop, never, play_run, write_pgn
from bot.lab.workers import play_all
from bot.nursery import Nursery
from bot.timing.clock import Clock, SystemClock
from bot.warming import warm_for

#: Where runs go that were given no folder, each into one of its own.
RUNS = Path("runs")


def run_play(
    options: RunOptions,
    *,
    out: Path | None,
    concurrency: int | None,
    cluster: str | None = None,
    as_json: bool,
    console: Console,
    stderr: TextIO = sys.stderr,
) -> int:
    """Play what `options` ask for, or the rest of it; returns the exit code: 0, or 130 after Ctrl-C.

    `concurrency` None: as many pairs at once as there are cores. `cluster`: see `crew`. Raises UserError.
    """
    clock = SystemClock()
    names = {PlayerSpec.parse(text).strategy.name for text in options.players}
    warm_for(names, Console(file=stderr), clock)
    nursery = Nursery(preload=["bot.lab.workers"])
    nursery.warm()
    try:
        run = plan(options, nursery=nursery, now_s=clock.wall())
        folder = default_folder(run.header) if out is None else out
        players = crew(cluster, concurrency, nursery)
        records = play_and_tell(run, folder, play_all=players, clock=clock, stderr=stderr)
    except KeyboardInterrupt:
        return INTERRUPTED
    finally:
        nursery.close()
    show(run.header, records, folder, as_json=as_json, console=console)
    return 0


def crew(cluster: str | None, concurrency: int | None, nursery: Nursery) -> PlayAll:
    """Who plays: this machine, or the workers of the Dask scheduler at `cluster` (tcp://HOST:PORT)."""
    if cluster is not None:
        from bot.lab.cluster import play_all as play_there  # noqa: PLC0415  where it is wanted

        return functools.partial(play_there, address=cluster)
    return functools.partial(play_all, concurrency=concurrency or cores(), nursery=nursery)


def play_and_tell(
    run: Run, folder: Path, *, play_all: PlayAll, clock: Clock, stderr: TextIO, stop: Stop = never
) -> tuple[PairRecord, ...]:
    """`play_run` with its progress on `stderr`; a run that is interrupted says how it goes on."""
    total = len(run.specs)
    try:
        return play_run(
            run,
            folder,
            play_all=play_all,
            watch=lambda before: watching(stderr, total=total, before=before, clock=clock),
            stop=stop,
        )
    except (KeyboardInterrupt, SystemExit):
        stderr.write(
            f"Stopped. All finished pairs are in {folder / FILE_NAME}; the same command plays the others.\n"
        )
        stderr.flush()
        write_what_there_is(folder)
        raise


def write_what_there_is(folder: Path) -> None:
    """The games of a run that ends early, for whoever wants to look at them; a journal that was not begun, or
    cannot be written beside, is no reason to say anything more."""
    with contextlib.suppress(KnightshiftError):
        contents = read_journal(folder / FILE_NAME)
        write_pgn(folder, contents.header, contents.in_schedule_order)


def show(
    header: RunHeader, records: tuple[PairRecord, ...], folder: Path, *, as_json: bool, console: Console
) -> None:
    """Write what is derived from a journal, and print what it says."""
    # After the games: numpy and scipy take a second to load.
    from bot.lab.report.write import standings_of, write_report  # noqa: PLC0415
    from bot.lab.standings_json import as_dict  # noqa: PLC0415
    from bot.lab.tables import print_standings  # noqa: PLC0415

    games = write_pgn(folder, header, records)
    found = standings_of(header, records)
    page = write_report(folder, found, records)
    journal = folder / FILE_NAME
    if as_json:
        said = as_dict(found) | {"journal": str(journal), "pgn": str(games), "report": str(page)}
        console.print(json.dumps(said, allow_nan=False), soft_wrap=True, highlight=False, markup=False)
        return
    print_standings(found, console)
    console.print(f"{journal}, {games}, {page}", highlight=False, markup=False, soft_wrap=True)


def default_folder(header: RunHeader) -> Path:
    """The same for the same run, and another one for any other."""
    digest = hashlib.sha256(json.dumps(header.identity, sort_keys=True).encode()).hexdigest()
    return RUNS / f"{header.mode}-{digest[:10]}"


def cores() -> int:
    """As many processors as this process may use."""
    if hasattr(os, "sched_getaffinity"):  # not everywhere
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1
