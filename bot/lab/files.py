"""Writing the files of a run: whole, on the disk where that is asked, or one line on what to do about it."""

from __future__ import annotations

import contextlib
import errno
import os
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path

from bot.errors import BenchError

_ELSEWHERE = "choose another folder with --out"
_REMEDIES = {
    errno.ENOSPC: "make room",
    errno.EDQUOT: "make room",
    errno.EFBIG: "raise the limit for the size of files (ulimit -f)",
    errno.EISDIR: "a folder is in its place: move it away",
    errno.EACCES: _ELSEWHERE,
    errno.EPERM: _ELSEWHERE,
    errno.EROFS: _ELSEWHERE,
    errno.ENOTDIR: _ELSEWHERE,
    errno.EEXIST: _ELSEWHERE,
    errno.ENOENT: _ELSEWHERE,
    errno.ENAMETOOLONG: _ELSEWHERE,
}


class StorageError(BenchError, OSError):
    """A file that cannot be written; the message names it."""


@contextlib.contextmanager
def storing(path: Path, consequence: str = "") -> Iterator[None]:
    """Raises StorageError for an OSError within, as one of writing `path`; `consequence`: what is so then."""
    try:
        yield
    except StorageError:
        raise
    except OSError as error:
        parts = (
            f"{path} cannot be written: {error.strerror or error}",
            _REMEDIES.get(error.errno or 0),
            consequence,
        )
        raise StorageError("; ".join(part for part in parts if part)) from error


def replace_file(path: Path, pieces: Iterable[str], consequence: str = "", *, durable: bool = False) -> None:
    """Write `path` as UTF-8; whatever goes wrong, it is whole, as before or as now, and nothing else is left.

    `durable`: returns when it is on the disk. Raises StorageError.
    """
    replace_bytes(path, (piece.encode() for piece in pieces), consequence, durable=durable)


def replace_bytes(
    path: Path, pieces: Iterable[bytes], consequence: str = "", *, durable: bool = False
) -> None:
    """As `replace_file`, of what is no text."""
    fresh = path.with_name(f"{path.name}.tmp")
    with storing(path, consequence):
        try:
            with fresh.open("wb") as file:
                file.writelines(pieces)
                if durable:
                    file.flush()
                    os.fsync(file.fileno())
            fresh.replace(path)
        except BaseException:
            with contextlib.suppress(OSError):
                fresh.unlink()
            raise
        if durable:
            sync_folder(path.parent)


def write_behind(descriptor: int, size: int, data: bytes) -> None:
    """Write `data` behind the first `size` bytes of a file that is open to append; returns when it is on the
    disk. Raises OSError, and the file has `size` bytes again."""
    try:
        written = 0
        while written < len(data):
            written += os.write(descriptor, data[written:])
        os.fsync(descriptor)
    except OSError:
        os.ftruncate(descriptor, size)
        raise


def sync_folder(folder: Path) -> None:
    """Have the name of a new file on the disk as well."""
    if sys.platform != "win32":
        descriptor = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)
