"""A real `knightshift uci` at the other end of a pair of pipes."""

from __future__ import annotations

import queue
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

ROOT = Path(__file__).parents[2]
COMMAND = [sys.executable, "-m", "bot", "uci"]
#: Whatever is waited for comes much sooner; a busy machine may take its time.
PATIENCE_S = 60.0


class Conversation:
    """Say lines, wait for lines."""

    def __init__(self, process: subprocess.Popen[bytes]) -> None:
        assert process.stdin is not None
        self.process = process
        self._stdin = process.stdin
        self._lines: queue.SimpleQueue[str | None] = queue.SimpleQueue()
        self._reader = threading.Thread(target=self._read)
        self._reader.start()

    def say(self, *lines: str) -> None:
        self.say_bytes("".join(f"{line}\n" for line in lines).encode())

    def say_bytes(self, data: bytes) -> None:
        self._stdin.write(data)
        self._stdin.flush()

    def hear(self, start: str) -> list[str]:
        """All lines up to the first that begins so, which is the last of them."""
        heard: list[str] = []
        while not heard or not heard[-1].startswith(start):
            line = self._lines.get(timeout=PATIENCE_S)
            assert line is not None, f"it ended, and had said: {heard}"
            heard.append(line)
        return heard

    def end(self) -> int:
        """Close its input; the exit code."""
        self._stdin.close()
        code = self.process.wait(PATIENCE_S)
        self._reader.join()
        return code

    def rest(self) -> list[str]:
        """What it said last, once it has ended."""
        lines = []
        while (line := self._lines.get(timeout=PATIENCE_S)) is not None:
            lines.append(line)
        return lines

    def _read(self) -> None:
        assert self.process.stdout is not None
        for line in self.process.stdout:
            self._lines.put(line.decode().rstrip("\n"))
        self._lines.put(None)


@contextmanager
def conversation() -> Iterator[Conversation]:
    process = subprocess.Popen(COMMAND, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    with process:
        talk = Conversation(process)
        try:
            yield talk
            assert talk.end() == 0
        finally:
            process.kill()
            talk._reader.join()
