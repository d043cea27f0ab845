from __future__ import annotations

import dataclasses
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import ExitStack, closing
from pathlib import Path

import pytest

from bot.errors import BenchError, UserError
from bot.lab import cluster
from bot.lab.budgets import Unhurried
from bot.lab.journal import FILE_NAME, read_journal
from bot.lab.pair_player import PlaySettings
from bot.lab.player import PlayerSpec
from bot.lab.records import PairRecord
from tests.hosting import wait_until
from tests.lab import run_kit

SETTINGS = PlaySettings(
    players=(PlayerSpec.parse("random"), PlayerSpec.parse("random:seed=7")),
    budget=Unhurried(60_000),
    stall_ms=60_000,
    max_plies=12,
    agreed_scores=False,
    tablebase=None,
)
HEADER = run_kit.header("random", "random:seed=7", pairs=8)
DEADLINE_S = 100


def test_of_a_pair_that_comes_twice_the_first_is_taken() -> None:
    one, two = run_kit.played(HEADER, (1, 2))
    again = dataclasses.replace(one, worker="another", duration_ms=9)

    assert list(cluster.distinct((one, two, again), differing_is_an_alarm=True)) == [one, two]


def test_a_pair_that_was_played_differently_is_an_alarm() -> None:
    (one,) = run_kit.played(HEADER, (1,))
    other = run_kit.pair(one.spec, 2)

    with pytest.raises(
        BenchError, match=r"pair 1 \(random - random:seed=7\) was played twice, and differently"
    ):
        list(cluster.distinct((one, other), differing_is_an_alarm=True))
    assert list(cluster.distinct((one, other), differing_is_an_alarm=False)) == [one]


def test_a_worker_of_another_version_is_named() -> None:
    here = cluster.identity(SETTINGS)
    other = dataclasses.replace(here, version="0.0.9", code="other")

    assert here.differences(here) == ""
    assert here.differences(other).startswith("version 0.0.9 instead of ")
    with pytest.raises(RuntimeError, match=r"not like the others: version"):
        cluster.play_pair(run_kit.specs(HEADER)[0], SETTINGS, other)


def test_no_scheduler_is_told_in_one_line(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cluster, "REACH_S", 0.2)

    with pytest.raises(UserError, match=r"--cluster tcp://127.0.0.1:9: no scheduler answers"):
        list(cluster.play_all(run_kit.specs(HEADER), SETTINGS, "tcp://127.0.0.1:9"))


def test_a_scheduler_that_is_killed_before_any_pair_was_begun_is_told_in_one_line(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """It was a traceback of Dask's."""
    distributed = pytest.importorskip("distributed")
    closed: list[bool] = []

    class Client:
        def __init__(self, *_: object, **__: object) -> None:
            """There is a scheduler, still."""

        def wait_for_workers(self, *_: object, **__: object) -> None:
            raise distributed.comm.core.CommClosedError("in <TCP>: Stream is closed")

        def close(self) -> None:
            closed.append(True)

    monkeypatch.setattr(distributed, "Client", Client)
    with pytest.raises(BenchError, match="the scheduler of the cluster is gone"):
        list(cluster.play_all(run_kit.specs(HEADER), SETTINGS, "tcp://127.0.0.1:9"))
    assert closed == [True]


@dataclasses.dataclass(frozen=True)
class Cluster:
    address: str
    scheduler: int  # its process id


@pytest.fixture
def there(tmp_path: Path) -> Iterator[Cluster]:
    """A scheduler and two workers, as README starts them."""
    told = tmp_path / "scheduler.json"
    scheduler = [sys.executable, "-m", "distributed.cli.dask_scheduler", "--host", "127.0.0.1", "--port", "0"]
    with ExitStack() as stack:
        started = _started(stack, [*scheduler, "--no-dashboard", "--scheduler-file", str(told)], tmp_path)
        where = _address(told, started)
        for _ in range(2):
            worker = [sys.executable, "-m", "bot", "lab", "worker", where, "--processes", "1"]
            _started(stack, worker, tmp_path)
        yield Cluster(where, started.pid)


@pytest.fixture
def address(there: Cluster) -> str:
    return there.address


def test_a_worker_that_is_killed_costs_no_pair(address: str, tmp_path: Path) -> None:
    specs = run_kit.specs(HEADER)
    arrived: list[PairRecord] = []
    killed = ""

    with closing(cluster.play_all(specs, SETTINGS, address, workers=2)) as records:
        for record in records:
            arrived.append(record)
            if len(arrived) == 2:
                killed = record.worker
                os.kill(int(killed.rpartition("-")[2]), signal.SIGKILL)

    assert sorted(record.spec.index for record in arrived) == list(range(len(specs)))
    assert killed not in {record.worker for record in arrived[4:]}


def test_a_scheduler_that_is_killed_in_mid_run_is_told_in_one_line(there: Cluster, tmp_path: Path) -> None:
    """It was a traceback that ended with FutureCancelledError."""
    players = ("random", "random:seed=7")
    command = ["match", *players, "--pairs", "500", "--max-plies", "30", "--out", "here"]
    run = subprocess.Popen(
        [sys.executable, "-m", "bot", "lab", *command, "--cluster", there.address],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(Path(cluster.__file__).parents[2])},
        stderr=subprocess.PIPE,
        text=True,
    )
    journal = tmp_path / "here" / FILE_NAME
    wait_until(lambda: journal.exists() and journal.read_bytes().count(b"\n") > 2, "two pairs are finished")
    os.kill(there.scheduler, signal.SIGKILL)
    _, err = run.communicate(timeout=DEADLINE_S)

    assert run.returncode == 1, err
    assert "Traceback" not in err
    assert err.splitlines()[-1] == cluster.LOST
    assert len(read_journal(journal).records) >= 2


def _started(stack: ExitStack, command: list[str], folder: Path) -> subprocess.Popen[bytes]:
    log = stack.enter_context((folder / "dask.log").open("ab"))
    path = str(Path(cluster.__file__).parents[2])
    process = subprocess.Popen(
        command, stdout=log, stderr=log, cwd=folder, env={**os.environ, "PYTHONPATH": path}
    )

    def end() -> None:
        process.terminate()
        try:
            process.wait(DEADLINE_S)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()

    stack.callback(end)
    return process


def _address(told: Path, scheduler: subprocess.Popen[bytes]) -> str:
    import json

    ends_at = time.monotonic() + DEADLINE_S
    while time.monotonic() < ends_at and scheduler.poll() is None:
        if told.exists() and (text := told.read_text()):
            found: str = json.loads(text)["address"]
            return found
        time.sleep(0.05)
    pytest.fail(f"no scheduler: {(told.parent / 'dask.log').read_text()[-2000:]}")
