"""What happened to a registered run besides its games: when it was begun, stopped, and looked at."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Literal, get_args

from bot.errors import UserError
from bot.lab.json_fields import Fields, RecordError

FILE_NAME = "history.jsonl"

What = Literal["begun", "stopped by hand", "finished", "looked at"]


@dataclass(frozen=True, slots=True)
class Event:
    """`at`: ISO 8601, UTC. `pairs`: so many were finished."""

    at: str
    what: What
    pairs: int


def note(folder: Path, what: What, pairs: int, now_s: float) -> None:
    """Write down that it happened; `now_s`: seconds since the Unix epoch."""
    at = datetime.fromtimestamp(now_s, UTC).isoformat(timespec="seconds")
    path = folder / FILE_NAME
    before = path.read_bytes() if path.exists() else b""
    if not before.endswith(b"\n"):  # torn off by a loss of power
        path.write_bytes(before[: before.rfind(b"\n") + 1])
    with path.open("a", encoding="utf-8") as file:
        file.write(f"{json.dumps(asdict(Event(at, what, pairs)))}\n")


def read_history(folder: Path) -> tuple[Event, ...]:
    """All of them, in the order in which they were written down. Raises UserError for what was not written by
    `note`; a last line that was torn off is left out."""
    path = folder / FILE_NAME
    if not path.exists():
        return ()
    *lines, _ = path.read_text(encoding="utf-8").split("\n")
    events = []
    for number, line in enumerate(lines, start=1):
        try:
            fields = Fields(json.loads(line), "event", Event)
            events.append(
                Event(
                    fields.text("at"), fields.one_of("what", get_args(What)), fields.whole("pairs", least=0)
                )
            )
        except (ValueError, RecordError) as error:
            raise UserError(f"{path}:{number}: {error}") from error
    return tuple(events)
