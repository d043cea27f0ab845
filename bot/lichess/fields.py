"""Single fields of Lichess's JSON, read tolerantly: what is absent, null or of an odd type becomes None.

Pure. Only `UnreadableError` is raised, and only by the `need_*` readers and `decode`.
"""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from datetime import timedelta
from typing import Literal, TypeAlias

from bot.events import UNLIMITED_MS, Player, Side
from bot.lichess.paths import is_id

#: Bytes or text as they came off the wire, or JSON that somebody has decoded already.
Raw: TypeAlias = bytes | str | Mapping[str, object]

#: Numbers beyond this are nobody's rating, clock or date; the bound keeps later arithmetic in range.
_HUGE = 2**53


class UnreadableError(ValueError):
    """A needed field is missing or of no use; the message is one line."""


def decode(raw: Raw) -> Mapping[str, object]:
    """The JSON object in `raw`."""
    if isinstance(raw, Mapping):
        return raw
    try:
        value = json.loads(raw.decode("utf-8") if isinstance(raw, bytes) else raw)
    except (ValueError, RecursionError) as error:  # not UTF-8, not JSON, or nested past all reason
        raise UnreadableError(f"not JSON ({type(error).__name__}): {show(raw[:80])}") from None
    if not isinstance(value, dict):
        raise UnreadableError(f"not a JSON object: {show(raw[:80])}")
    return value


def show(value: object) -> str:
    """The beginning of an odd value, in ASCII on one line, for a message about it."""
    try:
        return ascii(value)[:80]
    except (RecursionError, ValueError):  # nested past all reason, or a number of thousands of digits
        return f"some {type(value).__name__}"


def text(raw: Mapping[str, object], key: str) -> str | None:
    """A string; a lone surrogate, which no log or database can store, becomes a question mark."""
    value = raw.get(key)
    return _storable(value) if isinstance(value, str) else None


def texts(raw: Mapping[str, object], key: str) -> tuple[str, ...]:
    """The strings of a list."""
    value = raw.get(key)
    if not isinstance(value, list):
        return ()
    return tuple(_storable(item) for item in value if isinstance(item, str))


def _storable(value: str) -> str:
    return value.encode("utf-8", "replace").decode("utf-8")


def need_text(raw: Mapping[str, object], key: str) -> str:
    value = text(raw, key)
    if value is None:
        raise UnreadableError(f"no text in {key!r}: {show(raw.get(key))}")
    return value


def need_id(raw: Mapping[str, object], *keys: str) -> str:
    """The first of `keys` that holds an id fit for a request path."""
    for key in keys:
        value = raw.get(key)
        if isinstance(value, str) and is_id(value):
            return value
    raise UnreadableError(f"no id in {'/'.join(keys)}: {show(raw.get(keys[0]))}")


def child(raw: Mapping[str, object], key: str) -> Mapping[str, object]:
    """An object inside; empty when there is none."""
    value = raw.get(key)
    return value if isinstance(value, Mapping) else {}


def need_child(raw: Mapping[str, object], key: str) -> Mapping[str, object]:
    value = raw.get(key)
    if not isinstance(value, Mapping):
        raise UnreadableError(f"no object in {key!r}: {show(value)}")
    return value


def flag(raw: Mapping[str, object], key: str) -> bool:
    """True only for JSON's true: Lichess leaves a false flag out, or says false."""
    return raw.get(key) is True


def whole(raw: Mapping[str, object], key: str) -> int | None:
    """A whole number; a float is rounded down."""
    value = raw.get(key)
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    if isinstance(value, float) and not math.isfinite(value):
        return None
    return max(-_HUGE, min(_HUGE, math.floor(value)))


def count(raw: Mapping[str, object], key: str) -> int | None:
    """A whole number, never below zero."""
    value = whole(raw, key)
    return None if value is None else max(0, value)


def millis(raw: Mapping[str, object], key: str) -> int | None:
    """A duration in ms: a number of ms, or the timedelta that berserk makes of some of them.

    Between 0 and UNLIMITED_MS, which is Lichess's own word for "no clock".
    """
    value = raw.get(key)
    if isinstance(value, timedelta):
        return max(0, min(UNLIMITED_MS, value // timedelta(milliseconds=1)))
    number = count(raw, key)
    return None if number is None else min(UNLIMITED_MS, number)


def side(raw: Mapping[str, object], key: str) -> Side | None:
    match raw.get(key):
        case "white":
            return "white"
        case "black":
            return "black"
    return None


def color(raw: Mapping[str, object], key: str) -> Literal["white", "black", "random"]:
    return side(raw, key) or "random"


def name_of(raw: Mapping[str, object], key: str, *, inner: str) -> str | None:
    """A name given as a string, or as an object with the name under `inner`."""
    return text(raw, key) or text(child(raw, key), inner)


def player(raw: Mapping[str, object], key: str) -> Player | None:
    """A player in any of Lichess's three shapes; None when there is no object.

    Game streams and challenges say `name` (or only `aiLevel`), the event stream says `username` (and `ai`).
    """
    value = raw.get(key)
    if not isinstance(value, Mapping):
        return None
    level = count(value, "aiLevel") or count(value, "ai")
    user_id = text(value, "id") or None
    name = text(value, "name") or text(value, "username") or user_id
    if name is None:
        name = "Anonymous" if level is None else f"Stockfish level {level}"
    return Player(
        id=None if user_id is None else user_id.lower(),
        name=name,
        title=text(value, "title") or None,
        rating=whole(value, "rating"),
        provisional=flag(value, "provisional"),
        ai_level=level,
    )


ANONYMOUS = Player(id=None, name="Anonymous")
