"""The reading thread, over streams that end in every way there is."""

from __future__ import annotations

import queue
import random
import threading
from collections.abc import Callable, Iterator

from bot.errors import (
    ConnectionTroubleError,
    LichessError,
    NotAllowedError,
    NotFoundError,
    RateLimitedError,
    RefusedError,
)
from bot.stream_reader import (
    Lines,
    ReaderDied,
    StreamLost,
    StreamNews,
    StreamOpened,
    StreamReader,
    StreamRefused,
)
from bot.timing.backoff import Backoff, OpenWindow, Reconnect
from bot.timing.clock import VirtualClock


class Script:
    """A stream that gives its lines, then does what it was told: end, raise, or wait to be closed."""

    def __init__(self, *lines: bytes, then: LichessError | str = "end") -> None:
        self._lines = lines
        self._then = then
        self._closed = threading.Event()

    def __iter__(self) -> Iterator[bytes]:
        yield from self._lines
        if isinstance(self._then, LichessError):
            raise self._then
        if self._then == "wait" and not self._closed.wait(10):
            raise AssertionError("nobody closed the stream")

    def close(self) -> None:
        self._closed.set()


class Running:
    def __init__(
        self,
        *opens: Script | LichessError,
        parse: Callable[[bytes], str] = bytes.decode,
        final: type[RefusedError] = RefusedError,
    ) -> None:
        self._opens = list(opens)
        self.heard: queue.SimpleQueue[str | StreamNews] = queue.SimpleQueue()
        self.reader = StreamReader(
            name="under test",
            open_stream=self._open,
            parse=parse,
            deliver=self.heard.put,
            reconnect=Reconnect(
                Backoff(0.001, 0.001), OpenWindow(limit=100, window_s=1.0), healthy_after_s=60.0
            ),
            clock=VirtualClock(),
            rng=random.Random(1),
            final=final,
        )
        self.reader.start()

    def _open(self) -> Lines:
        following = self._opens.pop(0) if self._opens else Script(then="wait")
        if isinstance(following, LichessError):
            raise following
        return following

    def hear(self, count: int) -> list[str | StreamNews]:
        return [self.heard.get(timeout=10) for _ in range(count)]

    def end(self) -> None:
        self.reader.stop()
        assert self.reader.join(10)


def test_a_clean_end_is_reopened_and_said() -> None:
    running = Running(Script(b"one"), Script(b"two", then="wait"))
    opened, one, lost, again, two = running.hear(5)
    assert (opened, one, again, two) == (StreamOpened(), "one", StreamOpened(), "two")
    assert isinstance(lost, StreamLost)
    assert (lost.why, lost.ended_by_server) == ("the server ended it", True)
    running.end()


def test_a_broken_stream_and_a_failed_open_are_reopened_and_say_why() -> None:
    running = Running(
        Script(b"one", then=ConnectionTroubleError("no line for 15 s")),
        ConnectionTroubleError("connection refused"),
        RateLimitedError("slow down", retry_after_s=0.002),
        Script(b"two", then="wait"),
    )
    heard = running.hear(7)
    assert [news.why for news in heard if isinstance(news, StreamLost)] == [
        "no line for 15 s",
        "connection refused",
        "slow down",
    ]
    assert not any(news.ended_by_server for news in heard if isinstance(news, StreamLost))
    assert heard[-1] == "two"
    running.end()


def test_what_a_429_asks_for_is_waited() -> None:
    running = Running(RateLimitedError("slow down", retry_after_s=3600.0))
    (lost,) = running.hear(1)
    assert isinstance(lost, StreamLost)
    assert lost.retry_in_s == 3600.0
    running.end()  # the wait does not delay a stop


def test_a_refusal_ends_the_reader_for_good() -> None:
    running = Running(NotFoundError("No such game", status=404))
    (refused,) = running.hear(1)
    assert isinstance(refused, StreamRefused)
    assert running.reader.join(10)


def test_which_refusal_is_final_is_for_the_owner_to_say() -> None:
    """The account's stream is always there: a 404 in front of it is a proxy's, and will pass."""
    running = Running(
        NotFoundError("HTTP 404, a page of HTML", status=404),
        NotAllowedError("No such token", status=401),
        final=NotAllowedError,
    )
    lost, refused = running.hear(2)
    assert isinstance(lost, StreamLost)
    assert isinstance(refused, StreamRefused)
    assert running.reader.join(10)


def test_stop_wakes_a_reader_that_waits_for_a_line() -> None:
    running = Running(Script(b"one", then="wait"))
    running.hear(2)
    running.end()
    assert running.heard.empty(), "a stop is not a loss"


def test_reopen_asks_for_the_whole_truth_again() -> None:
    running = Running(Script(b"one", then="wait"), Script(b"two", then="wait"))
    running.hear(2)
    running.reader.reopen()
    _, opened, two = running.hear(3)
    assert (opened, two) == (StreamOpened(), "two")
    running.end()


def test_a_bug_in_the_reader_reaches_its_owner() -> None:
    def broken(line: bytes) -> str:
        raise KeyError(line.decode())

    running = Running(Script(b"one"), parse=broken)
    _, died = running.hear(2)
    assert died == ReaderDied("KeyError: 'one'")
    assert running.reader.join(10)
