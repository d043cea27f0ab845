"""What a dying process leaves behind, told in one line: its exit code and the end of its stderr."""

from __future__ import annotations

import signal
from collections import deque

#: No more of a process's stderr than this is ever kept.
MAX_LINES, MAX_LINE_BYTES = 20, 400
#: How much of it goes into a reason.
SUMMARY_LINES, SUMMARY_CHARS = 3, 300

FATAL = "Fatal Python error"  # how the report of Python's faulthandler begins


class StderrTail:
    """The last lines of a stream of bytes, in bounded memory whatever the stream holds."""

    def __init__(self) -> None:
        self._lines: deque[str] = deque(maxlen=MAX_LINES)
        self._partial = b""

    def hear(self, data: bytes) -> list[str]:
        """Take the next bytes; returns the lines they complete, printable and without line ends.

        A line is cut after MAX_LINE_BYTES bytes; empty lines are dropped.
        """
        first, *rest = data.split(b"\n")
        ends = [self._partial + first[:MAX_LINE_BYTES], *rest]
        self._partial = ends.pop()[:MAX_LINE_BYTES]
        lines = [line for end in ends if (line := _printable(end[:MAX_LINE_BYTES]))]
        self._lines.extend(lines)
        return lines

    def lines(self) -> list[str]:
        """The last lines, oldest first; the last of them need not have ended yet."""
        partial = _printable(self._partial)
        return [*self._lines, partial][-MAX_LINES:] if partial else list(self._lines)

    def summary(self) -> str:
        """The telling end in one line: the place of a crash where Python knew it, else the last lines.

        "" when the process said nothing.
        """
        lines = self.lines()
        fatal = [number for number, line in enumerate(lines) if line.startswith(FATAL)]
        if fatal:
            report = lines[fatal[-1] :]
            telling = [report[0], *(line for line in report if line.startswith("File "))]
        else:
            telling = lines[-SUMMARY_LINES:]
        return " | ".join(telling[:SUMMARY_LINES])[-SUMMARY_CHARS:]


def describe_exit(exit_code: int, summary: str = "") -> str:
    """How a process ended, in words. A negative `exit_code` is a signal's number, as in multiprocessing."""
    if exit_code < 0:
        how = f"its process was killed by signal {-exit_code} ({_signal_name(-exit_code)})"
        if -exit_code == getattr(signal, "SIGKILL", None):
            how += ", maybe out of memory"
    else:
        how = f"its process ended with exit code {exit_code}"
    return f"{how}; last words: {summary}" if summary else how


def _signal_name(number: int) -> str:
    try:
        return signal.Signals(number).name
    except ValueError:
        return "unknown"


def _printable(raw: bytes) -> str:
    text = raw.decode("utf-8", "backslashreplace").strip()
    return "".join(char if char.isprintable() else " " for char in text)
