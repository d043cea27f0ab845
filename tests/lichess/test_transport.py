"""Open streams, over real sockets."""

from __future__ import annotations

import json
import random
import threading
from collections.abc import Iterator
from contextlib import contextmanager

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
from bot.lichess.transport import MAX_LINE_BYTES, LineStream
from tests.lichess.wire_server import (
    DEADLINE_S,
    TOKEN,
    Script,
    Seen,
    Talk,
    open_at,
    serving,
)


@contextmanager
def streaming(script: Script, *, silence_s: float = DEADLINE_S) -> Iterator[LineStream]:
    with serving(script) as server, open_at(server, silence_s=silence_s) as stream:
        yield stream


def until_broken(stream: LineStream) -> tuple[list[bytes], str]:
    """The lines that came before the stream broke, and how it did."""
    lines: list[bytes] = []
    with pytest.raises(ConnectionTroubleError) as caught:
        lines.extend(stream)  # keeps what came before the exception
    return lines, str(caught.value)


# --- lines ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("chunked", [True, False])
def test_a_line_is_handed_on_before_anything_follows_it(chunked: bool) -> None:
    taken = threading.Semaphore(0)

    def script(seen: Seen, talk: Talk) -> None:
        talk.begin_stream(chunked=chunked)
        send = talk.chunk if chunked else talk.send
        for line in (b'{"a":1}\n', b"\n", b'{"b":2}\n'):
            send(line)
            # A client that waits for more bytes than these would wait for ever.
            assert taken.acquire(timeout=DEADLINE_S), f"{line!r} was not delivered"
        if chunked:
            talk.end_stream()
        talk.close()

    with streaming(script) as stream:
        lines = []
        for line in stream:
            lines.append(line)
            taken.release()
    assert lines == [b'{"a":1}', b"", b'{"b":2}']


def test_lines_do_not_depend_on_how_they_were_cut() -> None:
    wanted = [json.dumps({"n": n, "text": "é" * (n % 7)}).encode() if n % 3 else b"" for n in range(200)]
    rng = random.Random(5)

    def script(seen: Seen, talk: Talk) -> None:
        talk.begin_stream()
        rest = b"".join(line + rng.choice([b"\n", b"\r\n"]) for line in wanted)
        while rest:
            size = rng.choice([1, 2, 3, 50, 1000])
            talk.chunk(rest[:size])
            rest = rest[size:]
        talk.end_stream()

    with streaming(script) as stream:
        assert list(stream) == wanted


def test_what_is_asked_for() -> None:
    def script(seen: Seen, talk: Talk) -> None:
        talk.begin_stream()
        talk.end_stream()

    with serving(script) as server:
        assert list(open_at(server)) == []
        (seen,) = server.seen
    assert (seen.method, seen.path) == ("GET", "/api/stream/event")
    assert seen.headers["accept"] == "application/x-ndjson"
    assert seen.headers["accept-encoding"] == "identity"
    assert seen.headers["authorization"] == f"Bearer {TOKEN}"


# --- how a stream ends ----------------------------------------------------------------------------------


def test_an_end_in_due_form_ends_the_iterator_and_the_connection() -> None:
    closed = threading.Event()

    def script(seen: Seen, talk: Talk) -> None:
        talk.begin_stream()
        talk.chunk(b'{"a":1}\n{"last":"without a line end"}')
        talk.end_stream()
        if talk.gone():
            closed.set()

    with streaming(script) as stream:
        assert list(stream) == [b'{"a":1}', b'{"last":"without a line end"}']
        assert closed.wait(DEADLINE_S)
        assert list(stream) == []


def test_silence_is_named() -> None:
    over = threading.Event()

    def script(seen: Seen, talk: Talk) -> None:
        talk.begin_stream()
        talk.chunk(b'{"a":1}\n')
        over.wait(DEADLINE_S)

    with streaming(script, silence_s=3.0) as stream:  # within that the line comes, on a busy machine too
        assert until_broken(stream) == ([b'{"a":1}'], "the stream: no line for 3 s")
        assert list(stream) == []  # it is said once
        over.set()


def test_a_reset_is_a_broken_stream() -> None:
    taken = threading.Event()

    def script(seen: Seen, talk: Talk) -> None:
        talk.begin_stream()
        talk.chunk(b'{"a":1}\n')
        assert taken.wait(DEADLINE_S)  # a reset throws away what has not been read yet
        talk.reset()

    with streaming(script) as stream:
        assert next(stream) == b'{"a":1}'
        taken.set()
        assert until_broken(stream) == ([], "the stream: Connection reset by peer")


@pytest.mark.parametrize(
    "sent",
    [
        b'8\r\n{"a":1}\n\r\n',  # the chunk that ends the body is missing
        b'8\r\n{"a":1}\n\r\n40\r\n{"b":',  # in the middle of a line
        b'8\r\n{"a":1}\n\r\n8',  # in the middle of a chunk's length
        b'8\r\n{"a":1}\n\r\nnonsense\r\n',
    ],
)
def test_a_stream_that_breaks_off_did_not_end(sent: bytes) -> None:
    def script(seen: Seen, talk: Talk) -> None:
        talk.begin_stream()
        talk.send(sent)
        talk.close()

    with streaming(script) as stream:
        lines, how = until_broken(stream)
    assert lines == [b'{"a":1}']  # and nothing of the half line
    assert how == "the stream: the answer broke off"


def test_a_line_without_end_ends_the_stream() -> None:
    def script(seen: Seen, talk: Talk) -> None:
        talk.begin_stream()
        talk.chunk(b"\n")
        while True:  # until the client hangs up
            talk.chunk(b"x" * 100_000)

    with streaming(script) as stream:
        lines, how = until_broken(stream)
    assert lines == [b""]
    assert how == f"the stream: a line of more than {MAX_LINE_BYTES} bytes"


# --- opening --------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("status", "error"),
    [
        (400, RefusedError),
        (401, NotAllowedError),
        (403, NotAllowedError),
        (404, NotFoundError),
        (429, RateLimitedError),
        (500, ServerTroubleError),
        (503, ServerTroubleError),
    ],
)
def test_a_stream_that_is_not_opened(status: int, error: type[LichessError]) -> None:
    with (
        serving(lambda _, talk: talk.answer(status, {"error": "No such thing"})) as server,
        pytest.raises(LichessError, match=rf"^the stream: HTTP {status}, No such thing$") as caught,
    ):
        open_at(server)
    assert type(caught.value) is error


def test_a_page_is_no_stream() -> None:
    def script(seen: Seen, talk: Talk) -> None:
        talk.begin_stream(content_type="text/html; charset=utf-8")
        talk.chunk(b"<html>We are being repaired\n")
        talk.end_stream()

    with serving(script) as server, pytest.raises(ConnectionTroubleError, match="a page of HTML"):
        open_at(server)


def test_an_answer_that_does_not_come() -> None:
    def script(seen: Seen, talk: Talk) -> None:
        talk.gone()
        talk.close()

    with serving(script) as server, pytest.raises(ConnectionTroubleError, match="no answer in time"):
        open_at(server, silence_s=0.2)
