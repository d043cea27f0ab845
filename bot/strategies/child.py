"""The strategy's own process: settles in, loads the strategy, and takes turns until it is told to leave.

The strategy runs in the main thread, as it would in a script. A second thread listens to the host, so that
the process dies with the bot whatever the strategy does. What the strategy prints goes to stderr, which the
host reads; nothing it prints can get between the messages.
"""

from __future__ import annotations

import contextlib
import faulthandler
import gc
import io
import math
import os
import queue
import signal
import sys
import threading
import traceback
from multiprocessing import forkserver
from multiprocessing.connection import Connection
from pathlib import Path
from typing import TYPE_CHECKING, NoReturn

import chess.variant  # noqa: F401  the process server imports this module in advance, and with it all that takes long

from bot.errors import KnightshiftError
from bot.strategies.blame import describe
from bot.strategies.contract import Strategy, Thought
from bot.strategies.messages import (
    Answer,
    ChildSettings,
    Chose,
    Committed,
    Faulted,
    Leave,
    Loaded,
    NotLoaded,
    Request,
    Think,
    Thinking,
)
from bot.strategies.registry import load
from bot.strategies.turn_tools import take_turn
from bot.timing.clock import Clock, SystemClock

if TYPE_CHECKING:
    from typing import Any

    Link = Connection[Any, Any]
else:
    Link = Connection

#: No strategy sees these.
SECRETS = ("LICHESS_BOT_TOKEN",)
REASON_CHARS = 300
#: A strategy may tell its thoughts as often as it likes; so often they are passed on.
TELL_EVERY_S = 0.25
#: Out of memory, the system ends a strategy before it ends the bot (-1000 ... 1000, Linux).
OOM_SCORE_ADJUSTMENT = 500
PR_SET_PDEATHSIG = 1  # linux/prctl.h


class Desk:
    """The way out: messages leave whole, whichever of the strategy's threads sends them."""

    def __init__(self, link: Link, clock: Clock, *, tracebacks: bool = True) -> None:
        self._tracebacks = tracebacks
        self._clock = clock
        self._tell_from = -math.inf  # monotonic seconds: no thought is passed on before
        self._link = link
        self._lock = threading.Lock()

    def send(self, answer: Answer) -> None:
        try:
            with self._lock:
                self._link.send(answer)
        except OSError:  # the bot is gone, and the listener is about to say so
            _die()

    def tell(self, ask_id: int, thought: Thought) -> None:
        """Pass the thought on, unless one has gone out a moment ago."""
        now = self._clock.monotonic()
        if now >= self._tell_from:
            self._tell_from = now + TELL_EVERY_S
            self.send(Thinking(ask_id, thought))

    def show(self, error: BaseException) -> None:
        """Where it came from, for whoever reads the log."""
        if self._tracebacks:
            _show(error)


def run(link: Link, stderr: Link | None, settings: ChildSettings) -> NoReturn:
    """The whole life of the process. Answers go to `link`, output to `stderr` (None: where ours went)."""
    _settle_in(stderr, settings)
    requests: queue.SimpleQueue[Request] = queue.SimpleQueue()
    threading.Thread(target=_listen, args=(link, requests), name="listener", daemon=True).start()
    clock = SystemClock()  # this process has no other composition root
    desk = Desk(link, clock, tracebacks=settings.tracebacks)
    began = clock.monotonic()
    try:
        strategy = load(settings.spec)
    except BaseException as error:  # noqa: BLE001  a module may do anything when it is imported, sys.exit too
        desk.show(error)
        desk.send(NotLoaded(f"it could not be loaded: {in_one_line(error)}"))
        os._exit(1)
    gc.freeze()  # else, once in some hundred turns, a collection walks through all that is loaded: 0.13 s
    desk.send(Loaded(_ms_since(began, clock)))
    while not isinstance(request := requests.get(), Leave):
        desk.send(answer_to(request, strategy, desk, clock))
    os._exit(0)  # not waiting for threads that the strategy may have left behind


def answer_to(request: Think, strategy: Strategy, desk: Desk, clock: Clock) -> Chose | Faulted:
    """Let the strategy take one turn; whatever it raises becomes one line."""
    began = clock.monotonic()
    committed: list[str] = []

    def commit(move: str) -> None:
        committed.append(move)
        desk.send(Committed(request.ask_id, move))

    def tell(thought: Thought) -> None:
        desk.tell(request.ask_id, thought)

    try:
        choice = take_turn(strategy, request.facts, on_commit=commit, on_thought=tell)
        move, note, thought = choice.move, choice.note, choice.thought
    except KnightshiftError as error:
        if error.__cause__ is not None:
            desk.show(error.__cause__)
        return Faulted(request.ask_id, in_one_line(error))
    except BaseException as error:  # noqa: BLE001  somebody else's code: KeyboardInterrupt, an error of its own kind
        desk.show(error)
        note = in_one_line(error)
        if not committed:
            return Faulted(request.ask_id, note)
        move, thought = committed[0], None
    return Chose(request.ask_id, move, _ms_since(began, clock), note, thought)


def in_one_line(error: BaseException) -> str:
    """The error in one printable line, with its place where it is not one of ours."""
    text = str(error) if isinstance(error, KnightshiftError) else describe(error)
    return "".join(char if char.isprintable() else "?" for char in " ".join(text.split()))[:REASON_CHARS]


def _listen(link: Link, requests: queue.SimpleQueue[Request]) -> None:
    """Take requests in until the bot closes the connection or dies; then there is nothing left to do."""
    try:
        while True:
            requests.put(link.recv())
    except (EOFError, OSError):
        pass  # not a fault: it is how the host says that it is over
    except Exception as error:  # noqa: BLE001  the thread's outermost edge: nobody would hear the next request
        _show(error)
    finally:
        _die()


def _show(error: BaseException) -> None:
    """The whole traceback for the log; not through sys.stderr, which the strategy may have replaced."""
    with contextlib.suppress(OSError):  # the strategy has closed it
        os.write(2, "".join(traceback.format_exception(error)).encode(errors="backslashreplace"))


def _die() -> NoReturn:
    """End at once, and take along what the strategy has started (an engine, say)."""
    if sys.platform != "win32" and os.getpgrp() == os.getpid():
        os.killpg(os.getpid(), signal.SIGKILL)
    os._exit(1)


def _ms_since(began: float, clock: Clock) -> int:
    return round((clock.monotonic() - began) * 1000)


# --- settling in ------------------------------------------------------------------------------------------


def _settle_in(stderr: Link | None, settings: ChildSettings) -> None:
    for secret in SECRETS:
        os.environ.pop(secret, None)
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the bot, which decides what becomes of us
    _redirect_output(stderr)
    _let_go_of_the_server()
    if sys.platform == "linux":
        _die_with_parent()
    if sys.platform != "win32":
        # A group, so that the host can kill an engine with us; not a session, in which Linux's autogroups
        # would give us as much of the processor as the bot has, however nice we are.
        os.setpgid(0, 0)
        with contextlib.suppress(OSError):  # a sandbox may forbid it; the strategy can play all the same
            os.nice(settings.niceness)
        if settings.memory_limit_mib is not None:
            _limit_memory(settings.memory_limit_mib)


def _redirect_output(stderr: Link | None) -> None:
    if stderr is not None:
        os.dup2(stderr.fileno(), 2)
        stderr.close()
    os.dup2(2, 1)
    text = io.TextIOWrapper(
        io.FileIO(2, "w", closefd=False), encoding="utf-8", errors="backslashreplace", line_buffering=True
    )
    sys.stdout = sys.stderr = text
    faulthandler.enable(file=2, all_threads=False)  # a segfault says where it happened


def _let_go_of_the_server() -> None:
    """Close our share of the pipe that keeps the process server alive.

    Else the server, and with it every child, would outlive a bot that was killed while one child is stuck
    in C code, deaf to its listener. There is no public name for it.
    """
    server = getattr(forkserver, "_forkserver", None)
    alive_fd = getattr(server, "_forkserver_alive_fd", None)
    if server is not None and alive_fd is not None:
        server._forkserver_alive_fd = None
        os.close(alive_fd)


def _die_with_parent() -> None:
    """Have the kernel kill us when the process server dies, which it does when the bot dies (Linux)."""
    import ctypes  # noqa: PLC0415  Linux only

    ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
    with contextlib.suppress(OSError):  # no /proc, or read-only: then the system chooses by size, as ever
        Path("/proc/self/oom_score_adj").write_text(str(OOM_SCORE_ADJUSTMENT))


def _limit_memory(limit_mib: int) -> None:
    """Limit what the process may allocate for itself: beyond it Python raises MemoryError.

    RLIMIT_DATA counts private writable memory. RLIMIT_AS would also count mapped files and reserved
    addresses, of which a tablebase or a compiler takes gigabytes without using any memory.
    """
    import resource  # noqa: PLC0415  POSIX only

    limit = limit_mib * 1024 * 1024
    _, ceiling = resource.getrlimit(resource.RLIMIT_DATA)  # nobody but root can raise that one
    if ceiling != resource.RLIM_INFINITY:
        limit = min(limit, ceiling)
    resource.setrlimit(resource.RLIMIT_DATA, (limit, limit))
