"""What becomes of answers that say no, and of answers that do not come."""

from __future__ import annotations

import socket
import threading
import time
from collections.abc import Callable

import pytest

from bot.errors import (
    ConnectionTroubleError,
    LichessError,
    NotAllowedError,
    NotFoundError,
    RateLimitedError,
    RefusedError,
    ServerTroubleError,
)
from bot.lichess.client import Lichess, Timeouts
from tests.lichess.wire_server import (
    DEADLINE_S,
    GAME,
    PATIENT,
    TOKEN,
    Seen,
    Talk,
    lichess_at,
    ok,
    serving,
)

SLOW_DOWN = "Too many requests. Try again later."


@pytest.mark.parametrize(
    ("body", "headers", "retry_after_s", "key", "said"),
    [
        ({"error": SLOW_DOWN}, {}, None, None, SLOW_DOWN),
        (
            {"error": "Wait!", "ratelimit": {"key": "bot.vsBot.day", "seconds": 40211}},
            {},
            40211.0,
            "bot.vsBot.day",
            "Wait!",
        ),
        (b"<html><title>429 Too Many Requests</title></html>", {}, None, None, "429 Too Many Requests"),
        ({"error": "Please don't poll this."}, {"Retry_After": "17"}, 17.0, None, "Please don't poll this."),
        ({"error": SLOW_DOWN}, {"Retry_After": "Fri, 31 Dec 1999 23:59:59 GMT"}, None, None, SLOW_DOWN),
        (
            {"error": SLOW_DOWN, "ratelimit": {"seconds": 5}},
            {"Retry_After": "17"},
            5.0,
            None,
            SLOW_DOWN,
        ),
    ],
)
def test_all_shapes_of_429(
    body: object, headers: dict[str, str], retry_after_s: float | None, key: str | None, said: str
) -> None:
    with serving(lambda _, talk: talk.answer(429, body, **headers)) as server:
        lichess = lichess_at(server)
        asks: list[Callable[[], object]] = [
            lambda: lichess.mover().move(GAME, "e2e4"),
            lambda: lichess.accept("pL4nK9sZ"),
            lichess.open_event_stream,
        ]
        for ask in asks:
            with pytest.raises(RateLimitedError) as caught:
                ask()
            assert (caught.value.retry_after_s, caught.value.key) == (retry_after_s, key)
            assert str(caught.value).endswith(f": HTTP 429, {said}")
        assert len(server.seen) == 3  # a 429 is never repeated behind our back
        lichess.close()


@pytest.mark.parametrize(
    ("status", "body", "error", "said"),
    [
        (
            400,
            {"error": "Not your turn, or game already over"},
            RefusedError,
            "Not your turn, or game already over",
        ),
        (400, {"error": {"text": ["Too long"]}, "text": ["Too long"]}, RefusedError, "text: Too long"),
        (400, {"error": "Quota", "ratelimit": {"key": "x", "seconds": 9}}, RefusedError, "Quota"),
        (401, {"error": "No such token"}, NotAllowedError, "No such token"),
        (403, {"error": "Missing scope: bot:play"}, NotAllowedError, "Missing scope: bot:play"),
        (401, b"<!doctype html><p>Log in to this network</p>", ServerTroubleError, "a page of HTML"),
        (403, b"<html><title>Attention Required!</title></html>", ServerTroubleError, "Attention Required!"),
        (403, b"Forbidden", ServerTroubleError, "Forbidden"),
        (404, {"error": "No such game"}, NotFoundError, "No such game"),
        (404, b"", NotFoundError, ""),
        (418, b"<!doctype html><p>tea</p>", RefusedError, "a page of HTML"),
        (500, {"error": "Oops"}, ServerTroubleError, "Oops"),
        (
            502,
            b"<html><head><title>502 Bad Gateway</title></head></html>",
            ServerTroubleError,
            "502 Bad Gateway",
        ),
        (503, b"", ServerTroubleError, ""),
    ],
)
def test_statuses(status: int, body: object, error: type[LichessError], said: str) -> None:
    with serving(lambda _, talk: talk.answer(status, body)) as server:
        lichess = lichess_at(server)
        with pytest.raises(LichessError) as caught:
            lichess.resign(GAME)
        assert type(caught.value) is error
        assert str(caught.value) == f"resign {GAME}: HTTP {status}" + (f", {said}" if said else "")
        assert getattr(caught.value, "status", None) == status
        assert len(server.seen) == 1
        lichess.close()


def test_answers_that_are_none() -> None:
    def page(seen: Seen, talk: Talk) -> None:
        talk.answer(200, b"<html>Please log in to this hotel's network</html>")

    def half(seen: Seen, talk: Talk) -> None:
        talk.send(b"HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n{")
        talk.close()

    def hang_up(seen: Seen, talk: Talk) -> None:
        talk.close()

    for script, why in (
        (page, "an answer that is not JSON"),
        (half, "the answer broke off"),
        (hang_up, "Remote end closed connection without response"),
    ):
        with serving(script) as server:
            lichess = lichess_at(server)
            with pytest.raises(ConnectionTroubleError, match=rf"^abort {GAME}: {why}$"):
                lichess.abort(GAME)
            with pytest.raises(ConnectionTroubleError, match=r"^account: "):
                lichess.account()
            assert len(server.seen) == 2  # neither was repeated
            lichess.close()


def test_no_request_waits_for_ever() -> None:
    over = threading.Event()

    def script(seen: Seen, talk: Talk) -> None:
        over.wait(DEADLINE_S)
        talk.close()

    with serving(script) as server:
        lichess = lichess_at(server, Timeouts(read_s=0.2))
        asks: list[Callable[[], object]] = [lichess.account, lichess.token_info, lambda: lichess.abort(GAME)]
        for ask in asks:
            with pytest.raises(ConnectionTroubleError, match="no answer in time"):
                ask()
        assert not over.is_set()
        over.set()
        lichess.close()


def test_an_answer_that_comes_byte_by_byte_is_late_too() -> None:
    """No two of its bytes are far apart, so no timeout between bytes ever ends it."""
    over = threading.Event()

    def script(seen: Seen, talk: Talk) -> None:
        talk.send(b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 99999\r\n\r\n")
        until = time.monotonic() + DEADLINE_S
        while time.monotonic() < until and not over.wait(0.02):
            talk.send(b" ")

    with serving(script) as server:
        lichess = lichess_at(server, Timeouts(read_s=0.2, move_s=0.2))
        asks: list[Callable[[], object]] = [
            lichess.account,
            lichess.token_info,
            lambda: lichess.accept("challeng"),
            lambda: lichess.mover().move(GAME, "e2e4"),
        ]
        for ask in asks:
            with pytest.raises(ConnectionTroubleError, match="no answer in time"):
                ask()
        over.set()
        lichess.close()


def test_nobody_is_there() -> None:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        port = listener.getsockname()[1]
    lichess = Lichess(f"http://127.0.0.1:{port}", TOKEN, timeouts=PATIENT)
    asks: list[Callable[[], object]] = [
        lichess.account,
        lichess.open_event_stream,
        lambda: lichess.mover().move(GAME, "e2e4"),
    ]
    for ask in asks:
        with pytest.raises(ConnectionTroubleError, match="Connection refused"):
            ask()
    lichess.close()


def test_redirects_are_not_followed() -> None:
    with serving(ok) as elsewhere:

        def script(seen: Seen, talk: Talk) -> None:
            talk.answer(302, {}, Location=f"{elsewhere.url}/stolen")

        with serving(script) as server:
            lichess = lichess_at(server)
            asks: list[Callable[[], object]] = [
                lichess.account,
                lichess.token_info,
                lichess.open_event_stream,
                lambda: lichess.mover().move(GAME, "e2e4"),
            ]
            for ask in asks:
                with pytest.raises(RefusedError, match=r"HTTP 302, redirected to .*stolen") as caught:
                    ask()
                assert caught.value.status == 302
            lichess.close()
        assert elsewhere.seen == []
