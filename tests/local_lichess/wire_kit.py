"""Talking to the server as a client would, over real sockets."""

from __future__ import annotations

import contextlib
import json
import queue
import threading
from types import TracebackType
from typing import Any, Self

import requests

DEADLINE_S = 100.0  # generous: met only by a test that fails
_END = object()


class Client:
    """Requests with a token, without proxies or netrc."""

    def __init__(self, url: str, token: str | None = None, *, user_agent: str = "test/1") -> None:
        self.url = url
        self.session = requests.Session()
        self.session.trust_env = False
        self.session.headers["User-Agent"] = user_agent
        if token is not None:
            self.session.headers["Authorization"] = f"Bearer {token}"

    def get(self, path: str, **more: Any) -> requests.Response:
        return self.session.get(self.url + path, timeout=DEADLINE_S, **more)

    def post(self, path: str, **more: Any) -> requests.Response:
        return self.session.post(self.url + path, timeout=DEADLINE_S, **more)

    def stream(self, path: str) -> Stream:
        return Stream(self.session.get(self.url + path, timeout=DEADLINE_S, stream=True))

    def post_stream(self, path: str, **more: Any) -> Stream:
        return Stream(self.session.post(self.url + path, timeout=DEADLINE_S, stream=True, **more))

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.session.close()


class Stream:
    """An open ndjson stream, read in a thread. Ends as `clean` or with the name of an error."""

    def __init__(self, response: requests.Response) -> None:
        self.response = response
        self.how_it_ended: str | None = None
        self.tail = b""  # what came after the last newline
        self.seen: list[bytes] = []  # every line so far, whether or not it was asked for
        self._lines: queue.SimpleQueue[object] = queue.SimpleQueue()
        self._thread = threading.Thread(target=self._read, daemon=True)
        self._thread.start()

    def raw_line(self) -> bytes | None:
        """The next line, a blank one too; None when the stream has ended. queue.Empty after the deadline."""
        line = self._lines.get(timeout=DEADLINE_S)
        return line if isinstance(line, bytes) else None

    def next(self) -> dict[str, Any] | None:
        """The next message, keep-alives left out; None when the stream has ended."""
        while (line := self.raw_line()) is not None:
            if line.strip():
                message: dict[str, Any] = json.loads(line)
                return message
        return None

    def until(self, kind: str) -> dict[str, Any]:
        """The next message of that type."""
        while (message := self.next()) is not None:
            if message.get("type") == kind:
                return message
        raise AssertionError(f"the stream ended ({self.how_it_ended}) without {kind}")

    def rest(self) -> list[dict[str, Any]]:
        """Everything up to the end."""
        messages = []
        while (message := self.next()) is not None:
            messages.append(message)
        return messages

    def close(self) -> None:
        """Hang up, unless the server has."""
        if self._thread.is_alive():
            with contextlib.suppress(ValueError, RuntimeError):  # it ends just now
                self.response.raw.shutdown()
        self._thread.join(DEADLINE_S)
        self.response.close()

    def _read(self) -> None:
        try:
            for chunk in self.response.iter_content(chunk_size=None):
                *lines, self.tail = (self.tail + chunk).split(b"\n")
                for line in lines:
                    self.seen.append(line + b"\n")
                    self._lines.put(line + b"\n")
            self.how_it_ended = "clean"
        except (requests.RequestException, OSError, AttributeError) as error:
            self.how_it_ended = type(error).__name__
        self._lines.put(_END)
