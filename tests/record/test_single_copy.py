"""The claim on one account on one machine."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from bot.record.single_copy import SecondCopyError, claim_file, single_copy
from bot.record.state_folder import state_folder

#: An address that no other test uses.
URL = f"https://p{os.getpid()}.example"
HOLDER = """
import sys
from pathlib import Path
from bot.record.single_copy import claim_file, single_copy
path, *names = sys.argv[1:]
with single_copy(Path(path), *names) if names else claim_file(Path(path)):
    print("claimed", flush=True)
    sys.stdin.read()
"""
linux = pytest.mark.skipif(sys.platform != "linux", reason="a name in the kernel is Linux's")


@contextmanager
def holder(*arguments: str) -> Iterator[subprocess.Popen[str]]:
    """Another process that holds the claim; killed at the end of the block."""
    with subprocess.Popen(
        [sys.executable, "-c", HOLDER, *arguments],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    ) as other:
        assert other.stdout is not None
        assert other.stdout.readline() == "claimed\n"
        yield other
        other.send_signal(signal.SIGKILL)
        other.wait(10)


def test_a_second_copy_is_refused_and_told_which_process_is_the_first(tmp_path: Path) -> None:
    with holder(str(tmp_path), URL, "Knight") as first:
        with (
            pytest.raises(SecondCopyError, match=f"served already, by process {first.pid} on this machine"),
            single_copy(tmp_path, URL, "Knight"),
        ):
            pass
        with single_copy(tmp_path, URL, "Another"):
            pass
    with single_copy(tmp_path, URL, "Knight"):
        pass


@linux
def test_a_service_and_a_copy_started_by_hand_have_different_state_folders(tmp_path: Path) -> None:
    with (
        holder(str(tmp_path / "service"), URL, "Knight"),
        pytest.raises(SecondCopyError),
        single_copy(tmp_path / "user", URL, "Knight"),
    ):
        pass


@linux
@pytest.mark.parametrize("other", ["http://localhost:8080", "http://[::1]:8080", "HTTP://LocalHost:8080"])
def test_one_server_has_many_addresses(tmp_path: Path, other: str) -> None:
    name = f"Knight{os.getpid()}"
    with (
        holder(str(tmp_path), "http://127.0.0.1:8080", name),
        pytest.raises(SecondCopyError),
        single_copy(tmp_path, other, name),
    ):
        pass


@linux
def test_a_folder_that_cannot_be_had_is_not_needed(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with single_copy(tmp_path / "file" / "folder", URL, "Knight"):
        pass


# --- where there is no such name: a lock on a file -------------------------------------------------------


def test_a_locked_file_is_somebody_elses_and_says_whose(tmp_path: Path) -> None:
    path = tmp_path / "state" / "a.lock"
    with holder(str(path)) as first, pytest.raises(Exception, match=str(first.pid)), claim_file(path):
        pass
    with claim_file(path):
        assert path.read_text() == f"{os.getpid()}\n"


def test_a_folder_that_cannot_be_made_is_said_and_the_service_goes_on(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    (tmp_path / "file").touch()
    with claim_file(tmp_path / "file" / "folder" / "a.lock"):
        assert "cannot tell whether another copy runs" in caplog.text


@linux
def test_a_full_disk_does_not_keep_the_service_from_starting(caplog: pytest.LogCaptureFixture) -> None:
    with claim_file(Path("/dev/full")):
        assert "the lock cannot be signed" in caplog.text


def test_the_state_folder_is_systemds_or_the_users(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    assert state_folder({"STATE_DIRECTORY": "/var/lib/knightshift"}) == Path("/var/lib/knightshift")
    assert state_folder({"XDG_STATE_HOME": "/state"}) == Path("/state/knightshift")
    assert state_folder({}) == tmp_path / ".local" / "state" / "knightshift"


def test_a_user_without_a_home_has_a_state_folder_all_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    """As in a container: the service ended with a RuntimeError."""

    def unknown(uid: int) -> None:
        raise KeyError(f"getpwuid(): uid not found: {uid}")

    monkeypatch.delenv("HOME")
    monkeypatch.setattr("pwd.getpwuid", unknown)
    assert state_folder({}).parent == Path(tempfile.gettempdir())
