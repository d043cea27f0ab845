"""Files that only grow, a line at a time: one process at a time writes, and what it wrote is on the disk."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from bot.errors import UserError
from bot.lab.files import storing, sync_folder, write_behind

if sys.platform != "win32":
    import fcntl


def append_line(path: Path, line: str) -> None:
    """Write `line`, which has no line feed, behind the whole lines that are there; a torn one is overwritten.

    Returns when it is on the disk. Raises StorageError when it cannot be written; then the file is as before,
    but for the torn line.
    """
    with storing(path):
        _append(path, line)


def _append(path: Path, line: str) -> None:
    is_new = not path.exists()
    with path.open("a+b", buffering=0) as file:
        if sys.platform != "win32":
            fcntl.flock(file, fcntl.LOCK_EX)
        file.seek(0)
        before = file.read()
        size = before.rfind(b"\n") + 1
        os.ftruncate(file.fileno(), size)
        write_behind(file.fileno(), size, f"{line}\n".encode())
    if is_new:
        sync_folder(path.parent)


@contextmanager
def folder_locked(folder: Path, refusal: str | None = None) -> Iterator[None]:
    """Nobody else who asks for the same is within; waits for its turn or, where there is a `refusal`, raises
    UserError with it. Raises StorageError without the folder."""
    if sys.platform == "win32":
        yield
        return
    with storing(folder):
        descriptor = os.open(folder, os.O_RDONLY)
    try:
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX if refusal is None else fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise UserError(refusal) from None
        yield
    finally:
        os.close(descriptor)
