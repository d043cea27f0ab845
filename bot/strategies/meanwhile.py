"""What plays while the engine is being compiled."""

from __future__ import annotations

import sys
import threading
from collections.abc import Callable

from bot.engine.warm import is_warm, start_warming
from bot.strategies.contract import Strategy, Turn


class Meanwhile:
    """Plays as `instead` until another process has compiled the engine, and then as what `make` makes.

    The change comes between two turns; loading the engine takes no time from any of them. Where it cannot be
    compiled, `instead` plays on, and stderr is told so.
    """

    def __init__(self, instead: Strategy, make: Callable[[], Strategy]) -> None:
        self._player = self._instead = instead
        self._make = make
        sys.stderr.write("compiled: the engine is being compiled; playing as classical meanwhile\n")
        threading.Thread(target=self._change, name="waits for the engine", daemon=True).start()

    def __call__(self, turn: Turn) -> None:
        self._player(turn)

    def _change(self) -> None:
        start_warming().wait()
        if is_warm():
            self._player = self._make()
            if self._player is not self._instead:  # which says why
                sys.stderr.write("compiled: the engine plays from now on\n")
        else:
            sys.stderr.write("compiled: the engine could not be compiled (knightshift warm tells why)\n")
