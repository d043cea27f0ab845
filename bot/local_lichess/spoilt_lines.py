"""Lines of a stream, spoilt: pure functions from one line to what is written in its place."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator, Sequence

KEEP_ALIVE = "keepAlive"

_UNKNOWN_EVENTS: tuple[dict[str, object], ...] = (
    {"type": "somethingNew", "id": "Ab3dEf7h", "moves": "e2e4 e7e5", "status": "mate"},
    {"type": "challengeAccepted", "challenge": {"id": "Ab3dEf7h"}},
)


def event_type(line: bytes) -> str:
    """The type of the event in `line`; `KEEP_ALIVE` for a blank one, empty when it has none."""
    if not line.strip():
        return KEEP_ALIVE
    kind = _decoded(line).get("type")
    return kind if isinstance(kind, str) else ""


def event_subject(line: bytes) -> str | None:
    """The id of the game or challenge that an account's event is about."""
    event = _decoded(line)
    for key, field in (("game", "gameId"), ("challenge", "id")):
        inner = event.get(key)
        if isinstance(inner, dict) and isinstance(inner.get(field), str):
            return str(inner[field])
    return None


def truncated(line: bytes) -> bytes:
    """The first half, and a line end nevertheless."""
    return line[: len(line) // 2] + b"\n"


def not_json(line: bytes) -> bytes:
    """As long as the line, and no JSON; nor is it UTF-8."""
    return b"\xff<" + line.strip().replace(b"{", b"(").replace(b"\n", b"") + b"\n"


def unknown_event(number: int) -> bytes:
    """One of a few events that nobody has heard of."""
    return _encoded(_UNKNOWN_EVENTS[number % len(_UNKNOWN_EVENTS)])


def without(line: bytes, fields: Sequence[str]) -> bytes:
    """The event without `fields`: dotted paths such as "state.wtime"; those it has not are left alone."""
    event = _decoded(line)
    for owner, key in _places(event, fields):
        del owner[key]
    return _encoded(event)


def with_null(line: bytes, fields: Sequence[str]) -> bytes:
    """The event with null in `fields`."""
    event = _decoded(line)
    for owner, key in _places(event, fields):
        owner[key] = None
    return _encoded(event)


def any_field(line: bytes, rng: random.Random) -> tuple[str, ...]:
    """A field of the event, or of one of its objects; of an event without fields none."""
    event = _decoded(line)
    paths = list(event)
    for key, inner in event.items():
        if isinstance(inner, dict):
            paths.extend(f"{key}.{field}" for field in inner)
    return (rng.choice(paths),) if paths else ()


def _places(event: dict[str, object], fields: Sequence[str]) -> Iterator[tuple[dict[str, object], str]]:
    for path in fields:
        *parents, key = path.split(".")
        owner = event
        for parent in parents:
            inner = owner.get(parent)
            owner = inner if isinstance(inner, dict) else {}
        if key in owner:
            yield owner, key


def _decoded(line: bytes) -> dict[str, object]:
    value = json.loads(line) if line.strip() else {}
    if not isinstance(value, dict):
        raise TypeError(f"the server wrote a line that is no object: {line[:80]!r}")
    return value


def _encoded(event: dict[str, object]) -> bytes:
    return json.dumps(event, separators=(",", ":"), ensure_ascii=False).encode() + b"\n"
