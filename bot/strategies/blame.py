"""One line on an exception that came out of somebody else's code: where, and what."""

from __future__ import annotations

import importlib
import traceback
from pathlib import Path

#: The line is cut here: it goes into logs and messages, and the exception is somebody else's.
LONGEST = 300

#: Our own files through which a strategy is reached; the fault is never there.
_RUNNERS = frozenset(
    {
        str(Path(importlib.__file__)),
        *(
            str(Path(__file__).with_name(f"{name}.py"))
            for name in ("registry", "options", "script", "turn_tools")
        ),
    }
)


def describe(error: BaseException) -> str:
    """`select_move.py:41 in score: KeyError: 'x'`, always one line.

    The place named is the last one in the code's own folder, not the library that was called last.
    """
    try:
        text = " ".join(str(error).split())
    except Exception:  # noqa: BLE001  an error whose own text raises is still an error
        text = ""
    what = f"{type(error).__name__}: {text}" if text else type(error).__name__
    place = _place(error)
    return (what if place is None else f"{place}: {what}")[:LONGEST]


def _place(error: BaseException) -> str | None:
    frames = [
        (Path(frame.f_code.co_filename), line, frame.f_code.co_name)
        for frame, line in traceback.walk_tb(error.__traceback__)
        if frame.f_code.co_filename not in _RUNNERS and not frame.f_code.co_filename.startswith("<frozen ")
    ]
    if not frames:
        return None
    home = frames[0][0].parent
    file, line, function = next(frame for frame in reversed(frames) if _is_within(frame[0], home))
    return f"{file.name}:{line}" if function == "<module>" else f"{file.name}:{line} in {function}"


def _is_within(file: Path, home: Path) -> bool:
    return file.is_relative_to(home) and "site-packages" not in file.relative_to(home).parts
