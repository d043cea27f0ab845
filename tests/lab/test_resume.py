"""A tournament killed at twenty points, and gone on with each time, is the tournament that nobody killed."""

from __future__ import annotations

import io
import multiprocessing
import random
import sys
from dataclasses import replace
from multiprocessing.process import BaseProcess
from pathlib import Path

import pytest
from rich.console import Console

from bot.lab import plan
from bot.lab.journal import FILE_NAME, read_journal
from bot.lab.plan import RunOptions
from bot.lab.play_command import run_play
from bot.lab.records import PairRecord
from tests.e2e.holdings import descendants
from tests.hosting import is_running, wait_until

pytestmark = [
    pytest.mark.skipif(sys.platform != "linux", reason="looks for left-over processes in /proc"),
    pytest.mark.timeout(240),
]

KILLS = 20
OPTIONS = RunOptions(
    players=("random:seed=1", "random:seed=2", "greedy"), mode="round-robin", pairs=12, seed=3, max_plies=12
)
ALL_PAIRS = 36


def play(folder: Path) -> None:
    """Runs in a process of its own."""
    # Else each process of the run would import the test runner again.
    vars(sys.modules["__main__"]).update(__spec__=None, __file__=None)
    # Whoever edits the sources while this runs would make another run of it.
    vars(plan).update(code_hash=lambda: "c0de")
    run_play(
        OPTIONS,
        out=folder,
        concurrency=2,
        as_json=False,
        console=Console(file=io.StringIO()),
        stderr=io.StringIO(),
    )


@pytest.fixture(scope="module")
def forked() -> multiprocessing.context.ForkServerContext:
    """Processes from a server that has imported everything: starting Python for each would take long."""
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload(["bot.lab.play_command", "tests.lab.test_resume", "_pytest.config"])
    return context


def begin(context: multiprocessing.context.ForkServerContext, folder: Path) -> BaseProcess:
    process = context.Process(target=play, args=(folder,))
    process.start()
    return process


def size_of(path: Path) -> int:
    return path.stat().st_size if path.exists() else 0


def kill(process: BaseProcess) -> None:
    """SIGKILL, and see that nothing of it lives on."""
    assert process.pid is not None
    below = descendants(process.pid)
    process.kill()  # SIGKILL
    process.join()
    wait_until(lambda: not any(map(is_running, below)), "the workers and the players end with the run")


def tear(path: Path, rng: random.Random) -> None:
    """What a loss of power leaves: a last line without its end, sometimes with blocks never written."""
    data = path.read_bytes()
    begin_of_last = data[:-1].rfind(b"\n") + 1
    torn = data[: rng.randrange(begin_of_last, len(data))]
    path.write_bytes(torn + rng.choice((b"", b"\0" * 512)))


def played(path: Path) -> dict[str, PairRecord]:
    """By pair, without what tells only how long it took and where."""
    return {
        record.spec.pair_id: replace(
            record,
            duration_ms=0,
            worker="",
            games=tuple(  # type: ignore[arg-type]  # two of them
                replace(game, moves=tuple(replace(move, time_ms=0) for move in game.moves))
                for game in record.games
            ),
        )
        for record in read_journal(path).records
    }


def test_twenty_kills_change_nothing(
    tmp_path: Path, forked: multiprocessing.context.ForkServerContext
) -> None:
    rng = random.Random(20)
    whole = begin(forked, tmp_path / "whole")
    whole.join()
    assert whole.exitcode == 0
    expected = played(tmp_path / "whole" / FILE_NAME)
    assert len(expected) == ALL_PAIRS

    path = tmp_path / "killed" / FILE_NAME
    full_size = size_of(tmp_path / "whole" / FILE_NAME)
    sizes = sorted(rng.randrange(full_size) for _ in range(KILLS))
    found_before: list[int] = []
    most_pairs = 0
    for number, size in enumerate(sizes):
        process = begin(forked, path.parent)
        wait_until(lambda size=size, p=process: size_of(path) >= size or not p.is_alive(), f"{size} bytes")  # type: ignore[misc]  # bound here
        kill(process)
        most_pairs = max(most_pairs, path.read_bytes().count(b"\n") - 1 if path.exists() else 0)
        if number % 2 and size_of(path):
            tear(path, rng)
        found_before.append(size_of(path))
    assert most_pairs <= ALL_PAIRS  # besides the header's line
    assert len(set(found_before)) > KILLS / 2, "the kills came at different points"

    last = begin(forked, path.parent)
    last.join()
    assert last.exitcode == 0
    assert played(path) == expected
    assert (path.parent / "games.pgn").read_text().count("[Event ") == 2 * ALL_PAIRS
