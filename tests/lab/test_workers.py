"""Worker processes: in order of completion, over the death of a worker, and gone in the end."""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from bot.errors import BenchError
from bot.lab.openings import all_openings
from bot.lab.records import PairRecord
from bot.lab.schedule import schedule
from bot.lab.workers import MOST_ATTEMPTS, play_all
from bot.nursery import Nursery
from tests.e2e.holdings import descendants
from tests.hosting import is_running, wait_until, warm_nursery
from tests.lab.kit import settings

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="looks for processes in /proc")

PLAYERS = ("random:seed=1", "random:seed=2")
SETTINGS = settings(*PLAYERS, max_plies=4)
SPECS = schedule(PLAYERS, "match", 6, all_openings(), 1)


@pytest.fixture
def nursery(monkeypatch: pytest.MonkeyPatch) -> Iterator[Nursery]:
    runner = sys.modules["__main__"]  # else each process would import the test runner again
    monkeypatch.setattr(runner, "__spec__", None)
    monkeypatch.setattr(runner, "__file__", None, raising=False)
    with warm_nursery() as nursery:
        yield nursery


def pid_of(record: PairRecord) -> int:
    return int(record.worker.rpartition("-")[2])


def test_every_pair_is_played_once_and_nothing_is_left(nursery: Nursery) -> None:
    before = descendants(os.getpid())
    records = list(play_all(SPECS, SETTINGS, 2, nursery=nursery))
    assert sorted(record.spec.index for record in records) == list(range(6))
    assert len({pid_of(record) for record in records}) <= 2
    assert all(record.clean for record in records)
    wait_until(lambda: descendants(os.getpid()) <= before, "all that was started has ended")


def test_a_killed_worker_costs_no_pair(nursery: Nursery) -> None:
    with closing(play_all(SPECS, SETTINGS, 1, nursery=nursery)) as finished:
        records = [next(finished)]
        os.kill(pid_of(records[0]), signal.SIGKILL)  # it has the next pair already
        records += finished
    assert [record.spec.index for record in records] == list(range(6))
    assert pid_of(records[-1]) != pid_of(records[0])


def test_closing_early_ends_the_workers_and_their_players(nursery: Nursery) -> None:
    before = descendants(os.getpid())
    finished = play_all(SPECS, SETTINGS, 2, nursery=nursery)
    next(finished)
    started = descendants(os.getpid()) - before
    assert started
    finished.close()
    wait_until(lambda: not any(map(is_running, started)), "workers and players end")


def test_a_pair_that_no_worker_survives_is_an_error(nursery: Nursery) -> None:
    broken = settings("random:seed=1", max_plies=4)  # the other player is unknown: the worker raises
    with pytest.raises(BenchError, match=rf"pair 1 .* was begun {MOST_ATTEMPTS} times.*exit code 1"):
        list(play_all(SPECS[:1], broken, 1, nursery=nursery))


def test_what_a_player_started_in_a_session_of_its_own_ends_after_the_pair(
    nursery: Nursery, tmp_path: Path
) -> None:
    players = (f"tests.lab.players:leaves_something:told={tmp_path / 'told'}", "random")
    specs = schedule(players, "match", 2, all_openings(), 1)
    records = list(play_all(specs[:1], settings(*players, max_plies=4), 1, nursery=nursery))
    assert records[0].clean
    started = {int(pid) for pid in (tmp_path / "told").read_text().split()}
    assert len(started) == 4
    wait_until(lambda: not any(map(is_running, started)), "what the player left behind ends")
