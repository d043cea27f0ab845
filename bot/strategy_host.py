"""Runs one strategy in a process of its own: asks go in, messages come out, nothing here ever waits for it.

The caller sets the deadlines, by calling `kill()`. See `bot.strategies.messages` for what is delivered:

    start()  →  Ready | Failed(None, died=True)
    ask(n)   →  [Ready] [Thinking(n) ...] [Committed(n)] then one of Chose(n) | Failed(n)
    kill()   →  nothing: what the caller ended itself is not news
    at any time between asks  →  Failed(None, died=True), when the child died by itself

A child that dies takes the outstanding ask with it; it is never asked again behind the caller's back.
"""

from __future__ import annotations

import contextlib
import logging
import os
import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from multiprocessing import Pipe
from multiprocessing.connection import wait

from bot.last_words import StderrTail, describe_exit
from bot.nursery import KILLED, Child, Nursery
from bot.strategies.answers import MOST_BYTES, NoAnswerError, read_answer
from bot.strategies.child import Link
from bot.strategies.contract import StrategySpec, TurnFacts
from bot.strategies.messages import (
    Answer,
    Cause,
    ChildSettings,
    Chose,
    Committed,
    Failed,
    Faulted,
    HostMessage,
    Leave,
    Loaded,
    NotLoaded,
    Ready,
    Think,
    Thinking,
)

log = logging.getLogger(__name__)
strategy_log = logging.getLogger("bot.strategy")  # what strategies print

#: An idle child may take this long to end when it is told to.
POLITE_S = 0.5
#: close() gives up waiting for its thread after this: only a process server that hangs takes so long.
CLOSE_S = 10.0
CHUNK_BYTES = 65536


@dataclass
class _Life:
    """One child, from its launch to its burial; touched by the host's thread only."""

    child: Child
    incarnation: int
    tail: StderrTail = field(default_factory=StderrTail)
    loaded: bool = False
    running: int | None = None  # the ask the child is busy with
    reason: str | None = None  # why it ends, when that is known better than by its exit code

    @property
    def idle(self) -> bool:
        return self.loaded and self.running is None


class HostClosedError(RuntimeError):
    """Something was asked of a host that was closed."""


class StrategyHost:
    """Owns one thread, and at most one child process at a time.

    All methods may be called from any thread but one: `deliver` runs in the host's own thread, and must
    neither block nor call `close`. A message may already be on its way while `ask` or `kill` returns; its
    `ask_id` tells, so never use an id twice. `close` must be called in the end.
    """

    def __init__(
        self,
        spec: StrategySpec,
        *,
        deliver: Callable[[HostMessage], None],
        name: str,
        nursery: Nursery,
        memory_limit_mib: int | None = None,
        niceness: int = 5,
        tracebacks: bool = True,
    ) -> None:
        if niceness < 0:
            raise ValueError(f"niceness is {niceness}; a strategy may only be nicer than the bot (0 or more)")
        self._settings = ChildSettings(spec, niceness, memory_limit_mib, tracebacks)
        self._deliver = deliver
        self._name = name
        self._nursery = nursery
        self._wake_reader, self._wake_writer = Pipe(duplex=False)
        self._thread: threading.Thread | None = None
        self._lock = threading.Lock()  # guards all that follows
        self._woken = False  # a wake-up is in the pipe
        self._closed = False
        self._incarnation = 0  # raised by every kill(): what belongs to a smaller one is stale
        self._living: int | None = None  # the incarnation that is being started or runs
        self._child: Child | None = None
        self._start_wanted = False
        self._asked: Think | None = None  # the newest ask, until it is answered

    # --- called by the owner --------------------------------------------------------------------------------

    def start(self) -> None:
        """Start the child if there is none; returns at once, Ready or Failed follows."""
        with self._lock:
            self._must_be_open()
            self._start_wanted = self._living != self._incarnation
            self._wake()

    def ask(self, ask_id: int, facts: TurnFacts) -> None:
        """Ask for a move; returns at once, and starts the child if there is none.

        A newer ask replaces one that is still unanswered: the older one stays unanswered, and the child gets
        the newer one when it is done with the older. To have it begin at once, `kill` first.
        """
        with self._lock:
            self._must_be_open()
            self._asked = Think(ask_id, facts)
            self._wake()

    def withdraw(self) -> None:
        """Forget the ask; the child lives on. What it is busy with it finishes, unheard; returns at once."""
        with self._lock:
            self._asked = None

    def kill(self) -> None:
        """End the child and forget the ask; returns at once. The next ask starts a fresh child."""
        with self._lock:
            self._kill()
            self._wake()

    def close(self) -> None:
        """End everything: an idle child politely, a busy one at once. No thread, process or fd is left."""
        with self._lock:
            if self._closed:
                return
            self._closed = True
            if self._asked is not None:
                self._kill()
            self._wake()
            thread = self._thread
        if thread is not None:
            thread.join(CLOSE_S)
            if thread.is_alive():
                log.error("%s: its thread did not end within %g s", self._name, CLOSE_S)
                return
        self._wake_reader.close()
        self._wake_writer.close()

    # --- with the lock held ---------------------------------------------------------------------------------

    def _must_be_open(self) -> None:
        if self._closed:
            raise HostClosedError(f"the host of {self._name} is closed")
        if self._thread is None:
            self._thread = threading.Thread(target=self._run, name=f"host of {self._name}", daemon=False)
            self._thread.start()

    def _wake(self) -> None:
        if not self._woken and self._thread is not None:
            self._woken = True
            self._wake_writer.send_bytes(b"!")

    def _kill(self) -> None:
        self._incarnation += 1
        self._asked, self._start_wanted = None, False
        child, self._child = self._child, None
        if child is not None:
            child.kill()

    # --- the host's thread ----------------------------------------------------------------------------------

    def _run(self) -> None:
        while (incarnation := self._next_incarnation()) is not None:
            try:
                reason, cause = self._live(incarnation)
            except Exception as error:  # the thread's outermost edge: the owner must hear of it
                log.exception("the host of %s failed", self._name)
                reason, cause = f"its host failed: {type(error).__name__}: {error}", "infrastructure"
            self._report_end(incarnation, reason, cause)

    def _next_incarnation(self) -> int | None:
        """Wait until a child is needed; None when the host is closed."""
        while True:
            with self._lock:
                if self._closed:
                    return None
                if self._start_wanted or self._asked is not None:
                    self._start_wanted = False
                    self._living = self._incarnation
                    return self._incarnation
            self._wait([])

    def _wait(self, watched: Sequence[Link | int]) -> Sequence[object]:
        """Those of `watched` that are ready; may be none after a wake-up."""
        ready = wait([self._wake_reader, *watched])
        if self._wake_reader in ready:
            ready.remove(self._wake_reader)
            self._wake_reader.recv_bytes()
            with self._lock:
                self._woken = False
        return ready

    def _live(self, incarnation: int) -> tuple[str, Cause]:
        """One child's life; returns why it ended, and by whose doing."""
        try:
            child = self._nursery.launch(self._settings, name=self._name)
        except (OSError, EOFError) as error:
            return f"its process could not be started: {type(error).__name__}: {error}", "infrastructure"
        life = _Life(child, incarnation)
        try:
            with self._lock:
                if incarnation == self._incarnation:
                    self._child = child
            self._serve(life)
            child.kill()  # also what it started itself, which holds the other ends of what is drained now
            self._drain(life)
        finally:
            with self._lock:
                if self._child is child:
                    self._child = None
            exit_code = child.bury()
        if life.reason is not None:
            return life.reason, "own"
        if child.lost_its_server(exit_code):
            return "the process server that it came from died", "infrastructure"
        return describe_exit(exit_code, life.tail.summary()), "killed" if exit_code == KILLED else "own"

    def _serve(self, life: _Life) -> None:
        """Talk with the child until it ends, or should."""
        child = life.child
        watched: list[Link | int] = [child.sentinel, child.link]
        if child.stderr is not None:
            watched.append(child.stderr)
        while True:
            with self._lock:
                closed, killed = self._closed, life.incarnation != self._incarnation
                asked = self._asked
            if killed:
                return
            if closed:
                if life.idle:
                    with contextlib.suppress(OSError):  # it may have died this moment
                        child.link.send(Leave())
                    wait([child.sentinel], POLITE_S)
                return
            if asked is not None and life.idle:
                life.running = asked.ask_id
                with contextlib.suppress(OSError):  # it has died; the sentinel tells the rest
                    child.link.send(asked)
            ready = self._wait(watched)
            if (
                child.stderr is not None
                and child.stderr in ready
                and not self._hear_stderr(life, child.stderr)
            ):
                watched.remove(child.stderr)
            if child.link in ready and not self._hear_answer(life):
                watched.remove(child.link)  # it is dying; the sentinel will tell
            if child.sentinel in ready:
                return

    def _drain(self, life: _Life) -> None:
        """Hear the last words of a dead child."""
        while life.child.link.poll() and self._hear_answer(life):
            pass
        if life.child.stderr is not None:
            self._hear_stderr(life, life.child.stderr)

    def _hear_stderr(self, life: _Life, stderr: Link) -> bool:
        """Read once; False at the end."""
        try:
            data = os.read(stderr.fileno(), CHUNK_BYTES)
        except BlockingIOError:
            return True
        for line in life.tail.hear(data):
            strategy_log.debug("%s: %s", self._name, line)
        return bool(data)

    def _hear_answer(self, life: _Life) -> bool:
        """Read one message and pass it on if it is still wanted; False when there are no more."""
        try:
            answer: Answer = read_answer(life.child.link.recv_bytes(MOST_BYTES))
        except NoAnswerError as error:
            life.reason = f"its process sent what is no answer ({error}) and was stopped"
            life.child.kill()
            return False
        except (EOFError, OSError):
            return False
        message: HostMessage | None = None
        match answer:
            case Loaded(load_ms):
                life.loaded = True
                message = Ready(self._name, load_ms)
            case NotLoaded(reason):
                life.reason = reason
            case Committed() | Thinking():
                message = answer
            case Chose():
                life.running = None
                message = answer
            case Faulted(ask_id, reason):
                life.running = None
                message = Failed(ask_id, reason, died=False)
        if message is not None and self._wanted(message, life):
            self._deliver(message)
        return True

    def _wanted(self, message: HostMessage, life: _Life) -> bool:
        """False for what comes from a killed child or belongs to an ask that was replaced."""
        with self._lock:
            if life.incarnation != self._incarnation:
                return False
            if isinstance(message, Ready):
                return True
            if self._asked is None or self._asked.ask_id != message.ask_id:
                return False
            if not isinstance(message, Committed | Thinking):
                self._asked = None
            return True

    def _report_end(self, incarnation: int, reason: str, cause: Cause) -> None:
        with self._lock:
            self._living = None
            if self._closed or incarnation != self._incarnation:
                return
            asked, self._asked = self._asked, None
        self._deliver(Failed(None if asked is None else asked.ask_id, reason, died=True, cause=cause))
