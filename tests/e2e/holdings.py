"""What a process holds: threads, open files, children. On Linux, where /proc tells."""

from __future__ import annotations

import os
import threading
from dataclasses import dataclass
from pathlib import Path

from tests.hosting import is_running, wait_until


@dataclass(frozen=True)
class Holdings:
    """Threads, open files and sockets, and descendants of this process."""

    threads: frozenset[str]
    files: tuple[str, ...]
    children: frozenset[int]


def holdings() -> Holdings:
    names = {thread.native_id: thread.name for thread in threading.enumerate()}
    tasks = frozenset(
        f"{task.name} {names.get(int(task.name))}" for task in Path("/proc/self/task").iterdir()
    )
    files = []
    for entry in Path("/proc/self/fd").iterdir():
        try:
            files.append(str(entry.readlink()))
        except OSError:  # the one that lists this directory
            continue
    return Holdings(tasks, tuple(sorted(files)), descendants(os.getpid()))


def descendants(pid: int) -> frozenset[int]:
    """The running processes below `pid`."""
    parents: dict[int, int] = {}
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                stat = (entry / "stat").read_text()
            except OSError:  # gone meanwhile
                continue
            parents[int(entry.name)] = int(stat.rpartition(")")[2].split()[1])
    found: set[int] = set()
    waiting = [pid]
    while waiting:
        parent = waiting.pop()
        children = {child for child, its_parent in parents.items() if its_parent == parent} - found
        found |= children
        waiting.extend(children)
    return frozenset(child for child in found if is_running(child))


def holds_no_more(now: Holdings, before: Holdings) -> bool:
    return (
        len(now.threads) <= len(before.threads)
        and len(now.files) <= len(before.files)
        and now.children <= before.children
    )


def nothing_is_left(before: Holdings) -> None:
    """Assert that this process holds what it held `before`; waits for what is on its way out."""
    try:
        wait_until(lambda: holds_no_more(holdings(), before), "nothing more is held than before")
    except AssertionError:
        now = holdings()
        gained = sorted(now.threads - before.threads), sorted(now.children - before.children)
        files = len(before.files), len(now.files), [file for file in now.files if file not in before.files]
        raise AssertionError(f"left behind: threads and children {gained}, files {files}") from None
