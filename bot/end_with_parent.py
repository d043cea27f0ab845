"""For child processes of `multiprocessing`: none outlives the process that began it."""

from __future__ import annotations

import multiprocessing
import os
import threading
from multiprocessing.connection import wait


def end_with_parent() -> None:
    """From now on this process ends as soon as its parent has, whatever it is doing then."""
    threading.Thread(target=_wait_for_its_end, name="parent's end", daemon=True).start()


def _wait_for_its_end() -> None:
    parent = multiprocessing.parent_process()
    if parent is not None:
        wait([parent.sentinel])
        os._exit(1)
