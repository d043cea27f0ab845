"""Answers and error bodies."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.errors import ConnectionTroubleError
from bot.events import Account, GameInfo, TokenInfo, Unreadable
from bot.lichess.answers import (
    error_text,
    parse_account,
    parse_ongoing,
    parse_speakers,
    parse_token_info,
    rate_limit,
)


def test_account() -> None:
    body = {
        "id": "Shifty",
        "username": "Shifty",
        "title": "BOT",
        "count": {"all": 12},
        "url": "https://x/@/Shifty",
    }
    assert parse_account(body) == Account("shifty", "Shifty", title="BOT", games_played=12)
    assert parse_account({"id": "shifty"}) == Account("shifty", "shifty")


@pytest.mark.parametrize("body", [None, [], "hello", {}, {"id": None}, {"id": "a/b"}])
def test_no_account(body: object) -> None:
    with pytest.raises(ConnectionTroubleError, match="account"):
        parse_account(body)


def test_token_info() -> None:
    body = {"lip_ours": {"userId": "Shifty", "scopes": "bot:play,challenge:read", "expires": 1781234567890}}
    assert parse_token_info(body, "lip_ours") == TokenInfo(
        "shifty", ("bot:play", "challenge:read"), expires_at_ms=1781234567890
    )
    assert parse_token_info(
        {"lip_ours": {"userId": "x", "scopes": "", "expires": None}}, "lip_ours"
    ) == TokenInfo("x", ())
    assert parse_token_info({"lip_ours": None}, "lip_ours") is None
    assert parse_token_info({}, "lip_ours") is None


def test_ongoing_keeps_the_order_and_marks_what_it_cannot_read() -> None:
    body = {"nbMyTurn": 1, "nowPlaying": [{"gameId": "second22"}, {"gameId": None}, {"gameId": "first111"}]}
    first, odd, last = parse_ongoing(body)
    assert isinstance(first, GameInfo)
    assert isinstance(last, GameInfo)
    assert (first.id, last.id) == ("second22", "first111")
    assert isinstance(odd, Unreadable)
    with pytest.raises(ConnectionTroubleError, match="nowPlaying"):
        parse_ongoing({"nbMyTurn": 0})


@pytest.mark.parametrize(
    ("body", "line"),
    [
        ({"error": "Not your game"}, "Not your game"),
        (b'{"error":"Not your game"}', "Not your game"),
        (
            {"error": {"clock.limit": ["Invalid value"]}, "clock.limit": ["Invalid value"]},
            "clock.limit: Invalid value",
        ),
        (
            {"error": {"global": ["Nothing fits"], "text": ["Too long", "Odd"]}},
            "Nothing fits; text: Too long; text: Odd",
        ),
        ({"clock.increment": ["Invalid value"]}, "clock.increment: Invalid value"),
        (b"<html><head><title>502 Bad\n Gateway</title></head><body>sorry</body></html>", "502 Bad Gateway"),
        (b"<!DOCTYPE html><p>oh</p>", "a page of HTML"),
        (b"just words\r\nand more \x1b[31mwords", "just words and more [31mwords"),
        (b"", ""),
        (b"\xff\xfe\xfd", "\ufffd\ufffd\ufffd"),
        (None, ""),
        (["a", "b"], "a; b"),
        ({"error": None}, ""),
    ],
)
def test_error_text(body: object, line: str) -> None:
    assert error_text(body) == line


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    max_leaves=10,
)


@given(JSON | st.binary() | st.dictionaries(st.just("error"), JSON))
def test_error_text_is_one_short_line_whatever_the_body(body: object) -> None:
    text = error_text(body)
    assert len(text) <= 200
    assert text.isprintable()


def test_rate_limit() -> None:
    body = {"error": "Slow down", "ratelimit": {"key": "bot.vsBot.day", "seconds": 40211}}
    assert rate_limit(body) == (40211.0, "bot.vsBot.day")
    for empty in ({"error": "Slow down"}, {"ratelimit": None}, {"ratelimit": {"seconds": "soon"}}, None, "x"):
        assert rate_limit(empty) == (None, None)


def test_speakers() -> None:
    chat = [{"text": "hi", "user": "Rival"}, {"text": "hello", "user": "Shifty"}, {"text": "x"}, 7]
    assert parse_speakers(chat) == {"rival", "shifty"}
    assert parse_speakers([]) == frozenset()
    with pytest.raises(ConnectionTroubleError, match="chat"):
        parse_speakers({"error": "Not found"})
