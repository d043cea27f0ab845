"""What follows from a game's whole move list, remembered, so that one more ply costs one ply.

Every answer is what a replay from the first move would give; only the work of it is spared.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Generic, TypeVar

from bot.errors import PositionError

T = TypeVar("T")

#: A list is looked for among those that were asked for before, with at most this many plies fewer.
_NEW_PLIES = 4


class FromMoves(Generic[T]):
    """A function of (variant, initial FEN, moves). Any thread may call it.

    `begin` makes the value for no moves, `grow` the next one from a value and a move in UCI; it changes
    neither. Both raise PositionError. One value is kept for each of the last `games` games, and handed out as
    it is.
    """

    def __init__(self, begin: Callable[[str, str], T], grow: Callable[[T, str], T], *, games: int) -> None:
        self._begin = begin
        self._grow = grow
        self._games = games
        self._lock = threading.Lock()
        self._known: dict[tuple[str, str, tuple[str, ...]], T] = {}  # the least recently used one first

    def __call__(self, variant: str, initial_fen: str, moves: tuple[str, ...]) -> T:
        """Raises PositionError, naming the ply (from 1), at the first move that is not legal."""
        known = self._take(variant, initial_fen, moves)
        value, ply = (self._begin(variant, initial_fen), 0) if known is None else known
        for number, uci in enumerate(moves[ply:], start=ply + 1):
            try:
                value = self._grow(value, uci)
            except PositionError as error:
                raise PositionError(f"ply {number}: {error}") from None
        with self._lock:
            self._known[variant, initial_fen, moves] = value
            while len(self._known) > self._games:
                del self._known[next(iter(self._known))]
        return value

    def _take(self, variant: str, initial_fen: str, moves: tuple[str, ...]) -> tuple[T, int] | None:
        """The value for the longest known beginning of `moves`, and its plies; it is known no more."""
        with self._lock:
            for ply in range(len(moves), max(-1, len(moves) - _NEW_PLIES - 1), -1):
                value = self._known.pop((variant, initial_fen, moves[:ply]), None)
                if value is not None:
                    return value, ply
        return None
