"""Where the compiled code is kept: a directory named by all that it was made from.

numba looks only at the file in which a function is defined. A change in another file (a callee, a table)
would leave stale code behind, so every state of the sources has a directory of its own.
"""

from __future__ import annotations

import contextlib
import hashlib
import logging
import os
import shutil
import sys
import tempfile
from collections.abc import Mapping
from importlib import metadata
from pathlib import Path

from bot.engine import seal

#: Of the directories of other sources so many are kept, and those used within so many seconds: another
#: version may be running.
KEPT, KEPT_S = 2, 3600.0
#: What the compiled code depends on, besides the sources.
COMPILED_WITH = ("numba", "llvmlite", "numpy")

_log = logging.getLogger(__name__)


def generation(sources: Path | None = None) -> str:
    """The name of the directory for the engine's sources as they are now, where they are, this Python and all
    that compiles them. (Where: for numba the same sources in another place are others.)

    Raises importlib.metadata.PackageNotFoundError where numba is not installed.
    """
    folder = (sources or Path(__file__).parent).resolve()
    digest = hashlib.sha256(os.fsencode(folder))
    for path in sorted(folder.glob("*.py")):
        digest.update(path.name.encode() + b"\0" + path.read_bytes() + b"\0")
    for package in COMPILED_WITH:  # code that was compiled with another version proves nothing about this one
        digest.update(f"{package} {metadata.version(package)}\0".encode())
    return f"{digest.hexdigest()[:16]}-{metadata.version('numba')}-{sys.implementation.cache_tag}"


def base(environ: Mapping[str, str]) -> Path | None:
    """What the user chose (NUMBA_CACHE_DIR), else the service manager (CACHE_DIRECTORY of systemd, the first
    of several), else the user's own cache directory (XDG); None for a user without a home."""
    if chosen := environ.get("NUMBA_CACHE_DIR"):
        return Path(chosen)
    if services := environ.get("CACHE_DIRECTORY"):
        return Path(services.split(":")[0])
    xdg = environ.get("XDG_CACHE_HOME", "")
    if Path(xdg).is_absolute():
        return Path(xdg)
    try:
        return Path(environ.get("HOME") or "~").expanduser() / ".cache"
    except RuntimeError:  # HOME is not set, and the system does not know the user: so in many containers
        return None


def prepare() -> Path:
    """Point numba to the directory of this generation, made if need be, and return it.

    Must come before the first function is compiled, and in each process. Damaged code is removed, so that it
    is compiled anew. Where nothing can be written, the code is compiled into a temporary directory. The log
    tells of both.
    """
    name = generation()
    chosen = base(os.environ)
    if chosen is not None and chosen.name == name:  # a parent process has been here
        return chosen
    if chosen is None:
        chosen = _temporary(name, "anywhere (the user has no home, and NUMBA_CACHE_DIR is not set)")
    else:
        chosen = _usable(chosen / "knightshift" / name)
    os.environ["NUMBA_CACHE_DIR"] = str(chosen)
    return chosen


def prune(current: Path, *, now: float) -> list[Path]:
    """Remove the directories of other generations beside `current`, but for the last few that were used.

    `now` in seconds since the Unix epoch. Returns what was removed.
    """
    others = []
    for path in current.parent.iterdir():
        if path != current and path.is_dir():
            with contextlib.suppress(OSError):  # somebody else removed it
                others.append((path.stat().st_mtime, path))
    others.sort(reverse=True)
    removed = [path for used, path in others[KEPT:] if now - used > KEPT_S]
    for path in removed:
        shutil.rmtree(path, ignore_errors=True)  # not ours, or in use on Windows: it may stay
    return removed


def _usable(wanted: Path) -> Path:
    try:
        if seal.examine(wanted) == "damaged":
            _log.warning("the engine's code in %s is damaged: what is wrong is compiled anew", wanted)
            seal.mend(wanted)
        wanted.mkdir(parents=True, exist_ok=True)
        os.utime(wanted)  # it is in use
        with tempfile.TemporaryFile(dir=wanted):  # numba would raise at its first function
            pass
    except OSError as error:
        return _temporary(wanted.name, f"in {wanted} ({error.strerror})")
    return wanted


def _temporary(name: str, where_not: str) -> Path:
    """A directory for this process and those that it starts."""
    instead = Path(tempfile.mkdtemp(prefix="knightshift-")) / name
    instead.mkdir()
    _log.warning("the engine's code cannot be kept %s: using %s", where_not, instead)
    return instead
