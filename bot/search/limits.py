"""How far a search may go: in plies, in nodes, in time."""

from __future__ import annotations

from dataclasses import dataclass

from bot.timing.clock import Clock

#: The clock is looked at once in so many nodes. A node takes a fraction of a millisecond here, and a look
#: well under a microsecond.
POLL_EVERY = 16


class SearchStopped(Exception):  # noqa: N818  nothing went wrong
    """A limit was reached in the midst of a search."""


@dataclass(frozen=True, slots=True)
class Limits:
    """Where a search ends; None: no limit of this kind.

    `depth` in plies and `nodes` are exact: the same position and limits give the same search. `soft_s` is the
    time that a move should take, to be stretched and cut as the search goes; `hard_s` is never exceeded by
    more than a few nodes. Both count from the start of the search.
    """

    depth: int | None = None
    nodes: int | None = None
    soft_s: float | None = None
    hard_s: float | None = None

    def __post_init__(self) -> None:
        for name in ("depth", "nodes"):
            value = getattr(self, name)
            if value is not None and value < 1:
                raise ValueError(f"{name} must be at least 1, not {value}")


class Meter:
    """Counts the nodes of a search, and stops it."""

    def __init__(self, limits: Limits, clock: Clock) -> None:
        self._clock = clock
        self._began_s = clock.monotonic()
        self._most_nodes = limits.nodes
        self._deadline_s: float | None = None
        self._look_at = 0  # the one comparison that a node pays
        self.nodes = 0
        self.stop_after(limits.hard_s)

    def stop_after(self, seconds: float | None) -> None:
        """From now on, stop when so much time has gone by since the start; None: time does not matter."""
        self._deadline_s = None if seconds is None else self._began_s + seconds
        self._look_at = self.nodes

    def elapsed_s(self) -> float:
        return self._clock.monotonic() - self._began_s

    def visit(self) -> None:
        """One more node. Raises SearchStopped, without counting it, if it may not be visited."""
        if self.nodes >= self._look_at:
            self._look()
        self.nodes += 1

    def _look(self) -> None:
        if self._most_nodes is not None and self.nodes >= self._most_nodes:
            raise SearchStopped
        if self._deadline_s is not None and self._clock.monotonic() >= self._deadline_s:
            raise SearchStopped
        self._look_at = self.nodes + POLL_EVERY
        if self._most_nodes is not None:
            self._look_at = min(self._look_at, self._most_nodes)
