"""How far a strategy that searches goes in a turn: as its options say, within what the turn allows. Pure."""

from __future__ import annotations

from dataclasses import dataclass

from bot.errors import StrategyNameError
from bot.search.limits import Limits
from bot.strategies.contract import TimeLimit

#: Of the hard limit so much is used at most, less what the way to and from the strategy's process takes.
HARD_SHARE, RESERVE_MS = 0.85, 25


def check_reach(strategy: str, **options: int | None) -> None:
    """Raises StrategyNameError, in the name of `strategy`, for an option that is given and below 1."""
    for name, value in options.items():
        if value is not None and value < 1:
            raise StrategyNameError(f"{strategy}: {name} is {value}; it must be at least 1")


@dataclass(frozen=True, slots=True)
class Reach:
    """`nodes`: positions a move; `depth`: plies; `movetime_ms`: milliseconds a move; None: not limited so."""

    nodes: int | None = None
    depth: int | None = None
    movetime_ms: int | None = None

    def limits(self, limit: TimeLimit) -> Limits:
        """Of one search, in a turn with this limit. Only a reach that says nothing of its own aims at the
        turn's `soft_ms`."""
        hard_ms = max(1.0, HARD_SHARE * limit.hard_ms - RESERVE_MS)
        soft_ms: float | None = None
        if self.movetime_ms is not None:
            hard_ms = min(hard_ms, self.movetime_ms)
        elif self.nodes is None and self.depth is None:
            soft_ms = limit.soft_ms
        return Limits(
            depth=self.depth,
            nodes=self.nodes,
            soft_s=None if soft_ms is None else soft_ms / 1000,
            hard_s=hard_ms / 1000,
        )
