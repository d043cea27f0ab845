"""The most that can be asked of the engine, wherever it is asked."""

from __future__ import annotations

#: MiB; larger tables than this fit no machine that would run it.
MOST_HASH = 65_536
MOST_THREADS = 64
