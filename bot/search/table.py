"""What a search has found out already: positions with their scores and best moves."""

from __future__ import annotations

from collections.abc import Hashable
from typing import Generic, Literal, NamedTuple, TypeVar

import chess

from bot.search.scores import from_here, from_root

#: A score is exact, or the true one is at least or at most so much.
Bound = Literal["exact", "at_least", "at_most"]
Value = TypeVar("Value")


class Entry(NamedTuple):
    """What is known of a position. `score` is told from the position itself, not from any root."""

    depth: int
    score: int
    bound: Bound
    move: chess.Move | None


class Generations(Generic[Value]):
    """A dictionary of bounded size that forgets what was not asked for in a long time.

    It has two halves. When the younger is full it becomes the older, and the older is dropped; what is found
    in the older moves to the younger.
    """

    def __init__(self, size: int) -> None:
        self._half = max(1, size // 2)
        self._young: dict[Hashable, Value] = {}
        self._old: dict[Hashable, Value] = {}

    def get(self, key: Hashable) -> Value | None:
        found = self._young.get(key)
        if found is None:
            found = self._old.get(key)
            if found is not None:
                self.put(key, found)
        return found

    def put(self, key: Hashable, value: Value) -> None:
        if len(self._young) >= self._half and key not in self._young:
            self._old, self._young = self._young, {}
        self._young[key] = value

    def __len__(self) -> int:
        return len(self._young) + len(self._old.keys() - self._young.keys())


class Table(Generations[Entry]):
    """The transposition table of one search. A newer entry of the same position replaces an older one."""

    def store(
        self,
        key: Hashable,
        depth: int,
        score: int,
        move: chess.Move | None,
        *,
        window: tuple[int, int],
        ply: int,
    ) -> None:
        """Keep what a search of `depth` with the window (alpha, beta) found, `ply` plies after the root."""
        alpha, beta = window
        bound: Bound = "at_most" if score <= alpha else "at_least" if score >= beta else "exact"
        self.put(key, Entry(depth, from_here(score, ply), bound, move))


def settles(entry: Entry, depth: int, alpha: int, beta: int, ply: int) -> int | None:
    """The score with which `entry` makes a search of `depth` with this window needless, as seen from a root
    `ply` plies before; None: it must be searched."""
    if entry.depth < depth:
        return None
    score = from_root(entry.score, ply)
    if entry.bound == "exact" or (score >= beta if entry.bound == "at_least" else score <= alpha):
        return score
    return None
