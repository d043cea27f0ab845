"""What can go wrong, as data: a kind of fault, where, how often."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Literal

from bot.local_lichess.seam import Call
from bot.local_lichess.troubled_answers import Shape

Occasion = Literal["request", "effect", "line"]


class Kind(StrEnum):
    """What goes wrong. `seconds`, `status`, `shape` and `fields` are those of the fault."""

    # a request, before it takes effect
    ANSWER = "answer"  # `status` in that `shape`, and no effect
    DROP = "drop"  # the connection is reset, and no effect
    HANG = "hang"  # nothing for `seconds`, then a reset, and no effect
    DELAY = "delay"  # everything happens `seconds` later
    # a request, once it has taken effect
    LOSE_ANSWER = "lose answer"  # the connection is reset
    LATE_ANSWER = "late answer"  # the answer comes `seconds` later
    GARBLE_ANSWER = "garble answer"  # half of the answer, as if it were the whole
    # a line of a stream
    END = "end"  # in due form, in place of the line
    RESET = "reset"  # in place of the line
    RESET_MID_LINE = "reset mid-line"
    SILENCE = "silence"  # from this line on nothing, keep-alives neither; the socket stays open
    LATE_LINE = "late line"  # this line, and all after it, `seconds` later
    SWALLOW = "swallow"  # the line is lost, the stream goes on
    TRUNCATE = "truncate"  # half of the line, with a line end
    NOT_JSON = "not JSON"
    MISSING = "missing"  # the event without `fields`
    NULL = "null"  # the event with null in `fields`
    UNKNOWN_EVENT = "unknown event"  # in front of the line
    DUPLICATE = "duplicate"
    SWAP = "swap"  # after the next event instead of before it
    REPLAY_START = "replay start"  # the line, and again every gameStart that the account was sent
    # either
    OUTAGE = (
        "outage"  # all connections are reset; for `seconds`, `status` is all that is answered (0: resets)
    )
    DEPLOY = "deploy"  # an outage, and the clocks are credited as it begins


_OCCASIONS: dict[Occasion, tuple[Kind, ...]] = {
    "request": (Kind.ANSWER, Kind.DROP, Kind.HANG, Kind.DELAY),
    "effect": (Kind.LOSE_ANSWER, Kind.LATE_ANSWER, Kind.GARBLE_ANSWER),
    "line": (
        Kind.END,
        Kind.RESET,
        Kind.RESET_MID_LINE,
        Kind.SILENCE,
        Kind.LATE_LINE,
        Kind.SWALLOW,
        Kind.TRUNCATE,
        Kind.NOT_JSON,
        Kind.MISSING,
        Kind.NULL,
        Kind.UNKNOWN_EVENT,
        Kind.DUPLICATE,
        Kind.SWAP,
        Kind.REPLAY_START,
    ),
}


@dataclass(frozen=True, slots=True)
class Where:
    """Which requests or lines. Empty and None: any.

    `event`, for lines: the event's type, or `KEEP_ALIVE`; None is any event, but no keep-alive.
    """

    endpoints: tuple[str, ...] = ()  # the names of routes, as in `Call.endpoint`
    account: str | None = None  # its id
    event: str | None = None


ANYWHERE = Where()


def at(*endpoints: str, account: str | None = None, event: str | None = None) -> Where:
    return Where(endpoints, account, event)


@dataclass(frozen=True, slots=True)
class Fault:
    """One thing that goes wrong: `times` times (None: for ever), once `after` occasions have gone well."""

    kind: Kind
    where: Where = ANYWHERE
    game: str | None = None  # the id of the game, or of the challenge
    times: int | None = 1
    after: int = 0
    seconds: float = 1.0
    status: int = 503
    shape: Shape = "html"
    key: str = "local.trouble"  # the limiter that a 429 in the shape "limit" names
    fields: tuple[str, ...] = ()  # dotted paths in an event, such as "state.wtime"


@dataclass(frozen=True, slots=True)
class Fired:
    """A fault that happened, and to whom."""

    kind: Kind
    call: Call


def occasion_of(fault: Fault) -> Occasion:
    """What the fault waits for. An outage or a deploy comes with a line if it names an event."""
    for occasion, kinds in _OCCASIONS.items():
        if fault.kind in kinds:
            return occasion
    return "request" if fault.where.event is None else "line"


def kinds_of(occasion: Occasion) -> tuple[Kind, ...]:
    return _OCCASIONS[occasion]
