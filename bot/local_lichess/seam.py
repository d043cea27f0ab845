"""Where misbehaviour can be slipped in between the world and the wire."""

from __future__ import annotations

import enum
import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Protocol, runtime_checkable

from bot.timing.clock import Clock

JSON = "application/json"
NDJSON = "application/x-ndjson"
PGN = "application/x-chess-pgn"


@dataclass(frozen=True, slots=True)
class Call:
    """One request: which endpoint, by whom, about which game or challenge."""

    method: str
    path: str
    endpoint: str  # the name of its route, such as "move", "event_stream", "challenge_accept"
    account_id: str | None = None  # None: no valid token
    subject_id: str | None = None  # the id of a game or challenge in the path


@dataclass(frozen=True, slots=True)
class Answer:
    """A whole HTTP answer."""

    status: int
    body: bytes
    content_type: str = JSON
    headers: Mapping[str, str] = field(default_factory=dict)


class Cut(enum.Enum):
    """How a connection is made to stop."""

    END = "end"  # a stream ends cleanly, with the last chunk
    RESET = "reset"  # the connection is torn down with a TCP reset, whatever was being said


class Faults(Protocol):
    """Consulted for every request and every line of every stream; each method may wait as it likes."""

    async def before(self, call: Call) -> Answer | Cut | None:
        """Before the request takes effect: an answer to give instead, or None to let it through."""

    async def after(self, call: Call, answer: Answer) -> Answer | Cut:
        """After it took effect, before the answer is sent: that answer, another, or a torn connection."""

    async def line(self, call: Call, line: bytes) -> Sequence[bytes | Cut]:
        """What to write for one line of the stream `call` opened, keep-alives included.

        `call` is the same object for all lines of a stream.
        """


@dataclass(frozen=True, slots=True)
class Controls:
    """What befalls the server as a whole. To be used on its thread only."""

    clock: Clock
    break_connections: Callable[[], None]  # reset every one there is, streams and idle ones alike
    credit_clocks: Callable[[], None]  # as after a restart; see `Rooms.credit_clocks`


@runtime_checkable
class ControllingFaults(Faults, Protocol):
    """Faults that want more than the say in a single answer or line."""

    def take_controls(self, controls: Controls) -> None:
        """Called once, before the server starts."""


def json_answer(value: object, status: int = 200) -> Answer:
    return Answer(status, json.dumps(value, separators=(",", ":"), ensure_ascii=False).encode())


OK = json_answer({"ok": True})
