"""Log lines leave through a thread of their own: whoever plays never waits for whoever reads.

A terminal that was halted with Ctrl-S, a paused pager or a full pipe would else hold up the game that logs.
"""

from __future__ import annotations

import contextlib
import io
import logging
import os
import queue
import threading
from typing import TextIO

#: So many lines wait for a reader; what comes beyond them is counted and lost.
MOST_WAITING = 10_000
#: At its end the process waits this long for its last lines to be read.
LAST_WORDS_S = 1.0


class PatientHandler(logging.Handler):
    """Writes to `stream`, in order. `flush` waits until all that was logged is written, or a little while."""

    def __init__(self, stream: TextIO) -> None:
        super().__init__()
        self._stream = stream
        self._lines: queue.Queue[str] = queue.Queue(MOST_WAITING)
        self._lost = 0  # guarded by the handler's own lock, which is held during `emit`
        self._idle = threading.Condition()
        self._unwritten = 0  # guarded by `_idle`
        self._thread = threading.Thread(target=self._write_on, name="log", daemon=True)
        self._thread.start()

    def emit(self, record: logging.LogRecord) -> None:
        try:
            line = self.format(record)
        except Exception:  # noqa: BLE001  a line that cannot be formatted must not end what wanted to log it
            self.handleError(record)
            return
        if self._lost:
            line = f"({self._lost} lines are missing here: nobody read them in time)\n{line}"
        with self._idle:
            self._unwritten += 1
        try:
            self._lines.put_nowait(line)
        except queue.Full:
            self._lost += 1
            self._written()
        else:
            self._lost = 0

    def flush(self) -> None:
        with self._idle:
            self._idle.wait_for(lambda: not self._unwritten, LAST_WORDS_S)

    def _write_on(self) -> None:
        while True:
            line = self._lines.get()
            with contextlib.suppress(OSError, ValueError):  # nobody is there to read, nor ever will be
                self._write(f"{line}\n")
            self._written()

    def _write(self, text: str) -> None:
        try:
            number = self._stream.fileno()
        except io.UnsupportedOperation:  # no file: a test's
            self._stream.write(text)
            return
        # Not into the stream's own buffer: a write that hangs would hold it, and with it the process's end.
        data = memoryview(text.encode(self._stream.encoding or "utf-8", "backslashreplace"))
        while data:
            data = data[os.write(number, data) :]

    def _written(self) -> None:
        with self._idle:
            self._unwritten -= 1
            self._idle.notify_all()
