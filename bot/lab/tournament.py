"""Plays a run to its end: into the journal what is finished, out of it what is not to be played again.

Pairs are written down as they are finished, and consumed in the order of the schedule: whoever decides by the
score so far must not see quick pairs before slow ones.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Generator, Iterator, Sequence
from pathlib import Path

from bot.lab.files import replace_file
from bot.lab.journal import FILE_NAME, Journal, JournalError, derived, open_or_resume
from bot.lab.pair_player import PlaySettings
from bot.lab.pgn import pgn
from bot.lab.plan import Run
from bot.lab.records import PairRecord, PairSpec, RunHeader
from bot.lab.run_progress import Watch
from bot.lab.tally import Tally

#: Plays pairs, on this machine or on others, and yields each when it is finished.
PlayAll = Callable[[Sequence[PairSpec], PlaySettings], Iterator[PairRecord]]
#: Told each pair in schedule order; True: enough, the run ends here.
Stop = Callable[[PairRecord], bool]

PGN_NAME = "games.pgn"


def never(_: PairRecord) -> bool:
    """All pairs are played."""
    return False


def play_run(
    run: Run,
    folder: Path,
    *,
    play_all: PlayAll,
    watch: Callable[[int], contextlib.AbstractContextManager[Watch]],
    stop: Stop = never,
) -> tuple[PairRecord, ...]:
    """Play what the journal in `folder` lacks of `run`; returns all finished pairs in schedule order.

    `watch` is called with the number of pairs that were there. Raises JournalError for a folder with another
    run, BenchError for what cannot be played. However it ends, every finished pair is in the journal.
    """
    journal = open_or_resume(folder / FILE_NAME, run.header)
    with contextlib.closing(journal):
        _check(journal, run, folder)
        records = {record.spec.pair_id: record for record in journal.records}
        tally = Tally(run.header.players)
        consumed = _InOrder(run.specs, tally, stop)
        if consumed.take(records):
            return _ordered(records)
        waiting = [spec for spec in run.specs if spec.pair_id not in records]
        with (
            watch(len(records)) as shown,
            _ended(play_all(waiting, run.settings)) as finished,
        ):
            shown.show(len(records), tally.in_one_line())
            for record in finished:
                if journal.append(record):
                    records[record.spec.pair_id] = record
                enough = consumed.take(records)
                shown.show(len(records), tally.in_one_line())
                if enough:
                    break
        return _ordered(records)


@contextlib.contextmanager
def _ended(records: Iterator[PairRecord]) -> Iterator[Iterator[PairRecord]]:
    """Whatever happens within, those who play are told that nobody waits for them any more."""
    try:
        yield records
    finally:
        if isinstance(records, Generator):
            records.close()


class _InOrder:
    """Consumes pairs in the order of the schedule, as far as there is no gap."""

    def __init__(self, specs: Sequence[PairSpec], tally: Tally, stop: Stop) -> None:
        self._specs = specs
        self._next = 0
        self._tally = tally
        self._stop = stop

    def take(self, records: dict[str, PairRecord]) -> bool:
        """Consume what can be; True when that is enough."""
        while self._next < len(self._specs):
            record = records.get(self._specs[self._next].pair_id)
            if record is None:
                return False
            self._next += 1
            self._tally.add(record)
            if self._stop(record):
                return True
        return False


def write_pgn(folder: Path, header: RunHeader, records: Sequence[PairRecord]) -> Path:
    """All games of `records`; the file is replaced as a whole.

    Raises StorageError when it cannot be written, UserError for a journal with moves that are none.
    """
    path = folder / PGN_NAME
    replace_file(path, pgn(header, records), derived(folder))
    return path


def _check(journal: Journal, run: Run, folder: Path) -> None:
    """A journal of the same run can only hold pairs of its schedule."""
    planned = {spec.pair_id: spec for spec in run.specs}
    for record in journal.records:
        if planned.get(record.spec.pair_id) != record.spec:
            raise JournalError(
                f"{folder / FILE_NAME}: pair {record.spec.pair_id} is not in the schedule of this run"
            )


def _ordered(records: dict[str, PairRecord]) -> tuple[PairRecord, ...]:
    return tuple(sorted(records.values(), key=lambda record: record.spec.index))
