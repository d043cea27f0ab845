"""One copy of an account on a machine: two would take each other's events, so the second refuses."""

from __future__ import annotations

import hashlib
import logging
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from bot.errors import KnightshiftError

if sys.platform != "win32":
    import fcntl


log = logging.getLogger(__name__)


class SecondCopyError(KnightshiftError):
    """Another process on this machine serves the account already. Exit code 1."""


@contextmanager
def single_copy(folder: Path, url: str, account: str) -> Iterator[None]:
    """Within, this process is the only one on the machine that serves `account` on `url`.

    A lock on a file of `folder`, which is made; the system drops it however the process ends, so nothing is
    left behind by a crash. Raises SecondCopyError. Without file locks (Windows) it does nothing, and where
    `folder` cannot be had it warns.
    """
    if sys.platform == "win32":
        yield
        return
    name = hashlib.sha256(f"{url} {account}".encode()).hexdigest()[:16]
    path = folder / f"{name}.lock"
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        file = path.open("a+", encoding="ascii")
    except OSError as error:
        log.warning("cannot tell whether another copy runs on this machine: %s", error)
        yield
        return
    with file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            file.seek(0)
            other = file.read().strip() or "unknown"
            raise SecondCopyError(
                f"{account} on {url} is served already, by process {other} on this machine ({path}). "
                "Stop that one first; two would take each other's events."
            ) from None
        file.truncate(0)
        file.write(f"{os.getpid()}\n")
        file.flush()
        yield
