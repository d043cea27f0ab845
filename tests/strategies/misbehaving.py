"""Strategies that misbehave on request: in a game with the id MISBEHAVE; in others they play the first move.

Each is a whole kind of fault: what it does here, somebody's strategy will do some day.
"""

from __future__ import annotations

import contextlib
import ctypes
import gc
import json
import os
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path
from typing import Any, NoReturn, cast

from bot.errors import SecondMoveError
from bot.strategies.contract import Strategy, Turn

MISBEHAVE = "misbehave"
HANGING = "now hanging"


def play_first(turn: Turn) -> None:
    turn.play_move(turn.simulate_move(turn.fen)["legal_moves"][0])


def on_request(fault: Strategy) -> Strategy:
    def strategy(turn: Turn) -> None:
        (fault if turn.game_id == MISBEHAVE else play_first)(turn)

    return strategy


def say(text: str) -> None:
    """One line on stderr, at once."""
    os.write(2, f"{text}\n".encode())


# --- faults of the turn: the process lives on ---------------------------------------------------------------


@on_request
def raises(turn: Turn) -> None:
    raise ValueError("no idea\nwhat to play")


@on_request
def raises_unpicklable(turn: Turn) -> None:
    class Local(Exception):  # noqa: N818  pickle cannot find a class made in here
        def __str__(self) -> str:
            raise RuntimeError("not even a text")

    error = Local()
    error.lock = threading.Lock()  # type: ignore[attr-defined]  # the point: it cannot travel
    raise error


@on_request
def illegal_move(turn: Turn) -> None:
    turn.play_move("e2e5")


@on_request
def unpicklable_move(turn: Turn) -> None:
    turn.play_move(cast(str, lambda: "e2e4"))


@on_request
def no_move(turn: Turn) -> None:
    turn.simulate_move(turn.fen)


@on_request
def two_moves(turn: Turn) -> None:
    play_first(turn)
    play_first(turn)


@on_request
def swallows_errors(turn: Turn) -> None:
    with contextlib.suppress(Exception):
        turn.play_move("e2e5")


@on_request
def exits(turn: Turn) -> None:
    sys.exit("that is it")


@on_request
def interrupts(turn: Turn) -> None:
    raise KeyboardInterrupt


@on_request
def grows(turn: Turn) -> None:
    hoard = []
    while True:
        hoard.append(bytearray(16 * 1024 * 1024))


# --- faults after a good move -----------------------------------------------------------------------------


@on_request
def commits_then_raises(turn: Turn) -> None:
    play_first(turn)
    raise ValueError("too late")


@on_request
def commits_then_interrupts(turn: Turn) -> None:
    play_first(turn)
    raise KeyboardInterrupt


@on_request
def commits_then_hangs(turn: Turn) -> None:
    play_first(turn)
    _sleep_for_ever()


@on_request
def commits_then_dies(turn: Turn) -> None:
    play_first(turn)
    os._exit(4)


# --- deaths -----------------------------------------------------------------------------------------------


@on_request
def dies_by_exit(turn: Turn) -> None:
    say("first words")
    say("I was told to go")
    os._exit(3)


@on_request
def dies_by_sigkill(turn: Turn) -> None:
    os.kill(os.getpid(), signal.SIGKILL)


@on_request
def dies_by_segfault(turn: Turn) -> None:
    ctypes.string_at(0)


# --- hangs ------------------------------------------------------------------------------------------------


def _sleep_for_ever() -> NoReturn:
    while True:
        time.sleep(3600)


@on_request
def hangs_in_python(turn: Turn) -> None:
    say(HANGING)
    while True:
        pass


@on_request
def hangs_in_sleep(turn: Turn) -> None:
    say(HANGING)
    _sleep_for_ever()


@on_request
def hangs_on_a_lock(turn: Turn) -> None:
    say(HANGING)
    threading.Event().wait()


@on_request
def hangs_in_c(turn: Turn) -> None:
    """Holds the GIL: no other thread of the process runs any more."""
    say(HANGING)
    ctypes.PyDLL(None).pause()


@on_request
def hangs_deaf_to_signals(turn: Turn) -> None:
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    say(HANGING)
    _sleep_for_ever()


@on_request
def hangs_with_everything_closed(turn: Turn) -> None:
    """Its connections are gone, and it lives."""
    say(HANGING)
    os.closerange(0, 256)
    _sleep_for_ever()


HANGS = (
    "hangs_in_python",
    "hangs_in_sleep",
    "hangs_on_a_lock",
    "hangs_in_c",
    "hangs_deaf_to_signals",
    "hangs_with_everything_closed",
)

# --- noise, and things left behind ------------------------------------------------------------------------

NOISE_BYTES = 4 * 1024 * 1024


@on_request
def noisy(turn: Turn) -> None:
    """Megabytes on both outputs: binary, lines without end, and an escape sequence for a terminal."""
    junk = bytes(range(256)) * 256
    for _ in range(NOISE_BYTES // len(junk) // 2):
        os.write(1, junk)
        os.write(2, junk.replace(b"\n", b"x"))
    print("\nprinted \x1b[31mred\x1b[0m", flush=True)  # noqa: T201  the fault under test
    play_first(turn)


def leaves_a_thread(turn: Turn) -> None:
    """Asked to misbehave it leaves a thread that never ends, and which plays in the turn after this one."""
    if turn.game_id == MISBEHAVE:
        threading.Thread(target=_play_late, args=(turn,), daemon=False).start()
    else:
        _next_turn.set()
        _played_late.wait()
    play_first(turn)


_next_turn, _played_late = threading.Event(), threading.Event()


def _play_late(turn: Turn) -> None:
    _next_turn.wait()
    try:
        turn.play_move("a2a3")
    except SecondMoveError:
        say("the late move was refused")
    _played_late.set()
    _sleep_for_ever()


@on_request
def leaves_an_engine(turn: Turn) -> None:
    engine = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(3600)"])
    say(f"engine {engine.pid}")
    _sleep_for_ever()


@on_request
def dies_and_leaves_an_engine(turn: Turn) -> None:
    """The engine has a session of its own, and holds on to our outputs."""
    engine = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(3600)"], start_new_session=True)
    say(f"engine {engine.pid}")
    os._exit(5)


# --- not misbehaving at all: what it sees from where it sits ----------------------------------------------


def prints_then_plays(turn: Turn) -> None:
    say("about to play")
    play_first(turn)


def reports_surroundings(turn: Turn) -> None:
    """Says in one line of JSON what a strategy can see of its process."""
    import resource  # not everywhere

    seen: dict[str, Any] = {
        "pid": os.getpid(),
        "nice": os.nice(0),
        "leads_group": os.getpgrp() == os.getpid(),
        "sigint_ignored": signal.getsignal(signal.SIGINT) == signal.SIG_IGN,
        "main_thread": threading.current_thread() is threading.main_thread(),
        "stdout_is_stderr": os.path.sameopenfile(1, 2),
        "token": os.environ.get("LICHESS_BOT_TOKEN"),
        "data_limit": resource.getrlimit(resource.RLIMIT_DATA)[0],
        "stdin": sys.stdin.read() if sys.stdin is not None else "",
        "frozen": gc.get_freeze_count() > len(gc.get_objects()),
        "oom": Path("/proc/self/oom_score_adj").read_text().strip() if sys.platform == "linux" else "",
    }
    say("surroundings " + json.dumps(seen))
    play_first(turn)
