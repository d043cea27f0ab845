"""What a player made of a position with a best move: solved or not, and since when. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from statistics import median

from bot.bench.tactics_suites import Problem, Suite
from bot.strategies.contract import Thought


@dataclass(frozen=True, slots=True)
class Attempt:
    """`move` in UCI, after `elapsed_ms`; None where there was none that counts, and `failure` says why.

    `thoughts`: those that were heard, in their order.
    """

    problem: Problem
    move: str | None
    elapsed_ms: int
    thoughts: tuple[Thought, ...] = ()
    failure: str | None = None

    @property
    def solved(self) -> bool:
        return self.move in self.problem.best

    @property
    def solved_after_ms(self) -> int | None:
        """See `solved_after_ms`; None where it is not solved, or the player tells nothing."""
        if self.move is None:
            return None
        return solved_after_ms(self.thoughts, self.move, self.elapsed_ms, self.problem.best)


def solved_after_ms(
    thoughts: Sequence[Thought], move: str, elapsed_ms: int, best: Sequence[str]
) -> int | None:
    """From when on the player had one of the `best` moves in mind, and no other until it played one of them.

    Since not every thought is heard, it may have been a little earlier. Where the last thought was of another
    move, or none, the move itself tells, at `elapsed_ms`. None: it played another move, or never told a line.
    """
    if move not in best or not any(thought.pv for thought in thoughts):
        return None
    since_ms = elapsed_ms
    for thought in reversed(thoughts):
        if not thought.pv or thought.pv[0] not in best:
            break
        since_ms = thought.time_ms
    return since_ms


@dataclass(frozen=True, slots=True)
class Score:
    """A player's attempts at a suite, one for each of its positions."""

    suite: Suite
    attempts: tuple[Attempt, ...]

    @property
    def solved(self) -> int:
        return sum(attempt.solved for attempt in self.attempts)

    @property
    def of(self) -> int:
        return len(self.attempts)

    @property
    def unsolved(self) -> tuple[Attempt, ...]:
        return tuple(attempt for attempt in self.attempts if not attempt.solved)

    @property
    def median_ms(self) -> float | None:
        """Of the times to the solution that are known; None without any."""
        known = [after for attempt in self.attempts if (after := attempt.solved_after_ms) is not None]
        return float(median(known)) if known else None
