"""Files of a run that cannot be written: which one, why, and what to do about it, in one line."""

from __future__ import annotations

import contextlib
import errno
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


def replace_file(path: Path, pieces: Iterable[str], consequence: str = "") -> None:
    """Write `path` as UTF-8; whatever goes wrong, it is whole, as before or as now, and nothing else is left.

    Raises StorageError.
    """
    fresh = path.with_name(f"{path.name}.tmp")
    with storing(path, consequence):
        try:
            with fresh.open("w", encoding="utf-8") as file:
                file.writelines(pieces)
            fresh.replace(path)
        except BaseException:
            with contextlib.suppress(OSError):
                fresh.unlink()
            raise
