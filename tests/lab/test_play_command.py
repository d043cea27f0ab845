"""`knightshift lab match` and `tournament` as they are typed."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from bot.lab.journal import FILE_NAME, read_journal
from tests.e2e.holdings import descendants
from tests.hosting import ROOT, is_running, wait_until

LONG = ("tournament", "random:seed=1", "random:seed=2", "greedy", "--pairs", "1000", "--max-plies", "8")


def knightshift(*arguments: str, cwd: Path) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-m", "bot", "lab", *arguments],
        cwd=cwd,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )


def test_a_match_is_played_shown_and_not_played_again(tmp_path: Path) -> None:
    command = ("match", "greedy", "random", "--pairs", "2", "--max-plies", "10", "--out", "here", "--json")
    first = knightshift(*command, cwd=tmp_path)
    out, err = first.communicate()
    assert first.returncode == 0, err
    said = json.loads(out)
    assert said["run"]["players"] == ["greedy", "random"]
    assert said["pairs"] == {"planned": 2, "finished": 2, "duplicates": 0}
    assert Path(said["journal"]).name == FILE_NAME
    assert "2 of 2 pairs: greedy" in err
    journal = tmp_path / "here" / FILE_NAME
    written = journal.read_bytes()
    assert (tmp_path / "here" / "games.pgn").read_text().count("[Event ") == 4
    again = knightshift(*command, cwd=tmp_path)
    again.communicate()
    assert (again.returncode, journal.read_bytes()) == (0, written)


def test_without_a_folder_a_run_has_one_of_its_own(tmp_path: Path) -> None:
    done = knightshift("match", "random", "greedy", "--pairs", "1", "--max-plies", "2", cwd=tmp_path)
    _, err = done.communicate()
    assert done.returncode == 0, err
    (folder,) = (tmp_path / "runs").iterdir()
    assert folder.name.startswith("match-")
    assert len(read_journal(folder / FILE_NAME).records) == 1


def test_what_is_wrong_is_one_line(tmp_path: Path) -> None:
    done = knightshift("match", "random", "greddy", cwd=tmp_path)
    out, err = done.communicate()
    assert (done.returncode, out) == (2, "")
    assert err.startswith("unknown strategy 'greddy' (did you mean 'greedy'?)")
    assert len(err.splitlines()) == 1
    assert list(tmp_path.iterdir()) == []


@pytest.mark.skipif(sys.platform != "linux", reason="looks for left-over processes in /proc")
@pytest.mark.parametrize(
    ("number", "to_the_group", "code"),
    [(signal.SIGINT, True, 130), (signal.SIGINT, False, 130), (signal.SIGTERM, False, 143)],
)
def test_a_signal_ends_it_at_once_and_loses_nothing(
    tmp_path: Path, number: signal.Signals, to_the_group: bool, code: int
) -> None:
    run = knightshift(*LONG, "--concurrency", "2", "--out", "here", cwd=tmp_path)
    journal = tmp_path / "here" / FILE_NAME
    wait_until(lambda: journal.exists() and journal.read_bytes().count(b"\n") > 2, "two pairs are finished")
    below = descendants(run.pid)
    (os.killpg if to_the_group else os.kill)(run.pid, number)
    out, err = run.communicate()
    assert (run.returncode, out) == (code, ""), err
    assert err.splitlines()[-1].startswith("Stopped. All finished pairs are in here/journal.jsonl;")
    assert "Traceback" not in err
    assert len(below) > 3
    wait_until(lambda: not any(map(is_running, below)), "workers and players end")
    finished = len(read_journal(journal).records)
    assert finished >= 2
    assert (tmp_path / "here" / "games.pgn").read_text().count("[Event ") == 2 * finished
    assert not list((tmp_path / "here").glob("*.tmp"))


@pytest.mark.skipif(sys.platform == "win32", reason="signals of POSIX")
@pytest.mark.parametrize("verb", ["match", "register"])
@pytest.mark.parametrize(
    "imported", ["inspect", "typer", "bot.nursery", "bot.lab.plan", "bot.strategies.registry"]
)
def test_ctrl_c_while_it_starts_is_no_traceback(tmp_path: Path, verb: str, imported: str) -> None:
    """It was one while modules were imported, here or in the process server, and another exit code."""
    arguments = {
        "match": ("match", "greedy", "random", "--pairs", "500", "--out", "here"),
        "register": ("register", "claim.yml", "--players", "classical", "random", "--pairs", "20"),
    }
    run = subprocess.Popen(
        [sys.executable, "-X", "importtime", "-m", "bot", "lab", *arguments[verb]],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    with run:
        assert run.stderr is not None
        assert any(line.split()[-1:] == [imported] for line in run.stderr)  # so far it has come
        os.killpg(run.pid, signal.SIGINT)
        said = run.stderr.read()
    assert "Traceback" not in said
    assert "KeyboardInterrupt" not in said
    assert run.returncode == 130


@pytest.mark.skipif(sys.platform == "win32", reason="folders of POSIX")
@pytest.mark.parametrize(
    ("out", "told"),
    [
        ("afile", "afile/journal.jsonl cannot be written: "),
        (
            "afile/x",
            "afile/x/journal.jsonl cannot be written: Not a directory; choose another folder with --out",
        ),
        ("/proc/foo", "/proc/foo/journal.jsonl cannot be written: No such file or directory; choose another"),
        ("folder", "folder/journal.jsonl cannot be written: Is a directory; a folder is in its place"),
    ],
)
def test_a_folder_that_cannot_be_written_is_one_line(tmp_path: Path, out: str, told: str) -> None:
    (tmp_path / "afile").touch()
    (tmp_path / "folder" / FILE_NAME).mkdir(parents=True)
    run = knightshift(
        "match", "random", "greedy", "--pairs", "1", "--max-plies", "2", "--out", out, cwd=tmp_path
    )
    said, err = run.communicate()
    assert (run.returncode, said) == (1, ""), err
    assert err.startswith(told)
    assert len(err.splitlines()) == 1


def test_a_report_that_cannot_be_written_leaves_the_journal_and_no_rubbish(tmp_path: Path) -> None:
    (tmp_path / "here" / "report.html").mkdir(parents=True)
    run = knightshift(
        "match", "random", "greedy", "--pairs", "1", "--max-plies", "2", "--out", "here", cwd=tmp_path
    )
    _, err = run.communicate()
    assert run.returncode == 1
    last = err.splitlines()[-1]
    assert last.startswith("here/report.html cannot be written: Is a directory; a folder is in its place")
    assert last.endswith(
        "all finished pairs are in here/journal.jsonl, and `knightshift lab report here` makes it again"
    )
    assert not list((tmp_path / "here").glob("*.tmp"))
    assert len(read_journal(tmp_path / "here" / FILE_NAME).records) == 1


@pytest.mark.skipif(sys.platform == "win32", reason="limits of POSIX")
def test_a_limit_for_the_size_of_files_ends_a_run_and_loses_nothing(tmp_path: Path) -> None:
    """As a full disk does."""
    command = ("match", "random", "greedy", "--pairs", "60", "--max-plies", "30", "--out", "here")
    limited = f"ulimit -f 8; exec {sys.executable} -m bot lab {' '.join(command)}"
    run = subprocess.run(
        ["sh", "-c", limited],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert (run.returncode, run.stdout) == (1, ""), run.stderr
    kept = len(read_journal(tmp_path / "here" / FILE_NAME).records)
    assert kept >= 1
    assert run.stderr.splitlines()[-1] == (
        "here/journal.jsonl cannot be written: File too large; raise the limit for the size of files "
        f"(ulimit -f); the {kept} pairs that it holds are safe, and then the same command plays the others"
    )


def test_a_player_swapped_while_a_match_goes_on_ends_it(tmp_path: Path) -> None:
    """The players that were started later played by the new file, under the old one's name."""
    script = tmp_path / "mine.py"
    script.write_text("play_move(min(simulate_move(fen)['legal_moves']))\n")
    run = knightshift(
        "match", "./mine.py", "random", "--pairs", "2000", "--max-plies", "4", "--out", "here", cwd=tmp_path
    )
    journal = tmp_path / "here" / FILE_NAME
    wait_until(lambda: journal.exists() and journal.read_bytes().count(b"\n") > 2, "two pairs are finished")
    script.write_text("play_move(max(simulate_move(fen)['legal_moves']))\n")
    out, err = run.communicate()
    assert (run.returncode, out) == (2, ""), err
    assert err.splitlines()[-1].startswith("./mine.py was changed while the run went on: mine.py (hash ")
    assert "Traceback" not in err
    records = read_journal(journal).records
    assert 2 <= len(records) < 2000
    assert all(record.clean for record in records)
