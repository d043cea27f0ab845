"""A small HTTP/1.1 server on a loopback socket whose every byte, pause and breakage is the test's own."""

from __future__ import annotations

import contextlib
import json
import socket
import ssl
import struct
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import BinaryIO

from pydantic import SecretStr

from bot.lichess.client import Lichess, Timeouts
from bot.lichess.sessions import LichessSession
from bot.lichess.transport import LineStream, open_lines
from bot.timing.clock import SystemClock

DEADLINE_S = 100.0  # generous: met only by a test that fails

TOKEN = "lip_do_not_show_me"
GAME = "Qr7tUv2x"
PATIENT = Timeouts(connect_s=DEADLINE_S, read_s=DEADLINE_S, silence_s=DEADLINE_S, move_s=DEADLINE_S)


@dataclass(frozen=True)
class Seen:
    """A request as it came off the socket; `port` is the client's, so it names the connection."""

    method: str
    path: str
    headers: Mapping[str, str]  # names in lower case
    body: bytes
    port: int

    @property
    def json(self) -> object:
        return json.loads(self.body)


class Talk:
    """The server's side of one connection, for the length of one request."""

    def __init__(self, peer: socket.socket) -> None:
        self._peer = peer
        self.over = False

    def send(self, data: bytes) -> None:
        self._peer.sendall(data)

    def answer(self, status: int, body: object = None, **headers: str) -> None:
        """A whole answer; bytes go out as they are (as HTML), anything else as JSON."""
        is_page = isinstance(body, bytes)
        payload = body if isinstance(body, bytes) else json.dumps(body).encode()
        kind = "text/html" if is_page else "application/json"
        lines = [f"HTTP/1.1 {status} Whatever", f"Content-Type: {kind}", f"Content-Length: {len(payload)}"]
        lines += [f"{name.replace('_', '-')}: {value}" for name, value in headers.items()]
        self.send("\r\n".join([*lines, "", ""]).encode() + payload)

    def ok(self) -> None:
        self.answer(200, {"ok": True})

    def begin_stream(self, *, chunked: bool = True, content_type: str = "application/x-ndjson") -> None:
        how = "Transfer-Encoding: chunked" if chunked else "Connection: close"
        self.send(f"HTTP/1.1 200 OK\r\nContent-Type: {content_type}\r\n{how}\r\n\r\n".encode())

    def chunk(self, data: bytes) -> None:
        self.send(b"%x\r\n%s\r\n" % (len(data), data))

    def end_stream(self) -> None:
        self.send(b"0\r\n\r\n")

    def close(self) -> None:
        """Close in due form; the client has been told (FIN) when this returns."""
        self.over = True
        with contextlib.suppress(OSError):  # the client was faster
            self._peer.shutdown(socket.SHUT_RDWR)

    def reset(self) -> None:
        """Break the connection (RST) as soon as the script returns."""
        self.over = True
        self._peer.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))

    def gone(self) -> bool:
        """Waits until the client has closed its side; False if it does not."""
        self._peer.settimeout(DEADLINE_S)
        try:
            return self._peer.recv(1) == b""
        except TimeoutError:
            return False
        except OSError:
            return True


Script = Callable[[Seen, Talk], None]


@dataclass
class WireServer:
    """Answers every request with `script`, on a thread for each connection."""

    script: Script
    url: str = ""
    seen: list[Seen] = field(default_factory=list)
    failures: list[Exception] = field(default_factory=list)
    tls: ssl.SSLContext | None = None
    _peers: list[socket.socket] = field(default_factory=list)
    _threads: list[threading.Thread] = field(default_factory=list)

    def close(self) -> None:
        """Break every connection and wait until nothing is answered any more."""
        for peer in self._peers:
            with contextlib.suppress(OSError):  # closed already
                peer.shutdown(socket.SHUT_RDWR)
        for thread in self._threads:
            thread.join(DEADLINE_S)
        for peer in self._peers:
            peer.close()

    def _serve(self, peer: socket.socket) -> None:
        try:
            if self.tls is not None:
                peer = self.tls.wrap_socket(peer, server_side=True)
                self._peers.append(peer)
            with peer, peer.makefile("rb") as reader:
                while (request := _read_request(reader, peer.getpeername()[1])) is not None:
                    self.seen.append(request)
                    talk = Talk(peer)
                    self.script(request, talk)
                    if talk.over:
                        return
        except OSError:
            pass  # the client hung up, or the test is over
        except Exception as error:  # noqa: BLE001  a script's own assertion: the test is to see it
            self.failures.append(error)

    def _accept(self, listener: socket.socket) -> None:
        while True:
            try:
                peer, _ = listener.accept()
            except OSError:
                return
            self._peers.append(peer)
            thread = threading.Thread(target=self._serve, args=(peer,), daemon=True)
            self._threads.append(thread)
            thread.start()


def _read_request(reader: BinaryIO, port: int) -> Seen | None:
    first = reader.readline()
    if not first.strip():
        return None
    method, path, _ = first.decode().split()
    headers: dict[str, str] = {}
    while (line := reader.readline().strip()) != b"":
        name, _, value = line.decode().partition(":")
        headers[name.lower()] = value.strip()
    length = int(headers.get("content-length", "0"))
    body = reader.read(length) if length else b""
    return Seen(method, path, headers, body, port)


@contextmanager
def serving(script: Script, *, tls: ssl.SSLContext | None = None) -> Iterator[WireServer]:
    """A server on 127.0.0.1; at the end everything is closed and a script's failure is raised."""
    listener = socket.create_server(("127.0.0.1", 0))
    scheme = "http" if tls is None else "https"
    server = WireServer(script, f"{scheme}://127.0.0.1:{listener.getsockname()[1]}", tls=tls)
    accepting = threading.Thread(target=server._accept, args=(listener,), daemon=True)
    accepting.start()
    try:
        yield server
    finally:
        # Closing alone does not wake an accept() that is under way.
        listener.shutdown(socket.SHUT_RDWR)
        listener.close()
        accepting.join(DEADLINE_S)
        server.close()
    if server.failures:
        raise server.failures[0]


def eventually(condition: Callable[[], bool]) -> bool:
    """Whether `condition` becomes true before the deadline."""
    give_up = time.monotonic() + DEADLINE_S
    while not condition():
        if time.monotonic() > give_up:
            return False
        threading.Event().wait(0.005)
    return True


def ok(seen: Seen, talk: Talk) -> None:
    """The script of a server that agrees to everything."""
    talk.ok()


def lichess_at(server: WireServer, timeouts: Timeouts = PATIENT, user_agent: str | None = None) -> Lichess:
    return Lichess(server.url, SecretStr(TOKEN), user_agent=user_agent, timeouts=timeouts)


def open_at(server: WireServer, *, silence_s: float = DEADLINE_S, verify: str | None = None) -> LineStream:
    """A stream called "the stream"; `verify` is a file of certificates to trust."""
    session = LichessSession(SecretStr(TOKEN), user_agent="test", timeout=(5.0, 5.0), clock=SystemClock())
    if verify is not None:
        session.verify = verify
    return open_lines(
        session, server.url, "/api/stream/event", what="the stream", connect_s=5.0, silence_s=silence_s
    )
