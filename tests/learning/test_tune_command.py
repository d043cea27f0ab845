"""`lab tune` as people have it: begun, stopped, killed, gone on with; and what it refuses."""

from __future__ import annotations

import fcntl
import io
import json
import os
import signal
import subprocess
import sys
import threading
from pathlib import Path

import pytest
from rich.console import Console

from bot.engine.tunables import TUNABLES, parse
from bot.errors import UserError
from bot.learning.tune_command import PLOT, RESULT, Order, run_tune
from bot.learning.tuning_journal import FILE_NAME
from tests.e2e.holdings import descendants
from tests.hosting import ROOT, is_running, wait_until

pytestmark = pytest.mark.timeout(240)  # processes that load the engine; a busy machine takes its time
on_linux = pytest.mark.skipif(sys.platform != "linux", reason="looks for left-over processes in /proc")

FIRST, SECOND = TUNABLES[0], TUNABLES[1]
TINY = ("--nodes", "50", "--network", "none")


def tune(folder: Path, *arguments: str) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-m", "bot", "lab", "tune", "--out", str(folder), *TINY, *arguments],
        cwd=ROOT,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )


def done(run: subprocess.Popen[str]) -> str:
    """What it printed."""
    out, err = run.communicate()
    assert run.returncode == 0, err
    assert "Traceback" not in err
    return out


def order(*, pairs: int = 4, nodes: int = 50, only: str | None = None, start: str = "") -> Order:
    return Order.of(
        pairs=pairs, batch=4, seed=1, rate=0.002, nodes=nodes, network="none", only=only, start=start
    )


def here(folder: Path, what: Order) -> tuple[int, str]:
    """Within this process; returns the exit code, and what was printed."""
    stream = io.StringIO()
    console = Console(file=stream, width=300)
    return run_tune(what, folder, processes=1, console=console, stderr=io.StringIO()), stream.getvalue()


def lines(folder: Path) -> int:
    path = folder / FILE_NAME
    return path.read_bytes().count(b"\n") if path.exists() else 0


def wait_for_lines(run: subprocess.Popen[str], folder: Path, count: int) -> None:
    pause = threading.Event()
    while lines(folder) < count:
        assert run.poll() is None, run.communicate()
        pause.wait(0.01)


def test_the_journal_is_the_same_with_any_number_of_processes(tmp_path: Path) -> None:
    one, two = tmp_path / "one", tmp_path / "two"
    for folder, processes in ((one, "1"), (two, "2")):
        out = done(tune(folder, "--pairs", "7", "--batch", "2", "--processes", processes))
        assert "7 of 7 pairs of games" in out
    assert (one / FILE_NAME).read_bytes() == (two / FILE_NAME).read_bytes()
    assert (one / PLOT).read_bytes() == (two / PLOT).read_bytes()
    assert (one / RESULT).read_bytes() == (two / RESULT).read_bytes()
    played = [json.loads(line) for line in (one / FILE_NAME).read_bytes().splitlines()[1:]]
    assert [len(each["iteration"]["points"]) for each in played] == [2, 2, 2, 1]
    found = json.loads((one / RESULT).read_text(encoding="utf-8"))
    assert found["finished"]
    assert out.splitlines()[-2:] == [found["player"], f"{two / RESULT}, {two / PLOT}"]


@on_linux
def test_killed_and_gone_on_with_it_is_as_if_nothing_had_been(tmp_path: Path) -> None:
    killed, whole = tmp_path / "killed", tmp_path / "whole"
    asked = ("--pairs", "160", "--nodes", "300", "--only", f"{FIRST.name},{SECOND.name}")
    run = tune(killed, *asked, "--processes", "2")
    wait_for_lines(run, killed, 3)
    below = descendants(run.pid)
    run.kill()
    run.communicate()
    wait_until(lambda: not any(map(is_running, below)), "the processes end with the one that began them")
    assert len(below) >= 2
    kept = (killed / FILE_NAME).read_bytes()
    assert 3 <= lines(killed) < 41
    with (killed / FILE_NAME).open("ab") as file:
        file.write(b'{"iteration":{"number"')  # torn

    done(tune(killed, *asked, "--processes", "1"))
    done(tune(whole, *asked, "--processes", "2"))
    assert lines(killed) == 41
    for name in (FILE_NAME, RESULT, PLOT):
        assert (killed / name).read_bytes() == (whole / name).read_bytes()
    assert (killed / FILE_NAME).read_bytes().startswith(kept[: kept.rindex(b"\n") + 1])


@on_linux
def test_ctrl_c_ends_it_at_once_and_shows_what_there_is(tmp_path: Path) -> None:
    run = tune(tmp_path, "--pairs", "1000000", "--processes", "2")
    wait_for_lines(run, tmp_path, 2)
    below = descendants(run.pid)
    os.killpg(run.pid, signal.SIGINT)
    out, err = run.communicate()
    assert run.returncode == 130
    assert "Traceback" not in err
    pairs = 4 * (lines(tmp_path) - 1)
    assert err.splitlines()[-1] == (
        f"Stopped after {pairs:,} of 1,000,000 pairs: they are kept, and the same command goes on."
    )
    wait_until(lambda: not any(map(is_running, below)), "its processes end")
    found = json.loads((tmp_path / RESULT).read_text(encoding="utf-8"))
    assert (found["finished"], found["pairs_played"]) == (False, pairs)
    assert out.splitlines()[-2] == found["player"]
    assert {path.name for path in tmp_path.iterdir()} == {FILE_NAME, RESULT, PLOT}


def test_what_was_played_is_not_played_again_but_shown(tmp_path: Path) -> None:
    code, told = here(tmp_path, order())
    before = (tmp_path / FILE_NAME).stat()
    (tmp_path / RESULT).unlink()
    assert here(tmp_path, order()) == (code, told) == (0, told)
    assert (tmp_path / FILE_NAME).stat().st_mtime_ns == before.st_mtime_ns
    assert (tmp_path / RESULT).exists()
    with pytest.raises(UserError, match=r"tuning\.jsonl was begun with nodes 50 \(now 51\); choose another"):
        here(tmp_path, order(nodes=51))


def test_where_it_begins_and_what_is_not_tuned(tmp_path: Path) -> None:
    """What is given but not tuned is so for both sides, and in the option at the end."""
    began, fixed = FIRST.least + 3, SECOND.least
    asked = order(only=FIRST.name, start=f"{FIRST.name}={began}+{SECOND.name}={fixed}")
    assert here(tmp_path, asked)[0] == 0
    found = json.loads((tmp_path / RESULT).read_text(encoding="utf-8"))
    assert found["values"][SECOND.name] == fixed
    assert list(found["exact"]) == [FIRST.name]
    assert found["tuning"]["tunables"][FIRST.name]["start"] == began
    assert parse(found["player"].removeprefix("compiled:set="))[SECOND.name] == fixed


def test_parameters_that_there_are_not_are_told_with_those_that_there_are() -> None:
    assert [each.name for each in order(only=None).settings.tunables] == [each.name for each in TUNABLES]
    with pytest.raises(UserError, match=r"^--only: no parameter 'x'; there are ") as refused:
        order(only=f"{FIRST.name},x")
    assert all(each.name in str(refused.value) for each in TUNABLES)
    with pytest.raises(UserError, match=r"^--start: .*\bx\b"):
        order(start="x=1")
    with pytest.raises(UserError, match=rf"^--start: .*{FIRST.most}"):
        order(start=f"{FIRST.name}={FIRST.most + 1}")


def test_what_is_wrong_with_the_command_line_is_one_line_and_makes_nothing(tmp_path: Path) -> None:
    folder = tmp_path / "tuning"
    run = tune(folder, "--pairs", "4", "--only", "x")
    out, err = run.communicate()
    assert (run.returncode, out) == (2, "")
    assert err.startswith("--only: no parameter 'x'; there are ")
    assert len(err.splitlines()) == 1
    assert not folder.exists()


def test_two_do_not_write_into_one_folder(tmp_path: Path) -> None:
    descriptor = os.open(tmp_path, os.O_RDONLY)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX)
        with pytest.raises(UserError, match="another `lab tune` is writing there"):
            here(tmp_path, order())
    finally:
        os.close(descriptor)
