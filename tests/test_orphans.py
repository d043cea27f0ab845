"""A child that nobody tells what to run: its starter was killed in the midst of starting it."""

from __future__ import annotations

import subprocess
import sys

import pytest

#: As a process server does with a child, whose pipe ends at once; then with an error of another kind.
SERVER = """
import os, sys
from multiprocessing import spawn
import bot.orphans
reader, writer = os.pipe()
os.write(writer, {data!r})
os.close(writer)
try:
    spawn._main(reader, None)
except Exception:
    sys.excepthook(*sys.exc_info())
"""


@pytest.mark.parametrize(("data", "says"), [(b"", ""), (b"rubbish\n", "UnpicklingError")])
def test_a_signal_while_a_process_was_being_started_ended_in_a_traceback(data: bytes, says: str) -> None:
    done = subprocess.run(
        [sys.executable, "-c", SERVER.format(data=data)], capture_output=True, text=True, check=True
    )
    assert says in done.stderr
    assert bool(done.stderr) == bool(says)


def test_other_errors_are_told() -> None:
    script = "import bot.orphans; open('/nowhere/at/all')"
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert "FileNotFoundError" in done.stderr
