"""Closing an open stream from another thread, over real sockets, with TLS and without."""

from __future__ import annotations

import gc
import shutil
import ssl
import subprocess
import threading
from pathlib import Path

import pytest
from pydantic import SecretStr

from bot.errors import ConnectionTroubleError, LichessError, ServerTroubleError
from bot.lichess.sessions import LichessSession
from bot.lichess.transport import LineStream, open_lines
from bot.timing.clock import SystemClock
from tests.lichess.wire_server import (
    DEADLINE_S,
    TOKEN,
    Seen,
    Talk,
    eventually,
    open_at,
    serving,
)


def quiet(seen: Seen, talk: Talk) -> None:
    """One line, then nothing, until the client has gone."""
    talk.begin_stream()
    talk.chunk(b'{"a":1}\n')
    assert talk.gone(), "the client kept its connection"
    talk.close()


def read_in_thread(stream: LineStream) -> tuple[threading.Thread, list[bytes | Exception]]:
    heard: list[bytes | Exception] = []

    def read() -> None:
        try:
            heard.extend(stream)
        except LichessError as error:
            heard.append(error)

    thread = threading.Thread(target=read, daemon=True)
    thread.start()
    return thread, heard


def test_close_wakes_a_reader_at_once() -> None:
    with serving(quiet) as server:
        for _ in range(20):  # so that close meets the reader in every place
            stream = open_at(server, silence_s=10 * DEADLINE_S)
            thread, heard = read_in_thread(stream)
            assert eventually(lambda heard=heard: heard != [])  # type: ignore[misc]  # bound at once
            stream.close()
            thread.join(DEADLINE_S)
            assert not thread.is_alive()
            assert heard == [b'{"a":1}']  # it ended, and did not fail
            stream.close()
            assert list(stream) == []


def test_close_without_a_reader_closes_the_connection() -> None:
    gone = threading.Event()

    def script(seen: Seen, talk: Talk) -> None:
        talk.begin_stream()
        talk.chunk(b"1\n2\n3\n")
        if talk.gone():
            gone.set()

    with serving(script) as server:
        stream = open_at(server)
        assert next(stream) == b"1"
        stream.close()
        assert gone.wait(DEADLINE_S)
        assert list(stream) == []  # lines that had come are not handed out after a close


def test_a_stream_that_was_refused_closes_its_connection_without_a_collection_of_garbage() -> None:
    gone = threading.Event()

    def script(seen: Seen, talk: Talk) -> None:
        talk.answer(503, {"error": "later"})
        if talk.gone():
            gone.set()

    gc.disable()
    try:
        with serving(script) as server:
            with pytest.raises(ServerTroubleError):
                open_at(server)
            assert gone.wait(DEADLINE_S)
    finally:
        gc.enable()


def test_close_from_many_threads_is_one_close() -> None:
    ends: list[LineStream] = []
    with serving(quiet) as server:
        session = LichessSession(SecretStr(TOKEN), user_agent="test", timeout=(5.0, 5.0), clock=SystemClock())
        stream = open_lines(
            session, server.url, "/x", what="it", connect_s=5.0, silence_s=60.0, on_end=ends.append
        )
        reader, _ = read_in_thread(stream)
        closers = [threading.Thread(target=stream.close) for _ in range(8)]
        for thread in closers:
            thread.start()
        for thread in [*closers, reader]:
            thread.join(DEADLINE_S)
            assert not thread.is_alive()
    assert ends == [stream]


@pytest.fixture
def certificate(tmp_path: Path) -> Path:
    """A key and certificate for 127.0.0.1, good for a day."""
    openssl = shutil.which("openssl")
    if openssl is None:
        pytest.skip("openssl is not installed: no certificate can be made")
    file = tmp_path / "server.pem"
    ask = "req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 1 -subj /CN=127.0.0.1"
    alt = ["-addext", "subjectAltName=IP:127.0.0.1", "-keyout", str(file), "-out", f"{file}.crt"]
    subprocess.run([openssl, *ask.split(), *alt], check=True, capture_output=True)
    file.write_bytes(file.read_bytes() + Path(f"{file}.crt").read_bytes())
    return file


def test_close_wakes_a_reader_over_tls_too(certificate: Path) -> None:
    tls = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    tls.load_cert_chain(certificate)

    def script(seen: Seen, talk: Talk) -> None:
        talk.begin_stream()
        talk.chunk(b'{"a":1}\n')
        talk.gone()
        talk.close()

    with serving(script, tls=tls) as server:
        stream = open_at(server, silence_s=10 * DEADLINE_S, verify=str(certificate))
        thread, heard = read_in_thread(stream)
        assert eventually(lambda: heard != [])
        stream.close()
        thread.join(DEADLINE_S)
        assert not thread.is_alive()
        assert heard == [b'{"a":1}']


def test_an_unknown_certificate_is_not_trusted(certificate: Path) -> None:
    tls = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    tls.load_cert_chain(certificate)
    with (
        serving(quiet, tls=tls) as server,
        pytest.raises(ConnectionTroubleError, match="certificate verify failed"),
    ):
        open_at(server)
