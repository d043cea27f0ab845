"""An open stream of Lichess: its lines as they arrive, keep-alives included, and how it ended."""

from __future__ import annotations

import contextlib
import logging
import threading
from collections import deque
from collections.abc import Callable, Iterator
from types import TracebackType
from typing import cast

import requests
import urllib3.exceptions
from berserk import Requestor
from berserk.formats import FormatHandler

from bot.errors import ConnectionTroubleError
from bot.lichess.sessions import LichessSession, Timeout
from bot.lichess.troubles import ROAD_ERRORS, as_lichess_errors, reason

log = logging.getLogger(__name__)

#: No event of Lichess comes near this.
MAX_LINE_BYTES = 1 << 20
_READ_BYTES = 1 << 16


class LineStream(Iterator[bytes]):
    """The lines of an open stream, without their line ends; a keep-alive is an empty line.

    One thread iterates. The iterator ends when the server ended the stream in due form, or after `close`.
    Anything else raises ConnectionTroubleError, once: silence, a reset, a missing end, an endless line.
    A last line without a line end is handed out if the stream ended in due form, and dropped if it broke.

    Owns its session: nothing else may use it.
    """

    def __init__(
        self,
        what: str,
        session: LichessSession,
        response: requests.Response,
        *,
        silence_s: float,
        on_end: Callable[[LineStream], None] | None = None,
    ) -> None:
        self._what = what
        self._session = session
        # Given up once closed: a pool closes its kept connection only when nothing holds on to the pool.
        self._response: requests.Response | None = response
        self._silence_s = silence_s
        self._on_end = on_end
        self._ready: deque[bytes] = deque()
        self._partial = bytearray()
        self._finished = False
        self._closed = threading.Event()
        self._reading = threading.Lock()  # held while the reader is inside a read
        self._sockets = threading.Lock()  # held while the connection is shut or closed

    def __next__(self) -> bytes:
        while not self._closed.is_set():
            if self._ready:
                line = self._ready.popleft()
                if line and log.isEnabledFor(logging.DEBUG):
                    text = line.decode("utf-8", "backslashreplace")
                    log.debug("%s < %s", self._what, self._session.mask(text))
                return line
            if self._finished:
                break
            self._read()
        self._release()
        raise StopIteration

    def __enter__(self) -> LineStream:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """End the stream and wake its reader at once. From any thread, any number of times."""
        self._closed.set()
        with self._sockets:
            if self._response is not None:
                # Each of the three says that the connection is gone already, which is all that is wanted.
                with contextlib.suppress(OSError, RuntimeError, ValueError):
                    self._response.raw.shutdown()
        # A reader inside a read holds the buffers that closing would touch: woken, it closes for itself.
        if self._reading.acquire(blocking=False):
            self._reading.release()
            self._release()

    def _read(self) -> None:
        """Wait for the next bytes; sort them into lines."""
        with self._reading:
            if self._closed.is_set() or self._response is None:
                return
            try:
                # One read of the socket at most: what has arrived is handed on at once, chunked or not.
                data: bytes = self._response.raw.read1(_READ_BYTES, decode_content=True)
            except ROAD_ERRORS as error:
                trouble: Exception | None = error
            else:
                trouble = None
        if self._closed.is_set():
            return
        if trouble is not None:
            self._fail(self._how(trouble))
        if data:
            self._sort(data)
            return
        self._finished = True
        if self._partial:
            self._ready.append(bytes(self._partial))

    def _sort(self, data: bytes) -> None:
        *whole, rest = data.split(b"\n")
        for end in whole:
            line = bytes(self._partial) + end
            self._partial.clear()
            self._check(len(line))
            self._ready.append(line.removesuffix(b"\r"))
        self._partial += rest
        self._check(len(self._partial))

    def _check(self, length: int) -> None:
        if length > MAX_LINE_BYTES:
            self._fail(f"a line of more than {MAX_LINE_BYTES} bytes")

    def _how(self, trouble: Exception) -> str:
        if isinstance(trouble, urllib3.exceptions.ReadTimeoutError):
            return f"no line for {self._silence_s:g} s"
        return self._session.mask(reason(trouble))

    def _fail(self, how: str) -> None:
        self._finished = True
        self._release()
        raise ConnectionTroubleError(f"{self._what}: {how}")

    def _release(self) -> None:
        """Close the connection, once."""
        with self._sockets:
            response, self._response = self._response, None
            if response is None:
                return
            response.close()
            self._session.close()
        if self._on_end is not None:
            self._on_end(self)


class _LineFormat(FormatHandler[bytes]):
    """Lets a Requestor return a LineStream: berserk's own formats swallow blank lines, raise on bad JSON."""

    def __init__(self, open_stream: Callable[[requests.Response], LineStream]) -> None:
        super().__init__("application/x-ndjson")
        # Compressed, a line would wait in the server's compressor for company.
        self.headers["Accept-Encoding"] = "identity"
        self._open_stream = open_stream

    def handle(
        self,
        response: requests.Response,
        is_stream: bool,  # noqa: ARG002  berserk's signature
        converter: object = None,  # noqa: ARG002
    ) -> LineStream:
        return self._open_stream(response)


def open_lines(
    session: LichessSession,
    url: str,
    path: str,
    *,
    what: str,
    connect_s: float,
    silence_s: float,
    on_end: Callable[[LineStream], None] | None = None,
) -> LineStream:
    """Open the stream at `path`; blocks until the server's answer has begun. Raises LichessError.

    `what` names the stream in messages. `session` belongs to the stream from now on, whatever happens.
    `on_end` hears, from whichever thread it was, that the stream's connection is closed.
    """

    def lines(response: requests.Response) -> LineStream:
        if response.headers.get("Content-Type", "").startswith("text/html"):
            response.close()
            raise ConnectionTroubleError(f"{what}: a page of HTML where a stream should be")
        return LineStream(what, session, response, silence_s=silence_s, on_end=on_end)

    timeout: Timeout = (connect_s, silence_s)
    try:
        with as_lichess_errors(what, session.mask):
            stream = Requestor(session, url, _LineFormat(lines)).get(path, stream=True, timeout=timeout)
    except BaseException:
        session.close()
        raise
    return cast(LineStream, stream)  # which is what _LineFormat makes of every answer
