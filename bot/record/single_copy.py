"""One copy of an account on a machine: two would take each other's events, so the second refuses."""

from __future__ import annotations

import hashlib
import ipaddress
import logging
import os
import socket
import struct
import sys
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from urllib.parse import urlsplit

from bot.errors import KnightshiftError

if sys.platform != "win32":
    import fcntl


log = logging.getLogger(__name__)


class SecondCopyError(KnightshiftError):
    """Another process on this machine serves the account already. Exit code 1."""


@contextmanager
def single_copy(folder: Path, url: str, account: str) -> Iterator[None]:
    """Within, this process is the only one on the machine that serves `account` on `url`.

    The system drops the claim however the process ends, so nothing is left behind by a crash. On Linux it is
    a name in the kernel, the same for all users and state folders; elsewhere a lock on a file of `folder`,
    which is made. Raises SecondCopyError. Where no claim can be made (Windows, a folder that cannot be had)
    it warns.
    """
    name = hashlib.sha256(f"{_plain(url)} {account.lower()}".encode()).hexdigest()[:16]
    claim = claim_name(name) if sys.platform == "linux" else claim_file(folder / f"{name}.lock")
    try:
        with claim:
            yield
    except _TakenError as taken:
        raise SecondCopyError(
            f"{account} on {url} is served already, by process {taken.process} on this machine. "
            "Stop that one first; two would take each other's events."
        ) from None


class _TakenError(Exception):
    def __init__(self, process: str) -> None:
        super().__init__(process)
        self.process = process


@contextmanager
def claim_name(name: str) -> Iterator[None]:
    """Hold the abstract socket address `name` (Linux: unix(7)); it is no file, and dies with us."""
    address = f"\0knightshift-{name}"
    with closing(socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)) as ours:
        try:
            ours.bind(address)
            ours.listen(1)
        except OSError:
            raise _TakenError(_holder(address)) from None
        yield


def _holder(address: str) -> str:
    """The process that listens at `address`, as its kernel says."""
    with closing(socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)) as caller:
        try:
            caller.connect(address)
            peer = caller.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, struct.calcsize("3i"))
        except OSError:  # it is ending this moment
            return "unknown"
    return str(struct.unpack("3i", peer)[0])


@contextmanager
def claim_file(path: Path) -> Iterator[None]:
    """Hold a lock on the file `path`, whose folder is made; it says whose it is."""
    if sys.platform == "win32":
        log.warning("cannot tell whether another copy runs on this machine")
        yield
        return
    try:
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        file = path.open("a+b", buffering=0)
    except OSError as error:
        log.warning("cannot tell whether another copy runs on this machine: %s", error)
        yield
        return
    with file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            file.seek(0)
            raise _TakenError(file.read().decode("ascii", "replace").strip() or "unknown") from None
        except OSError as error:  # a file system without locks
            log.warning("cannot tell whether another copy runs on this machine: %s", error)
        else:
            _sign(file.fileno())
        yield


def _sign(number: int) -> None:
    try:
        os.ftruncate(number, 0)
        os.pwrite(number, f"{os.getpid()}\n".encode("ascii"), 0)
    except OSError as error:  # the disk is full: the lock holds all the same
        log.warning("the lock cannot be signed: %s", error)


def _plain(url: str) -> str:
    """`url`, the same for every way to write the same server: this machine has many names for itself."""
    parts = urlsplit(url.lower())
    host = parts.hostname or ""
    try:
        is_here = host == "localhost" or ipaddress.ip_address(host).is_loopback
    except ValueError:
        is_here = False
    port = parts.port or {"https": 443, "http": 80}.get(parts.scheme, 0)
    return f"{parts.scheme}://{'localhost' if is_here else host}:{port}"
