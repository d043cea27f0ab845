"""Where the strategies' processes come from: one warm process server for all of them.

multiprocessing keeps one fork server for the whole process, so there should be one Nursery. On POSIX systems
a child is forked from that server, which has python-chess and the child's own code imported already; this
process, with its threads and its token, is never forked. Elsewhere each child is a new interpreter.
"""

from __future__ import annotations

import contextlib
import multiprocessing
import os
import signal
import sys
import threading
from collections.abc import Sequence
from dataclasses import dataclass
from multiprocessing import forkserver, resource_tracker
from multiprocessing.connection import wait
from multiprocessing.process import BaseProcess
from pathlib import Path
from typing import Literal

from bot.interrupts import without_interrupts
from bot.strategies import child as child_side
from bot.strategies.child import Link
from bot.strategies.messages import ChildSettings

Method = Literal["forkserver", "spawn"]

#: Starting a process makes multiprocessing poll every other one, with no lock of its own: two threads that
#: read one exit code turn it into 255. Everything that starts or collects a child holds this.
_multiprocessing_lock = threading.Lock()

#: A dead child's exit code is there at once; this much is for a machine that has other things to do.
BURIAL_S = 2.0
#: The exit code of a process that SIGKILL ended.
KILLED = -9
#: What multiprocessing takes for the exit code of a process whose server died before it could tell.
UNTOLD = 255


@dataclass(frozen=True, slots=True)
class Child:
    """A process with a strategy in it, seen from outside. Its host must `bury` it."""

    process: BaseProcess
    pid: int
    link: Link
    stderr: Link | None  # raw bytes, not messages; None where the child keeps ours
    server: int | None = None  # the process id of the process server that it came from; None: there is none

    @property
    def sentinel(self) -> int:
        """Ready for multiprocessing.connection.wait when the process has ended."""
        return self.process.sentinel

    def kill(self) -> None:
        """SIGKILL for the child and for whatever it started itself (an engine, say). Returns at once."""
        if sys.platform == "win32":
            self.process.kill()
            return
        for kill in (os.killpg, os.kill):  # it leads a group from its first moments on, not from the first
            with contextlib.suppress(
                ProcessLookupError, PermissionError
            ):  # gone; macOS says it the second way
                kill(self.pid, signal.SIGKILL)

    def bury(self) -> int:
        """Make sure that it has ended, release what it held here; returns the exit code (-9: signal 9)."""
        self.kill()  # no effect on the exit code of a process that has ended or is about to
        with _multiprocessing_lock:
            self.process.join(BURIAL_S)
            exit_code = self.process.exitcode
            if exit_code is not None:
                self.process.close()
        self.link.close()
        if self.stderr is not None:
            self.stderr.close()
        return KILLED if exit_code is None else exit_code  # None: stuck in the kernel, which will end it

    def lost_its_server(self, exit_code: int) -> bool:
        """Whether it ended because the process server that it came from did; `exit_code` as of `bury`."""
        if exit_code != UNTOLD or self.server is None:
            return False
        return self.server != _server() or _has_ended(self.server)


class Nursery:
    """Starts children. Any thread may use it.

    `preload` names modules that the process server imports in advance. They must be the project's own: one
    that fails on import with anything but ImportError takes the server down.
    """

    def __init__(self, *, preload: Sequence[str] = (), method: Method | None = None) -> None:
        if method is None:
            method = "forkserver" if "forkserver" in multiprocessing.get_all_start_methods() else "spawn"
        self._method = method
        self._context = multiprocessing.get_context(method)
        self._preload = [
            "bot.orphans",
            "bot.strategies.child",
            "chess.variant",
            *_imports_of_main(),
            *preload,
        ]
        self._closed = False

    def warm(self) -> None:
        """Have the process server started; it does its imports by itself while this returns."""
        with _multiprocessing_lock:
            self._ensure_server()

    def launch(self, settings: ChildSettings, *, name: str) -> Child:
        """Start a process that runs `bot.strategies.child.run`.

        Waits for the process server, which takes some 3 ms when it is warm. Raises OSError or EOFError when
        no process can be had.
        """
        ours, theirs = self._context.Pipe(duplex=True)
        out, into = (None, None) if sys.platform == "win32" else self._context.Pipe(duplex=False)
        try:
            process = self._context.Process(  # type: ignore[attr-defined]  # typeshed: on the concrete contexts
                target=child_side.run, args=(theirs, into, settings), name=name, daemon=False
            )
            with _multiprocessing_lock:
                self._ensure_server()
                process.start()
                server = _server() if self._method == "forkserver" else None
        except BaseException:
            ours.close()
            if out is not None:
                out.close()
            raise
        finally:
            theirs.close()
            if into is not None:
                into.close()
        if out is not None and sys.platform != "win32":
            os.set_blocking(out.fileno(), False)
        return Child(process, process.pid, ours, out, server)

    def servers(self) -> frozenset[int]:
        """The processes that multiprocessing itself has for children of this one: its process server, and the
        tracker that comes with it. There is no public name for either."""
        tracker = getattr(getattr(resource_tracker, "_resource_tracker", None), "_pid", None)
        return frozenset(pid for pid in (_server(), tracker) if isinstance(pid, int))

    def close(self) -> None:
        """Stop the process server; children that still live are killed with it.

        Without this it ends with our process, by itself. multiprocessing has no public way to stop it
        earlier, hence the private name; its resource tracker is left alone, for it may serve others, and
        ends with our process too.
        """
        self._closed = True
        stop = getattr(forkserver, "_forkserver", None) and getattr(forkserver._forkserver, "_stop", None)
        if self._method == "forkserver" and stop is not None:
            with _multiprocessing_lock:
                stop()

    def _ensure_server(self) -> None:
        if self._closed:
            raise RuntimeError("the nursery is closed")
        if self._method == "forkserver":
            self._context.set_forkserver_preload(self._preload)
            resource_tracker.ensure_running()  # it lets interrupts through again when it starts
            # The process server ignores Ctrl-C only after its imports, and would die of it before.
            with without_interrupts():
                forkserver.ensure_running()


def _server() -> int | None:
    """The process id of this process's own process server; there is no public name for it."""
    pid = getattr(getattr(forkserver, "_forkserver", None), "_forkserver_pid", None)
    return pid if isinstance(pid, int) else None


def _has_ended(pid: int) -> bool:
    """Whether our child `pid` has ended, or does so now: its pipes are closed a moment before."""
    if sys.platform != "linux":
        return True  # what else could have kept an exit code from us
    try:
        descriptor = os.pidfd_open(pid)
    except OSError:  # it is no more
        return True
    try:
        return bool(wait([descriptor], BURIAL_S))
    finally:
        os.close(descriptor)


def _imports_of_main() -> list[str]:
    """What every child would import again and again because multiprocessing re-runs a main script.

    `python -m bot` is not re-run; the installed script is, and all it does is to import `bot.cli`.
    """
    path = getattr(sys.modules["__main__"], "__file__", None)
    return ["bot.cli"] if path is not None and Path(path).stem == "knightshift" else []
