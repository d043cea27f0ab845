"""The seal of a directory of compiled code: it says that all is there, and shows where something was changed.

numba believes what it finds. A file that was cut short fails the import that reads it, or worse, the process;
so whoever is about to load the code looks at the seal first.
"""

from __future__ import annotations

import hashlib
import json
import platform
from pathlib import Path
from typing import Literal

NAME = "seal.json"

#: - "whole": every file is as it was when it was sealed, and for this processor.
#: - "unsealed": nobody has said that it is complete; it may be.
#: - "foreign": it is complete, but for another processor: numba would compile everything once more.
#: - "damaged": a file is gone or changed, or the seal itself.
Condition = Literal["whole", "unsealed", "foreign", "damaged"]


def seal(directory: Path) -> None:
    """Say of the files below `directory` that they are the whole engine, compiled for this processor."""
    files = {
        path.relative_to(directory).as_posix(): _digest(path) for path in sorted(directory.rglob("*.nb[ci]"))
    }
    unfinished = directory / f"{NAME}.new"
    unfinished.write_text(json.dumps({"processor": processor(), "files": files}, indent=1), encoding="utf-8")
    unfinished.replace(directory / NAME)


def examine(directory: Path) -> Condition:
    """What the seal of `directory` is worth. Reads every file, which takes some milliseconds."""
    try:
        text = (directory / NAME).read_text(encoding="utf-8", errors="replace")
    except FileNotFoundError:
        return "unsealed"
    try:
        sealed = json.loads(text)
        intact = all(_digest(directory / name) == digest for name, digest in sealed["files"].items())
        here = sealed["processor"] == processor()
    except (OSError, ValueError, LookupError, TypeError, AttributeError):  # gone, or no seal that we wrote
        return "damaged"
    if not intact:
        return "damaged"
    return "whole" if here else "foreign"


def mend(directory: Path) -> None:
    """Remove the seal and what it shows to be changed; all of it, where the seal itself cannot be read.

    What is gone will be compiled again.
    """
    try:
        files: dict[str, str] = json.loads((directory / NAME).read_text(encoding="utf-8"))["files"]
        changed = [directory / name for name, digest in files.items() if _digest(directory / name) != digest]
    except (OSError, ValueError, LookupError, TypeError, AttributeError):
        changed = list(directory.rglob("*.nb[ci]"))
    for path in changed:
        path.unlink(missing_ok=True)
    (directory / NAME).unlink(missing_ok=True)


def processor() -> str:
    """What code is compiled for: numba uses all that the processor at hand can do."""
    try:
        text = Path("/proc/cpuinfo").read_text(encoding="utf-8", errors="replace")
    except OSError:
        return f"{platform.machine()} {platform.processor()}"
    facts = {
        line for line in text.splitlines() if line.partition(":")[0].strip() in ("model", "flags", "Features")
    }
    return f"{platform.machine()} {hashlib.sha256('|'.join(sorted(facts)).encode()).hexdigest()[:16]}"


def _digest(path: Path) -> str:
    """Of its content; "" where there is no such file."""
    try:
        return hashlib.sha256(path.read_bytes()).hexdigest()
    except FileNotFoundError:
        return ""
