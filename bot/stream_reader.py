"""The thread that reads one stream: open, read, and open again until told to stop or refused for good."""

from __future__ import annotations

import logging
import random
import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Generic, Protocol, TypeVar

from bot.errors import LichessError, RateLimitedError, RefusedError
from bot.timing.backoff import Reconnect
from bot.timing.clock import Clock

log = logging.getLogger(__name__)

T_co = TypeVar("T_co", covariant=True)
T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class StreamOpened:
    """The stream is open (for the first time or again); what follows is current."""


@dataclass(frozen=True, slots=True)
class StreamLost:
    """The stream ended or could not be opened; it is tried again in `retry_in_s` seconds."""

    why: str
    retry_in_s: float
    ended_by_server: bool = False  # an orderly end, where the stream should have had none


@dataclass(frozen=True, slots=True)
class StreamRefused:
    """The server will not open this stream: no use in trying again."""

    error: RefusedError


@dataclass(frozen=True, slots=True)
class ReaderDied:
    """The reading thread itself failed: a bug of ours, said so that its owner is never left deaf."""

    why: str


StreamNews = StreamOpened | StreamLost | StreamRefused | ReaderDied


class Lines(Protocol):
    """An open stream: `bot.lichess.transport.LineStream` is one."""

    def __iter__(self) -> Iterator[bytes]: ...

    def close(self) -> None: ...


class StreamReader(Generic[T]):
    """Owns one reading thread. Everything it has to say goes through `deliver`, in order.

    `open_stream` blocks until the server answers and raises LichessError. `parse` never raises. `final`: the
    refusals after which it is no use to try again.
    """

    def __init__(
        self,
        *,
        name: str,
        open_stream: Callable[[], Lines],
        parse: Callable[[bytes], T],
        deliver: Callable[[T | StreamNews], None],
        reconnect: Reconnect,
        clock: Clock,
        rng: random.Random,
        final: type[RefusedError] = RefusedError,
    ) -> None:
        self._final = final
        self._open_stream = open_stream
        self._parse = parse
        self._deliver = deliver
        self._reconnect = reconnect
        self._clock = clock
        self._rng = rng
        self._stopping = threading.Event()
        self._lock = threading.Lock()
        self._current: Lines | None = None
        self._thread = threading.Thread(target=self._run, name=name, daemon=True)

    def start(self) -> None:
        self._thread.start()

    def stop(self) -> None:
        """Tell the thread to end and wake it; returns at once."""
        self._stopping.set()
        self.reopen()

    def reopen(self) -> None:
        """Close the present stream, so that it is opened again and tells the whole truth once more."""
        with self._lock:
            current = self._current
        if current is not None:
            current.close()

    def join(self, timeout_s: float) -> bool:
        """True when the thread has ended within `timeout_s` seconds."""
        if self._thread.ident is not None:
            self._thread.join(timeout_s)
        return not self._thread.is_alive()

    def _run(self) -> None:
        try:
            self._read_for_ever()
        except Exception as error:
            log.exception("the reader of %s failed", self._thread.name)
            self._deliver(ReaderDied(f"{type(error).__name__}: {error}"))

    def _read_for_ever(self) -> None:
        while not self._stopping.is_set():
            asked_s: float | None = None
            ended_by_server = False
            self._reconnect.opening(self._clock.monotonic())
            try:
                self._read_once()
                why, ended_by_server = "the server ended it", True
            except RateLimitedError as error:
                why, asked_s = str(error), error.retry_after_s
            except LichessError as error:
                if isinstance(error, self._final):
                    self._deliver(StreamRefused(error))
                    return
                why = str(error)
            if self._stopping.is_set():
                return
            wait_s = self._reconnect.wait_after_loss_s(self._clock.monotonic(), self._rng, asked_s=asked_s)
            self._deliver(StreamLost(why, wait_s, ended_by_server))
            self._stopping.wait(wait_s)

    def _read_once(self) -> None:
        """Open and read until the server ends the stream, or until told to stop."""
        stream = self._open_stream()
        with self._lock:
            self._current = stream
        try:
            if self._stopping.is_set():  # stop() came while the stream was being opened
                return
            self._reconnect.opened(self._clock.monotonic())
            self._deliver(StreamOpened())
            for line in stream:
                self._deliver(self._parse(line))
                if self._stopping.is_set():
                    return
        finally:
            with self._lock:
                self._current = None
            stream.close()
