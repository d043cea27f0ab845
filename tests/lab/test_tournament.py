"""The shell of a run, with players that need no time at all."""

from __future__ import annotations

import contextlib
import random
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import pytest

from bot.lab.journal import FILE_NAME, JournalError, open_or_resume, read_journal
from bot.lab.pair_player import PlaySettings
from bot.lab.plan import Run
from bot.lab.records import PairRecord, PairSpec
from bot.lab.run_progress import Watch
from bot.lab.schedule import schedule
from bot.lab.tournament import PlayAll, Stop, never, play_run, write_pgn
from tests.lab.kit import AFTER_E4_E5, a_header, a_pair, settings

PLAYERS = ("random", "greedy", "select_move")


def a_run(pairs: int = 4, seed: int = 1) -> Run:
    specs = schedule(PLAYERS, "round-robin", pairs, [AFTER_E4_E5], seed)
    header = a_header(players=PLAYERS, mode="round-robin", pairs=pairs, seed=seed)
    return Run(header, specs, settings(*PLAYERS))


def record_of(spec: PairSpec) -> PairRecord:
    rng = random.Random(spec.seed)
    return a_pair(spec, rng.choice(("1-0", "0-1")), rng.choice(("1-0", "1/2-1/2")))


class Played:
    """Plays in an order of its own, and stops in the middle if told so."""

    def __init__(self, order: Callable[[PairSpec], object], *, interrupted_after: int | None = None) -> None:
        self.asked: list[PairSpec] = []
        self.ended = False
        self._order = order
        self._after = interrupted_after

    def __call__(self, specs: Sequence[PairSpec], _: PlaySettings) -> Iterator[PairRecord]:
        self.asked += specs
        try:
            for number, spec in enumerate(sorted(specs, key=self._order)):  # type: ignore[arg-type]  # any order
                if number == self._after:
                    raise KeyboardInterrupt
                yield record_of(spec)
        finally:
            self.ended = True


class Shown:
    """What was shown while it ran."""

    def __init__(self) -> None:
        self.finished: list[int] = []
        self.scores: list[str] = []

    @contextlib.contextmanager
    def __call__(self, _: int) -> Iterator[Watch]:
        yield self

    def show(self, finished: int, score: str) -> None:
        self.finished.append(finished)
        self.scores.append(score)


def run(
    folder: Path, play_all: PlayAll, *, stop: Stop = never, shown: Shown | None = None, of: Run | None = None
) -> tuple[PairRecord, ...]:
    return play_run(of or a_run(), folder, play_all=play_all, watch=shown or Shown(), stop=stop)


def backwards(spec: PairSpec) -> int:
    return -spec.index


def forwards(spec: PairSpec) -> int:
    return spec.index


def test_pairs_are_written_as_they_come_and_returned_in_order(tmp_path: Path) -> None:
    records = run(tmp_path, Played(backwards))
    assert [record.spec for record in records] == list(a_run().specs)
    written = read_journal(tmp_path / FILE_NAME)
    assert [record.spec.index for record in written.records] == list(reversed(range(12)))
    assert written.in_schedule_order == records


def test_pairs_are_consumed_in_schedule_order(tmp_path: Path) -> None:
    consumed: list[int] = []

    def hear(record: PairRecord) -> bool:
        consumed.append(record.spec.index)
        return False

    shown = Shown()
    run(tmp_path, Played(backwards), stop=hear, shown=shown)
    assert consumed == list(range(12))
    assert shown.finished == list(range(13))
    assert set(shown.scores[:12]) == {"random -, greedy -, select_move -"}
    assert shown.scores[12] != shown.scores[0]


def test_enough_is_enough_and_ends_those_who_play(tmp_path: Path) -> None:
    played = Played(forwards)
    records = run(tmp_path, played, stop=lambda record: record.spec.index == 4)
    assert [record.spec.index for record in records] == [0, 1, 2, 3, 4]
    assert played.ended
    again = Played(forwards)
    assert run(tmp_path, again, stop=lambda record: record.spec.index == 4) == records
    assert again.asked == []


def test_after_an_interruption_the_rest_is_played(tmp_path: Path) -> None:
    interrupted = Played(backwards, interrupted_after=5)
    with pytest.raises(KeyboardInterrupt):
        run(tmp_path, interrupted)
    assert interrupted.ended
    shown, rest = Shown(), Played(forwards)
    records = run(tmp_path, rest, shown=shown)
    assert [spec.index for spec in rest.asked] == list(range(7))
    assert shown.finished[0] == 5
    assert [record.spec for record in records] == list(a_run().specs)


def test_a_finished_run_is_not_played_again(tmp_path: Path) -> None:
    records = run(tmp_path, Played(forwards))
    again = Played(forwards)
    assert run(tmp_path, again) == records
    assert again.asked == []


def test_another_run_does_not_touch_the_journal(tmp_path: Path) -> None:
    records = run(tmp_path, Played(forwards))
    with pytest.raises(JournalError, match="seed is 1 there and 2 here"):
        run(tmp_path, Played(forwards), of=a_run(seed=2))
    assert read_journal(tmp_path / FILE_NAME).records == records


def test_pairs_that_are_not_in_the_schedule_are_refused(tmp_path: Path) -> None:
    with contextlib.closing(open_or_resume(tmp_path / FILE_NAME, a_run().header)) as journal:
        journal.append(a_pair())
    with pytest.raises(JournalError, match="pair id0 is not in the schedule"):
        run(tmp_path, Played(forwards))


def test_a_pair_that_comes_twice_counts_once(tmp_path: Path) -> None:
    def twice(specs: Sequence[PairSpec], settings: PlaySettings) -> Iterator[PairRecord]:
        for spec in specs:
            yield record_of(spec)
            yield record_of(spec)

    assert len(run(tmp_path, twice)) == 12
    assert len(read_journal(tmp_path / FILE_NAME).records) == 12


def test_the_pgn_is_replaced_as_a_whole(tmp_path: Path) -> None:
    records = run(tmp_path, Played(forwards))
    write_pgn(tmp_path, a_run().header, records)
    path = write_pgn(tmp_path, a_run().header, records[:2])
    assert path.read_text().count("[Event ") == 4
    assert sorted(each.name for each in tmp_path.iterdir()) == ["games.pgn", FILE_NAME]
