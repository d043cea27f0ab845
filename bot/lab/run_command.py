"""`knightshift lab run`: plays what was registered, all of it and nothing else, and says what it has
shown."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Literal, TextIO

from rich.console import Console

from bot.errors import UserError
from bot.lab import history
from bot.lab.continuity import JournalHash, breaches, digests
from bot.lab.deviations import deviations
from bot.lab.exit_codes import INTERRUPTED
from bot.lab.files import replace_file
from bot.lab.foresight import to_decide
from bot.lab.journal import FILE_NAME
from bot.lab.plan import Run, RunOptions, plan
from bot.lab.play_command import crew, write_what_there_is
from bot.lab.records import PairRecord
from bot.lab.registration import Registration, SprtTest, TamperedError, Test, read_registration
from bot.lab.report.page import Evidence
from bot.lab.report.write import REGISTRATION_NAME, evidence_of, standings_of, write_report
from bot.lab.run_progress import SilentWatch, Watch, watching
from bot.lab.stats.counts import Pentanomial
from bot.lab.tournament import PlayAll, Stop, never, play_run, write_pgn
from bot.lab.verdict import EXIT_CODES
from bot.nursery import Nursery
from bot.timing.clock import Clock, SystemClock

RUNS = Path("runs")
#: What a plan to decide assumes where the run itself has not shown a share of draws.
DRAWS = 0.3


def run_registered(
    path: Path,
    *,
    out: Path | None,
    concurrency: int | None,
    cluster: str | None,
    search_path: tuple[str, ...],
    console: Console,
    stderr: TextIO | None = None,
) -> int:
    """Play the registration in `path`, or the rest of it; returns the verdict's exit code: accepted 0,
    rejected 1, inconclusive 2, invalid 3; or 130 after Ctrl-C. Raises UserError for what cannot be played at
    all."""
    try:
        registration = read_registration(path)
    except TamperedError as error:
        console.print(f"Invalid: {error}", highlight=False, markup=False, soft_wrap=True)
        return EXIT_CODES["invalid"]
    stderr = sys.stderr if stderr is None else stderr
    clock = SystemClock()
    nursery = Nursery(preload=["bot.lab.workers"])
    nursery.warm()
    try:
        options = options_of(registration.options, search_path, where=str(path))
        run = plan(options, nursery=nursery, now_s=clock.wall(), registration=registration.sha256)
        broken = [each.text for each in deviations(registration, run.header, (), (), ()) if each.breaks]
        if broken:
            return _refuse("what was registered cannot be played any more", broken, console)
        folder = RUNS / f"registered-{registration.sha256[:10]}" if out is None else out
        broken = _broken(folder)
        if broken:
            return _refuse(f"the run in {folder} is not what it was, and ends here", broken, console)
        play_all = crew(cluster, concurrency, nursery)
        records = _play(registration, run, folder, play_all=play_all, clock=clock, stderr=stderr)
    except KeyboardInterrupt:
        return INTERRUPTED
    finally:
        nursery.close()
    write_pgn(folder, run.header, records)
    page = write_report(folder, standings_of(run.header, records), records)
    evidence = evidence_of(folder, run.header, records)
    for line in (*verdict_lines(registration, evidence), str(page)):
        console.print(line, highlight=False, markup=False, soft_wrap=True)
    return (
        EXIT_CODES["invalid"] if evidence is None or evidence.finding is None else evidence.finding.exit_code
    )


def _broken(folder: Path) -> list[str]:
    """In what the run that is there, if there is one, is not the one that its history tells of."""
    try:
        events = history.read_history(folder)
    except history.HistoryError as error:
        return [str(error)]
    return list(breaches(events, digests(folder / FILE_NAME)))


def _refuse(why: str, broken: Sequence[str], console: Console) -> int:
    for line in (f"Invalid: {why}.", *broken):
        console.print(line, highlight=False, markup=False, soft_wrap=True)
    return EXIT_CODES["invalid"]


def verdict_lines(registration: Registration, evidence: Evidence | None) -> list[str]:
    """What is printed at the end. `evidence` None: the folder has lost its copy of the registration."""
    if evidence is None:
        return [f"Invalid: {REGISTRATION_NAME} has been taken out of the run's folder"]
    told = [f"Deviation: {each.text}" for each in evidence.deviations]
    finding = evidence.finding
    if finding is None:
        return ["Invalid", *told]
    lines = [f"{finding.verdict.capitalize()}: {registration.hypothesis}", *finding.reasons]
    if finding.verdict == "inconclusive" and finding.elo is not None:
        value, low = finding.elo.value, finding.elo.low
        seen = value if value is not None else low
        if seen is not None:
            lines.append(f"To decide: {to_decide(registration.test, seen, DRAWS)}")
    return lines + told


def options_of(values: Mapping[str, object], search_path: tuple[str, ...], *, where: str) -> RunOptions:
    """The options that a registration holds. Raises UserError for those that this version does not know."""
    players = values.get("players")
    if not isinstance(players, list):
        raise UserError(f"{where}: registration.options.players must be a list, found {players!r}")
    given = {**values, "players": tuple(players), "search_path": search_path}
    try:
        return RunOptions(**given)  # type: ignore[arg-type]  # as `registered_options` wrote them, says the hash
    except TypeError as error:
        raise UserError(f"{where}: registration.options: {error}") from error


def stop_of(test: Test) -> Stop:
    """Ends a sequential test at its bound; told pairs in the order of the schedule."""
    if not isinstance(test, SprtTest):
        return never
    counts = Pentanomial()
    sprt = test.sprt

    def stop(record: PairRecord) -> bool:
        nonlocal counts
        counts += Pentanomial.of([record.score])
        return sprt.decide(sprt.llr(counts)) != "continue"

    return stop


class _Session:
    """One time that a registered run is played: its history, and a progress without the score, for nobody is
    to know it before the end."""

    def __init__(self, registration: Registration, folder: Path, total: int, clock: Clock) -> None:
        self._registration = registration
        self._folder = folder
        self._total = total
        self._clock = clock
        self._begun = False
        self._journal = JournalHash(folder / FILE_NAME)
        self._shown: Watch = SilentWatch()

    @contextmanager
    def watch(self, stream: TextIO, before: int) -> Iterator[Watch]:
        """For `play_run`, which calls this when it knows that the folder is this run's."""
        copy = self._folder / REGISTRATION_NAME
        if not before and not copy.exists():
            replace_file(copy, [self._registration.to_text()], durable=True)
        if before < self._total:
            self._begun = True
            self._note("begun")
        with watching(stream, total=self._total, before=before, clock=self._clock) as self._shown:
            yield self

    def show(self, finished: int, score: str) -> None:  # noqa: ARG002  that is the point
        if finished > self._journal.pairs:
            self._note("played")
        self._shown.show(finished, "the score is shown at the end")

    def end(self, what: Literal["finished", "stopped by hand"]) -> int:
        """Returns how many pairs are finished."""
        if self._begun:
            self._note(what)
        return self._journal.pairs

    def _note(self, what: history.What) -> None:
        pairs, digest = self._journal.now()
        history.note(self._folder, what, pairs, digest, self._clock.wall())


def _play(
    registration: Registration, run: Run, folder: Path, *, play_all: PlayAll, clock: Clock, stderr: TextIO
) -> tuple[PairRecord, ...]:
    session = _Session(registration, folder, len(run.specs), clock)
    try:
        records = play_run(
            run,
            folder,
            play_all=play_all,
            watch=lambda before: session.watch(stderr, before),
            stop=stop_of(registration.test),
        )
    except (KeyboardInterrupt, SystemExit):
        finished = session.end("stopped by hand")
        stderr.write(f"Stopped after {finished} pairs; the same command plays the others.\n")
        stderr.flush()
        write_what_there_is(folder)
        raise
    session.end("finished")
    return records
