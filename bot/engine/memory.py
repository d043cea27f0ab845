"""How large a transposition table may be on this machine."""

from __future__ import annotations

import os
from pathlib import Path

#: Of the memory that is to be had, a table takes at most this part.
SHARE = 0.5
#: Where nothing can be found out: of the most that an option may ask for.
UNKNOWN_MIB = 1024
_LIMITS = ("/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory/memory.limit_in_bytes")


def most_mib() -> int:
    """MiB, at least 1: half of the memory that is free now, or that this container may have."""
    found = [size for size in (_available(), *map(_limit, _LIMITS)) if size is not None]
    if not found:
        return UNKNOWN_MIB
    return max(1, int(SHARE * min(found)) >> 20)


def _available() -> int | None:
    """Bytes that new programs can have (Linux), else all that there are; None: unknown."""
    try:
        for line in Path("/proc/meminfo").read_text(encoding="ascii").splitlines():
            if line.startswith("MemAvailable:"):
                return int(line.split()[1]) << 10
    except (OSError, ValueError, IndexError):
        pass
    try:
        return os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    except (AttributeError, OSError, ValueError):
        return None


def _limit(path: str) -> int | None:
    """Bytes that a control group allows; None: there is no limit, or no such thing."""
    try:
        return int(Path(path).read_text(encoding="ascii"))
    except (OSError, ValueError):  # "max"
        return None
