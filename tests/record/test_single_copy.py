"""The lock of one account on one machine."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from bot.record.single_copy import SecondCopyError, single_copy
from bot.record.state_folder import state_folder

HOLDER = """
import sys
from pathlib import Path
from bot.record.single_copy import single_copy
with single_copy(Path(sys.argv[1]), "https://lichess.org", "knight"):
    print("locked", flush=True)
    sys.stdin.read()
"""


def test_a_second_copy_is_refused_and_told_which_process_is_the_first(tmp_path: Path) -> None:
    with subprocess.Popen(
        [sys.executable, "-c", HOLDER, str(tmp_path)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    ) as first:
        assert first.stdout is not None
        assert first.stdout.readline() == "locked\n"
        with (
            pytest.raises(SecondCopyError, match=f"served already, by process {first.pid} on this machine"),
            single_copy(tmp_path, "https://lichess.org", "knight"),
        ):
            pass
        with single_copy(tmp_path, "https://lichess.org", "another"):
            pass
        first.send_signal(signal.SIGKILL)
        first.wait(10)
    with single_copy(tmp_path, "https://lichess.org", "knight"):
        locks = list(tmp_path.iterdir())
        assert [path.read_text() for path in locks] == [f"{os.getpid()}\n"] * 2


def test_a_folder_that_cannot_be_made_is_said_and_the_service_goes_on(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    (tmp_path / "file").touch()
    with single_copy(tmp_path / "file" / "folder", "https://lichess.org", "knight"):
        assert "cannot tell whether another copy runs" in caplog.text


def test_the_state_folder_is_systemds_or_the_users(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    assert state_folder({"STATE_DIRECTORY": "/var/lib/knightshift"}) == Path("/var/lib/knightshift")
    assert state_folder({"XDG_STATE_HOME": "/state"}) == Path("/state/knightshift")
    assert state_folder({}) == tmp_path / ".local" / "state" / "knightshift"
