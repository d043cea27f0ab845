"""Ctrl-C and SIGTERM at the worst of moments, in a process of its own."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from tests.hosting import PATIENCE_S, ROOT

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="signals of POSIX")

#: The command line, with a verb in which the signal comes while Python clears something away.
SWALLOWS = """
import signal, sys, threading
import bot.__main__, bot.cli

class Callback:
    def __del__(self):
        {raises}

def verb():
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(128 + signal.SIGTERM))
    Callback()
    threading.Event().wait({patience_s})
    print("nobody ended it")

bot.cli.main = verb
bot.__main__.main()
"""


def ended(raises: str, *, patience_s: float) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-c", SWALLOWS.format(raises=raises, patience_s=patience_s)],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=2 * PATIENCE_S,
        check=False,
    )


@pytest.mark.parametrize(("number", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
def test_a_signal_in_the_midst_of_a_callback_was_a_traceback_and_ended_nothing(
    number: signal.Signals, code: int
) -> None:
    done = ended(f"signal.raise_signal({int(number)})", patience_s=PATIENCE_S)
    assert (done.returncode, done.stdout, done.stderr) == (code, "", "")


def test_ctrl_c_while_a_dataclass_is_made_ended_with_another_exit_code(tmp_path: Path) -> None:
    """Not with 130, but by the signal: CPython remembers where it came; see `bot.__main__`."""
    (tmp_path / "begins.py").write_text(
        "import bot.__main__, bot.cli\n"
        "def verb():\n"
        "    exec('raise KeyboardInterrupt')\n"
        "bot.cli.main = verb\n"
        "bot.__main__.main()\n"
    )
    done = subprocess.run(
        [sys.executable, "-m", "begins"],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        timeout=PATIENCE_S,
        check=False,
    )
    assert (done.returncode, done.stderr) == (130, "")


def test_other_errors_of_a_callback_are_told_as_ever() -> None:
    done = ended("raise ValueError('a bug')", patience_s=0.0)
    assert (done.returncode, done.stdout) == (0, "nobody ended it\n")
    assert "ValueError: a bug" in done.stderr
