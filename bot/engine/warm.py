"""Is the engine compiled, and compiling it ahead: in a process of its own. Nothing here imports numba."""

from __future__ import annotations

import contextlib
import importlib.util
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from importlib import metadata
from pathlib import Path
from typing import Literal

from bot.engine import seal
from bot.engine.cache import prepare, prune
from bot.errors import KnightshiftError
from bot.timing.clock import Clock

if sys.platform != "win32":
    import fcntl

#: - "ready": it loads from the cache, in less than a second or two.
#: - "cold": it has to be compiled first, which takes half a minute or so.
#: - "missing": numba, which compiles it, is not installed.
Readiness = Literal["ready", "cold", "missing"]

NO_NUMBA = "numba is not installed, so the compiled engine cannot play"


class WarmError(KnightshiftError):
    """The engine could not be compiled, or its code could not be kept. Exit code 1."""


@dataclass(frozen=True, slots=True)
class Warmed:
    """What became of it. `compile_s` is 0 where everything was there already; `load_s` is what a new process
    takes to start from now on: seconds both."""

    directory: Path
    functions: int
    compile_s: float
    load_s: float


def readiness() -> Readiness:
    """How things stand at this moment. Takes some milliseconds; damaged code is removed on the way."""
    directory = _directory()
    if directory is None:
        return "missing"
    return "ready" if seal.examine(directory) == "whole" else "cold"


def is_warm() -> bool:
    """Whether importing the engine would compile nothing."""
    return readiness() == "ready"


def start_warming() -> subprocess.Popen[bytes]:
    """Have another process compile the engine, quietly; returns at once. The caller waits for it, or ends it.

    Several at a time do no harm: all but one wait, and find everything done.
    """
    return subprocess.Popen(
        [sys.executable, "-m", "bot", "warm", "--quiet"],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )


def warm(clock: Clock, tell: Callable[[str], None], wait: Callable[[], None]) -> Warmed:
    """Compile what is not compiled, and prove that a new process can load it.

    `tell` is called with the name of each function when it is begun. `wait` is called if another process is
    compiling already, before this one waits for it. Raises WarmError.
    """
    directory = _directory()
    if directory is None:
        raise WarmError(NO_NUMBA)
    with _alone(directory.parent, wait):
        compile_s = 0.0
        if seal.examine(directory) != "whole":
            began = clock.monotonic()
            _compile(directory, tell)
            compile_s = clock.monotonic() - began
        began = clock.monotonic()
        functions, compiled = _load(lambda _: None)
        load_s = clock.monotonic() - began
        if compiled:
            raise WarmError(f"{compiled} of {functions} functions cannot be kept in {directory}")
        seal.seal(directory)
        prune(directory, now=clock.wall())
    return Warmed(directory, functions, compile_s, load_s)


def _directory() -> Path | None:
    """Where the code is kept, or will be; None without numba."""
    if importlib.util.find_spec("numba") is None:
        return None
    try:
        return prepare()
    except metadata.PackageNotFoundError:
        return None


def _compile(directory: Path, tell: Callable[[str], None]) -> None:
    """Fill the directory. What an unfinished attempt left there is used, unless that goes wrong."""
    try:
        _load(tell)
    except WarmError:
        if not any(directory.iterdir()):
            raise
        shutil.rmtree(directory)
        directory.mkdir()
        _load(tell)


def _load(tell: Callable[[str], None]) -> tuple[int, int]:
    """Load the engine in a new process; returns how many functions there are, and how many it compiled."""
    with tempfile.TemporaryFile() as errors:
        with subprocess.Popen(
            [sys.executable, "-m", "bot.engine.load_all"],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=errors,
            text=True,
        ) as process:
            assert process.stdout is not None  # noqa: S101  it is a pipe
            try:
                for line in process.stdout:
                    if line.startswith("done "):
                        _, functions, compiled = line.split()
                        return int(functions), int(compiled)
                    tell(line.strip())
            except BaseException:
                process.kill()
                raise
        errors.seek(0)
        said = errors.read().decode(errors="replace").strip().splitlines()
    raise WarmError(
        f"loading the engine failed with exit code {process.returncode}"
        + (f": {said[-1]}" if said else "; it said nothing")
    )


@contextlib.contextmanager
def _alone(folder: Path, wait: Callable[[], None]) -> Iterator[None]:
    """Within, no other process on this machine compiles; without file locks (Windows) one may."""
    if sys.platform == "win32":
        yield
        return
    with (folder / "warm.lock").open("a") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            wait()
            fcntl.flock(file, fcntl.LOCK_EX)
        os.utime(file.fileno())
        yield
