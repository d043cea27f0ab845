"""The command line as processes of their own: started, heard, ended, and nothing of them left behind."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import threading
import uuid
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import IO, Self

from tests.hosting import is_running

PATIENCE_S = 100.0  # generous: only a failing test ever waits so long

#: In the environment of every process that a test starts, and so of whatever that one starts.
MARK = "KNIGHTSHIFT_E2E"


class Program:
    """`python -m bot ARGUMENTS` in a process of its own; everything it prints is kept."""

    def __init__(
        self,
        *arguments: str,
        cwd: Path,
        env: Mapping[str, str] | None = None,
        stdin: str | bytes | None = None,
        own_session: bool = False,
    ) -> None:
        self._mark = uuid.uuid4().hex
        self._process = subprocess.Popen(
            [sys.executable, "-m", "bot", *arguments],
            cwd=cwd,
            env={**clean_environment(), "XDG_STATE_HOME": str(cwd), **(env or {}), MARK: self._mark},
            stdin=subprocess.DEVNULL if stdin is None else subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            start_new_session=own_session,
        )
        self._news = threading.Condition()
        self._silent = 0  # of its two outputs
        self.printed: list[str] = []
        self.logged: list[str] = []
        self._readers = [
            threading.Thread(target=self._read, args=(stream, lines), daemon=True)
            for stream, lines in ((self._process.stdout, self.printed), (self._process.stderr, self.logged))
        ]
        for reader in self._readers:
            reader.start()
        if stdin is not None and self._process.stdin is not None:
            self._process.stdin.write(stdin if isinstance(stdin, bytes) else stdin.encode())
            self._process.stdin.close()

    def _read(self, stream: IO[bytes], lines: list[str]) -> None:
        with stream:
            for line in stream:
                with self._news:
                    lines.append(line.decode("utf-8", "backslashreplace").rstrip("\n"))
                    self._news.notify_all()
        with self._news:
            self._silent += 1
            self._news.notify_all()

    @property
    def pid(self) -> int:
        return self._process.pid

    @property
    def stdout(self) -> str:
        return "\n".join(self.printed)

    @property
    def stderr(self) -> str:
        return "\n".join(self.logged)

    def wait_for(self, pattern: str, *, count: int = 1) -> list[str]:
        """The lines, printed or logged, that match; waits until there are `count` of them."""

        def found() -> list[str]:
            return [line for line in (*self.printed, *self.logged) if re.search(pattern, line)]

        with self._news:
            self._news.wait_for(lambda: len(found()) >= count or self._silent == 2, PATIENCE_S)
        assert len(found()) >= count, (
            f"waited in vain for {count} x {pattern!r} in:\n{self.stdout}\n{self.stderr}"
        )
        return found()

    def signal(self, number: signal.Signals) -> None:
        self._process.send_signal(number)

    def exit_code(self) -> int:
        """Wait for the end. All output is there afterwards."""
        try:
            code = self._process.wait(PATIENCE_S)
        except subprocess.TimeoutExpired:
            raise AssertionError(f"still running after {PATIENCE_S:g} s:\n{self.stderr}") from None
        for reader in self._readers:
            reader.join(PATIENCE_S)
        return code

    def family(self) -> list[int]:
        """The ids of the running processes that descend from this one, and its own, whoever owns them now."""
        needle = f"{MARK}={self._mark}".encode()
        found = []
        for entry in Path("/proc").iterdir():
            try:
                if entry.name.isdigit() and needle in (entry / "environ").read_bytes().split(b"\0"):
                    found.append(int(entry.name))
            except OSError:  # somebody else's, or gone meanwhile
                continue
        return [pid for pid in found if is_running(pid)]

    def leaves_nobody(self) -> None:
        """Assert that, the program having ended, all that it started ends too (on Linux, which can tell)."""
        if sys.platform != "linux":
            return
        pause = threading.Event()
        for _ in range(int(PATIENCE_S / 0.02)):
            if not (left := self.family()):
                return
            pause.wait(0.02)
        raise AssertionError(f"left behind: {[_command_line(pid) for pid in left]}\n{self.stderr}")

    def kill(self) -> None:
        """End it and all that it started, whatever it is doing. For the end of a test that failed."""
        if sys.platform == "linux":
            for pid in self.family():
                _kill(pid)
        self._process.kill()
        self._process.wait(PATIENCE_S)
        for reader in self._readers:
            reader.join(PATIENCE_S)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: object, error: BaseException | None, traceback: object) -> None:
        """Whatever the test did, no process is left; a failing test shows the log."""
        self.kill()
        if error is not None:
            error.add_note(f"--- the program's log ---\n{self.stderr}")


def _kill(pid: int) -> None:
    with suppress(ProcessLookupError):
        os.kill(pid, signal.SIGKILL)


def _command_line(pid: int) -> str:
    try:
        return f"{pid}: {Path(f'/proc/{pid}/cmdline').read_bytes().replace(bytes(1), b' ').decode()}"
    except OSError:
        return f"{pid}: gone now"


def clean_environment() -> dict[str, str]:
    """Ours, without what would change the bot's behaviour; wide enough that no line is wrapped."""
    hidden = ("LICHESS_BOT_TOKEN", "JOURNAL_STREAM", "NOTIFY_SOCKET", "STATE_DIRECTORY", "FORCE_COLOR")
    return {**{name: value for name, value in os.environ.items() if name not in hidden}, "COLUMNS": "400"}


def run_to_end(
    *arguments: str, cwd: Path, env: Mapping[str, str] | None = None, stdin: str | bytes | None = None
) -> Program:
    """A program that ends by itself, after its end. It has left nobody behind."""
    with Program(*arguments, cwd=cwd, env=env, stdin=stdin) as program:
        program.exit_code()
        program.leaves_nobody()
    return program
