"""Processes that a player has started apart from itself, in a session of their own, say: they outlive it.

On Linux a process can have such orphans handed to itself instead of to init; elsewhere they are not found.
"""

from __future__ import annotations

import contextlib
import ctypes
import os
import signal
import sys
from collections.abc import Collection
from pathlib import Path

PR_SET_CHILD_SUBREAPER = 36  # linux/prctl.h
#: Whoever kills a process gets the children of that one; so deep is looked.
GENERATIONS = 20


def adopt() -> None:
    """From now on, orphans among this process's descendants become its children."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)


def children() -> frozenset[int]:
    """Process ids of this process's children; none where the system does not tell."""
    own = str(os.getpid())
    found = set()
    for file in Path("/proc").glob("[0-9]*/stat"):
        with contextlib.suppress(OSError):  # it has ended meanwhile
            # PID (NAME) STATE PARENT ...; the name may hold anything
            if file.read_text(errors="replace").rpartition(")")[2].split()[1] == own:
                found.add(int(file.parent.name))
    return frozenset(found)


def end_strays(known: Collection[int]) -> int:
    """SIGKILL for all children but those, and for what they leave behind; returns how many there were.

    Only for a process that knows all children that it is to have.
    """
    ended = 0
    for _ in range(GENERATIONS):
        strays = children() - set(known)
        if not strays:
            break
        for pid in strays:
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.kill(pid, signal.SIGKILL)
            with contextlib.suppress(ChildProcessError):
                os.waitpid(pid, 0)
                ended += 1
    return ended
