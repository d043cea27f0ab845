"""`knightshift lab tune`: what was played already, the rest of it, and what it has come to."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, TextIO

from rich.console import Console

from bot.engine.tunables import TUNABLES, parse
from bot.errors import UserError
from bot.lab.append_only import folder_locked
from bot.lab.exit_codes import INTERRUPTED
from bot.lab.files import replace_file, storing
from bot.lab.run_progress import Watch, watching
from bot.learning.crew import Crew
from bot.learning.judge import Judge
from bot.learning.naming import chosen
from bot.learning.spsa import Settings, Spsa
from bot.learning.tuning_journal import FILE_NAME, Iteration, begin_or_resume, header_of, write_iteration
from bot.learning.tuning_pairs import Pair, Played, Terms, pair_crew
from bot.learning.tuning_plot import tuning_plot
from bot.learning.tuning_result import farthest, option_of, table_of, to_json
from bot.timing.clock import SystemClock
from bot.warming import COMPILED, warm_for

#: Beside the journal.
RESULT, PLOT = "tuned.json", "tuning.svg"
#: What is so when a process dies.
_KEPT = "finished iterations are kept, and the same command goes on"


@dataclass(frozen=True, slots=True)
class Order:
    """What is asked for. `fixed`: parameters that are not tuned, and other than usual for both sides."""

    settings: Settings
    terms: Terms
    fixed: Mapping[str, int]

    @classmethod
    def of(
        cls,
        *,
        pairs: int,
        batch: int,
        seed: int,
        rate: float,
        nodes: int,
        network: str | None,
        only: str | None,
        start: str,
    ) -> Order:
        """As the command line has it; `network`: see `Judge.find`. Raises UserError."""
        try:
            begin = parse(start)
        except ValueError as error:
            raise UserError(f"--start: {error}") from None
        names = chosen(only, (each.name for each in TUNABLES), "parameter")
        tuned = [each for each in TUNABLES if each.name in names]
        settings = Settings(
            tuple(replace(each, value=begin.pop(each.name, each.value)) for each in tuned),
            pairs=pairs,
            batch=batch,
            seed=seed,
            rate=rate,
        )
        return cls(settings, Terms(seed, nodes, Judge.find(network)), begin)


def run_tune(
    order: Order, folder: Path, *, processes: int, console: Console, stderr: TextIO | None = None
) -> int:
    """Play the pairs that are missing in `folder`; returns the exit code: 0, or 130 after Ctrl-C, which keeps
    all finished iterations. Raises UserError for what cannot be gone on with, and BenchError for what goes
    wrong."""
    stderr = sys.stderr if stderr is None else stderr
    with storing(folder):
        folder.mkdir(parents=True, exist_ok=True)
    with folder_locked(folder, f"{folder}: another `lab tune` is writing there; choose another --out"):
        header = header_of(order.settings, order.terms, order.fixed)
        journal = folder / FILE_NAME
        spsa = _resumed(journal, header, order)
        interrupted = False
        try:
            if spsa.pairs < order.settings.pairs:
                _play_the_rest(order, spsa, journal, processes, stderr)
        except KeyboardInterrupt:
            interrupted = True
            spsa = _resumed(journal, header, order)  # it may have been between the journal and its own books
            done = f"{spsa.pairs:,} of {order.settings.pairs:,} pairs"
            stderr.write(f"Stopped after {done}: they are kept, and the same command goes on.\n")
            stderr.flush()
        _conclude(order, spsa, header, folder, console)
    return INTERRUPTED if interrupted else 0


def _resumed(journal: Path, header: Mapping[str, Any], order: Order) -> Spsa:
    spsa = Spsa(order.settings)
    begin_or_resume(journal, header, spsa)
    return spsa


def _play_the_rest(order: Order, spsa: Spsa, journal: Path, processes: int, stderr: TextIO) -> None:
    clock, settings = SystemClock(), order.settings
    warm_for([COMPILED], Console(file=stderr), clock)
    before, at_once = spsa.pairs, settings.lag * settings.batch
    with (
        watching(stderr, total=settings.pairs, before=before, clock=clock) as watch,
        pair_crew(order.terms, min(processes, at_once, settings.pairs - before), kept=_KEPT) as crew,
    ):
        watch.show(before, "loading the engine")
        play(spsa, journal, crew, watch)


def play(spsa: Spsa, journal: Path, crew: Crew[Pair, None, Played], watch: Watch) -> None:
    """Have `crew` play all iterations that are missing. Results count in the order of the iterations, however
    many processes there are, and whichever is done first."""
    points: dict[int, tuple[int, int]] = {}  # of pairs whose iteration is not done
    given = _give(crew, spsa, spsa.iterations)
    for played in crew.work():
        if played is None:
            continue
        points[played.number] = played.points
        while (number := spsa.iterations + 1) <= spsa.settings.iterations:
            pairs = spsa.settings.pairs_of(number)
            if not all(pair in points for pair in pairs):
                break
            trial = spsa.trial(number)
            done = Iteration(number, trial.plus, trial.minus, [points.pop(pair) for pair in pairs])
            write_iteration(journal, done)
            spsa.take(done.won_more)
        given = _give(crew, spsa, given)
        watch.show(spsa.pairs + len(points), farthest(spsa))


def _give(crew: Crew[Pair, None, Played], spsa: Spsa, given: int) -> int:
    """Hand out the iterations after number `given` that are known; returns the number of the last one."""
    for iteration in range(given + 1, spsa.last_known + 1):
        trial = spsa.trial(iteration)
        for number in spsa.settings.pairs_of(iteration):
            crew.give(Pair(number, trial.plus, trial.minus))
    return max(given, spsa.last_known)


def _conclude(order: Order, spsa: Spsa, header: Mapping[str, Any], folder: Path, console: Console) -> None:
    """Write down what it has come to, and print it."""
    kept = f"what was played is in {folder / FILE_NAME}, and the same command writes it again"
    replace_file(folder / RESULT, [to_json(spsa, header, order.fixed)], kept, durable=True)
    replace_file(folder / PLOT, [tuning_plot(spsa)], kept)
    console.print(table_of(spsa))
    for line in (option_of(spsa, order.fixed), f"{folder / RESULT}, {folder / PLOT}"):
        console.print(line, highlight=False, markup=False, soft_wrap=True)
