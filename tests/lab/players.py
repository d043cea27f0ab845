"""Players with faults, for games that must end by them."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
from pathlib import Path

from bot.strategies.contract import Strategy, Turn


def raises_in_its_second_turn(turn: Turn) -> None:
    if len(turn.moves) >= 2:
        raise RuntimeError("enough of this")
    turn.play_move(min(turn.simulate_move(turn.fen)["legal_moves"]))


def hangs(turn: Turn) -> None:
    threading.Event().wait()


def kills(*, whom: str, times: int, marks: str) -> Strategy:
    """SIGKILL for itself ("own"), or for the process server that it comes from ("server"), so often; `marks`:
    a file that outlives it."""

    def strategy(turn: Turn) -> None:
        file = Path(marks)
        done = len(file.read_text()) if file.exists() else 0
        if done < times:
            file.write_text("x" * (done + 1))
            os.kill(os.getpid() if whom == "own" else os.getppid(), signal.SIGKILL)
            threading.Event().wait()
        turn.play_move(min(turn.simulate_move(turn.fen)["legal_moves"]))

    return strategy


def leaves_something(*, told: str) -> Strategy:
    """Starts a process in a session of its own, and writes its process id into the file `told`."""

    def strategy(turn: Turn) -> None:
        sleeper = [sys.executable, "-c", "import time; time.sleep(600)"]
        with Path(told).open("a") as file:
            file.write(f"{subprocess.Popen(sleeper, start_new_session=True).pid}\n")
        turn.play_move(min(turn.simulate_move(turn.fen)["legal_moves"]))

    return strategy
