"""Whatever the line is, it becomes an event that can be stored, logged and reckoned with."""

from __future__ import annotations

import dataclasses
import json

from hypothesis import given
from hypothesis import strategies as st

from bot.events import (
    UNLIMITED_MS,
    AccountEvent,
    GameEvent,
    GameFull,
    GameState,
    Unreadable,
)
from bot.lichess.wire import parse_account_line, parse_game_line
from tests.lichess.wire_lines import CHALLENGE, CHAT, FULL, GONE, START, STATE, Json, line, with_, without

ALL = [START, with_(START, "gameFinish", "type"), CHALLENGE, FULL, STATE, CHAT, GONE]
ODD: st.SearchStrategy[object] = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats()
    | st.text()
    | st.sampled_from(["white", "clock", 10**400, -1, "\ud800", {}, []]),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=6,
)


def places(value: object, path: tuple[str, ...] = ()) -> list[tuple[str, ...]]:
    """The paths of all fields, at every depth."""
    if not isinstance(value, dict):
        return []
    return [p for key, inner in value.items() for p in ((*path, key), *places(inner, (*path, key)))]


@st.composite
def shuffled(draw: st.DrawFn) -> Json:
    """A good event with some fields gone or of another type."""
    event: Json = json.loads(json.dumps(draw(st.sampled_from(ALL))))
    for _ in range(draw(st.integers(1, 4))):
        if not event:
            break
        path = draw(st.sampled_from(places(event)))
        if draw(st.booleans()):
            event = without(event, *path)
            continue
        inner = event
        for key in path[:-1]:
            inner = inner[key]
        inner[path[-1]] = draw(ODD)
        if path == ("type",):
            event["type"] = draw(st.sampled_from([e["type"] for e in ALL]))
    return event


@st.composite
def damaged(draw: st.DrawFn) -> bytes:
    """The bytes of a good event, cut short or with bytes replaced."""
    data = bytearray(line(draw(st.sampled_from(ALL))))
    for _ in range(draw(st.integers(0, 5))):
        data[draw(st.integers(0, len(data) - 1))] = draw(st.integers(0, 255))
    return bytes(data[: draw(st.integers(0, len(data)))])


def storable(value: object) -> bool:
    """Whether a log or a database can take it, and arithmetic too."""
    match value:
        case dict():
            return all(storable(inner) for inner in value.values())
        case tuple():
            return all(storable(inner) for inner in value)
        case int():
            return abs(value) <= 2**53
        case str():
            return value.encode("utf-8", "replace").decode("utf-8") == value
    return value is None


def sound(event: AccountEvent | GameEvent) -> bool:
    """Whether everything in the event can be stored, logged and reckoned with."""
    assert storable(dataclasses.asdict(event))
    if isinstance(event, Unreadable):
        assert len(event.why.splitlines()) == 1
        assert len(event.why) < 250
    if isinstance(event, GameFull):
        return sound(event.state)
    if isinstance(event, GameState):
        assert all(
            0 <= ms <= UNLIMITED_MS for ms in (event.wtime_ms, event.btime_ms, event.winc_ms, event.binc_ms)
        )
    return True


@given(shuffled())
def test_no_shuffled_event_raises(event: Json) -> None:
    assert sound(parse_account_line(event))
    assert sound(parse_game_line(event))


@given(damaged() | st.binary())
def test_no_damaged_line_raises(data: bytes) -> None:
    assert sound(parse_account_line(data))
    assert sound(parse_game_line(data))


@given(st.integers(1, 3000))
def test_no_depth_raises(depth: int) -> None:
    deep = b'{"type":' + b'{"a":[' * depth + b"]}" * depth + b"}"
    assert isinstance(parse_account_line(deep), Unreadable)
    assert isinstance(parse_game_line(deep), Unreadable)
    nested: Json = {}
    for _ in range(depth):
        nested = {"a": [nested]}
    for odd in (
        {"type": nested},
        {"type": "gameStart", "game": [nested]},
        {"type": "gameFull", "id": nested},
    ):
        assert isinstance(parse_account_line(odd), Unreadable)
        assert isinstance(parse_game_line(odd), Unreadable)
