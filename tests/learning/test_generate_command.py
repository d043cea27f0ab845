"""`lab generate` as people have it: begun, stopped, killed, gone on with; and what it refuses."""

from __future__ import annotations

import fcntl
import io
import os
import signal
import subprocess
import sys
import threading
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from rich.console import Console

from bot.errors import BenchError, KnightshiftError
from bot.learning.generate import make_shard, shard_crew
from bot.learning.generate_command import Order, run_generate
from bot.learning.jobs import Job
from bot.learning.judge import Judge
from bot.learning.positions import encoded, read_file
from bot.learning.shard import Generator
from tests.e2e.holdings import descendants
from tests.hosting import ROOT, is_running, wait_until
from tests.learning.generate_kit import NODES, SHARD, generator, make, origin, write_network

#: Nobody waits for its end.
ENDLESS = ("--positions", "6000000", "--shard", str(SHARD), "--nodes", str(NODES), "--seed", "4")

pytestmark = pytest.mark.timeout(240)  # processes that load the engine; a busy machine takes its time
on_linux = pytest.mark.skipif(sys.platform != "linux", reason="looks for left-over processes in /proc")


def generate(folder: Path, *arguments: str) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [
            sys.executable,
            "-m",
            "bot",
            "lab",
            "generate",
            "--out",
            str(folder),
            "--network",
            "none",
            *arguments,
        ],
        cwd=ROOT,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )


def here(
    folder: Path,
    positions: int,
    *,
    nodes: int = NODES,
    seed: int = 1,
    network: str = "none",
    shard: int = SHARD,
) -> tuple[int, str]:
    """Within this process; returns the exit code, and what was printed."""
    stream = io.StringIO()
    code = run_generate(
        Order(folder, positions, shard, seed),
        nodes=nodes,
        random_plies=8,
        network=network,
        processes=1,
        console=Console(file=stream, width=300),
        stderr=io.StringIO(),
    )
    return code, stream.getvalue()


def finished(folder: Path) -> list[Path]:
    return sorted(folder.glob("*.positions"))


def wait_for_shards(run: subprocess.Popen[str], folder: Path, count: int) -> None:
    pause = threading.Event()
    while len(finished(folder)) < count:
        assert run.poll() is None, run.communicate()
        pause.wait(0.01)


@pytest.fixture(scope="module")
def by_hand() -> Generator:
    return generator()


@on_linux
def test_killed_and_gone_on_with_it_is_as_if_nothing_had_been(by_hand: Generator, tmp_path: Path) -> None:
    killed, whole = tmp_path / "killed", tmp_path / "whole"
    run = generate(killed, *ENDLESS, "--processes", "2")
    wait_for_shards(run, killed, 2)
    below = descendants(run.pid)
    run.kill()
    run.communicate()
    wait_until(lambda: not any(map(is_running, below)), "the processes end with the one that began them")
    assert len(below) >= 2
    before = {path: path.stat().st_mtime_ns for path in finished(killed)}
    (killed / "seed4-00000.positions.tmp").write_bytes(b"half of it")

    missing = finished(killed)[0]
    missing.unlink()
    count = max(int(path.stem.split("-")[1]) for path in before) + 3  # shards; the last one is smaller
    positions = SHARD * count - 10
    run = generate(killed, *ENDLESS, "--positions", str(positions), "--processes", "1")
    out, err = run.communicate()
    assert run.returncode == 0, err
    assert "Traceback" not in err
    for number in range(count):
        make(whole, min(SHARD, positions - SHARD * number), seed=4, shard=number, by=by_hand)
    found = {path.name: path.read_bytes() for path in killed.iterdir()}
    assert found == {path.name: path.read_bytes() for path in whole.iterdir()}
    assert all(path.stat().st_mtime_ns == when for path, when in before.items() if path != missing)
    kept = sum(len(read_file(path)[1]) for path in whole.iterdir())
    assert out.splitlines()[0].startswith(f"{kept:,} positions of ")
    assert f"in {count} files" in out


@on_linux
def test_ctrl_c_ends_it_at_once_and_keeps_what_is_finished(tmp_path: Path) -> None:
    run = generate(tmp_path, *ENDLESS, "--processes", "1")
    wait_for_shards(run, tmp_path, 1)
    below = descendants(run.pid)
    os.killpg(run.pid, signal.SIGINT)
    out, err = run.communicate()
    assert (run.returncode, out) == (130, "")
    assert err.splitlines()[-1] == "Stopped: finished files are kept, and the same command goes on."
    assert "Traceback" not in err
    wait_until(lambda: not any(map(is_running, below)), "its processes end")
    assert not list(tmp_path.glob("*.tmp"))
    for path in finished(tmp_path):
        assert len(read_file(path)[1]) >= SHARD


def test_what_is_there_is_not_made_again_and_summed_up(by_hand: Generator, tmp_path: Path) -> None:
    for number in range(2):
        make(tmp_path, SHARD, shard=number, by=by_hand)
    before = {path: path.stat() for path in tmp_path.iterdir()}
    code, told = here(tmp_path, 2 * SHARD)
    assert code == 0
    assert "in 2 files" in told
    assert "New:" not in told
    assert {path: path.stat().st_mtime_ns for path in tmp_path.iterdir()} == {
        path: stat.st_mtime_ns for path, stat in before.items()
    }


def renamed(path: Path) -> None:
    path.rename(path.with_name("seed1-00001.positions"))


def of_another_network(path: Path) -> None:
    header, positions = read_file(path)
    path.write_bytes(encoded(replace(header, network="0badcafe"), positions))


def of_another_engine(path: Path) -> None:
    header, positions = read_file(path)
    path.write_bytes(encoded(replace(header, engine="old", generator="older"), positions))


def of_other_settings(path: Path) -> None:
    header, positions = read_file(path)
    path.write_bytes(
        encoded(replace(header, settings={"nodes": 7, "random_plies": 9, "shard": SHARD}), positions)
    )


def damaged(path: Path) -> None:
    path.write_bytes(path.read_bytes()[:-1])


@pytest.mark.parametrize(
    ("change", "told"),
    [
        (
            of_another_network,
            r"0\.positions was made with network 0badcafe \(now none\); choose another --out",
        ),
        (
            of_another_engine,
            r"0\.positions was made with engine old \(now \w+\), generator older \(now \w+\);",
        ),
        (of_other_settings, rf"made with nodes 7 \(now {NODES}\), random_plies 9 \(now 8\);"),
        (renamed, r"1\.positions holds shard 0 of seed 1: it was renamed"),
        (damaged, r"0\.positions is cut short"),
    ],
)
def test_it_does_not_go_on_with_what_is_not_its_own(
    by_hand: Generator, tmp_path: Path, change: Callable[[Path], None], told: str
) -> None:
    make(tmp_path, SHARD, by=by_hand)
    change(tmp_path / "seed1-00000.positions")
    before = {path.name: path.read_bytes() for path in tmp_path.iterdir()}
    with pytest.raises(KnightshiftError, match=told):
        here(tmp_path, 2 * SHARD)
    assert {path.name: path.read_bytes() for path in tmp_path.iterdir()} == before


def test_a_network_is_not_gone_on_with_by_hand(tmp_path: Path) -> None:
    weights = tmp_path / "some.npz"
    name = write_network(weights)
    folder = tmp_path / "data"
    make(folder, SHARD, by=generator(Judge.find(str(weights))))
    assert here(folder, SHARD, network=str(weights))[0] == 0
    with pytest.raises(KnightshiftError, match=rf"was made with network {name} \(now none\)"):
        here(folder, SHARD)
    other = write_network(weights, seed=2)
    assert other != name
    # that file is read once by a process, so here it takes another
    moved = weights.rename(tmp_path / "other.npz")
    with pytest.raises(KnightshiftError, match=rf"was made with network {name} \(now {other}\)"):
        here(folder, SHARD, network=str(moved))


def test_two_do_not_write_into_one_folder(tmp_path: Path) -> None:
    descriptor = os.open(tmp_path, os.O_RDONLY)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX)
        with pytest.raises(
            KnightshiftError, match="another `lab generate` or `lab rescore` is writing there"
        ):
            here(tmp_path, SHARD)
    finally:
        os.close(descriptor)


def test_a_network_that_changes_before_it_is_read_is_told(tmp_path: Path) -> None:
    weights = tmp_path / "some.npz"
    name = write_network(weights)
    jobs = Order(tmp_path, SHARD, SHARD, seed=1).jobs()
    with (
        shard_crew(origin(Judge("0badcafe", weights)), jobs, processes=1) as crew,
        pytest.raises(BenchError, match=rf"some\.npz: it was network 0badcafe .*, and is {name} now"),
    ):
        list(crew.work())


def test_what_is_wrong_with_the_network_is_one_line(tmp_path: Path) -> None:
    (tmp_path / "some.npz").write_bytes(b"rubbish")
    run = generate(tmp_path, "--positions", "1", "--network", str(tmp_path / "some.npz"))
    out, err = run.communicate()
    assert (run.returncode, out) == (2, "")
    assert err.startswith(f"--network: {tmp_path}/some.npz: no file of weights (")
    assert len(err.splitlines()) == 1


@pytest.mark.parametrize("number", [0, 1])
def test_files_of_two_sizes_were_mixed_in_one_folder(by_hand: Generator, tmp_path: Path, number: int) -> None:
    """Also by a file that the new order does not need."""
    make(tmp_path, SHARD, shard=number, by=by_hand)
    with pytest.raises(
        KnightshiftError, match=rf"{number}\.positions was made with shard {SHARD} \(now {2 * SHARD}\);"
    ):
        here(tmp_path, SHARD, shard=2 * SHARD)


def test_more_positions_of_the_same_can_be_asked_for_later(by_hand: Generator, tmp_path: Path) -> None:
    make(tmp_path, SHARD // 2, by=by_hand)
    make(tmp_path, SHARD, shard=1, by=by_hand)
    first, second = finished(tmp_path)
    kept = second.stat().st_mtime_ns
    assert here(tmp_path, 2 * SHARD)[0] == 0
    assert read_file(first)[0].counts["positions"] >= SHARD
    assert second.stat().st_mtime_ns == kept


def test_a_file_larger_than_memory_was_a_traceback_of_numpy(by_hand: Generator, tmp_path: Path) -> None:
    run = generate(tmp_path / "data", "--positions", "99999999999999", "--shard", "99999999999999")
    out, err = run.communicate()
    assert (run.returncode, out) == (2, "")
    assert "10000000" in err
    assert "Traceback" not in err
    told = "there is no memory for a file of 100,000,000,000,000 positions: use a smaller"
    with pytest.raises(BenchError, match=told):
        make_shard(by_hand, Job(tmp_path, 1, 0, 10**14), lambda _: None)


def test_more_files_than_can_be_told_apart_are_refused_before_any_is_made(tmp_path: Path) -> None:
    with pytest.raises(KnightshiftError, match="are 1666666666667 files, and 100000 is the most"):
        here(tmp_path / "data", 10**14)
    assert not (tmp_path / "data").exists()
