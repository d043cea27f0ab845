"""What happened to a registered run besides its games: when it was begun, stopped, and looked at; and, after
each pair, what its journal was then (see `continuity` for what that proves)."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Literal, get_args

from bot.errors import UserError
from bot.lab.append_only import append_line
from bot.lab.json_fields import Fields, RecordError

FILE_NAME = "history.jsonl"

What = Literal["begun", "played", "stopped by hand", "finished", "looked at"]


class HistoryError(UserError):
    """A history that was not written by `note`."""


@dataclass(frozen=True, slots=True)
class Event:
    """`at`: ISO 8601, UTC. `pairs`: so many were in the journal, and `journal` is its hash up to there."""

    at: str
    what: What
    pairs: int
    journal: str


def note(folder: Path, what: What, pairs: int, journal: str, now_s: float) -> None:
    """Write down that it happened; `now_s`: seconds since the Unix epoch. Raises OSError."""
    at = datetime.fromtimestamp(now_s, UTC).isoformat(timespec="seconds")
    append_line(folder / FILE_NAME, json.dumps(asdict(Event(at, what, pairs, journal))))


def read_history(folder: Path) -> tuple[Event, ...]:
    """All of them, in the order in which they were written down. Raises HistoryError for what was not written
    by `note`; a last line that was torn off is left out."""
    path = folder / FILE_NAME
    if not path.exists():
        return ()
    *lines, _ = path.read_bytes().split(b"\n")
    events = []
    for number, line in enumerate(lines, start=1):
        try:
            fields = Fields(json.loads(line), "event", Event)
            events.append(
                Event(
                    at=fields.text("at"),
                    what=fields.one_of("what", get_args(What)),
                    pairs=fields.whole("pairs", least=0),
                    journal=fields.text("journal"),
                )
            )
        except (ValueError, RecordError, RecursionError) as error:
            raise HistoryError(f"{path}:{number}: {error}") from error
    return tuple(events)
