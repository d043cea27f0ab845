"""How much of its time a move deserves: more when the search changes its mind, less when it does not."""

from __future__ import annotations

from dataclasses import dataclass, replace

from bot.search.scores import DECISIVE

#: The share of the soft limit that a search takes which never changes its mind, and the bounds of it.
CALM_SHARE, LEAST_SHARE, MOST_SHARE = 0.8, 0.45, 2.5
#: Each iteration makes the changes of mind before it count so much less.
FADING = 0.6
#: What one change adds, what an iteration without one takes away, and what a pawn's fall of the score adds.
PER_CHANGE, PER_STABLE, PER_PAWN_LOST = 0.5, 0.04, 0.7
#: A smaller fall of the score, in centipawns, is nothing, and a larger one no worse.
LEAST_FALL, MOST_FALL = 15, 250


@dataclass(frozen=True, slots=True)
class Patience:
    """What the iterations so far looked like. `changes`: of the best move, the older the less they count;
    `stable`: iterations since the last; `score` and `fall`: of the best move, in centipawns."""

    changes: float = 0.0
    stable: int = 0
    score: int | None = None
    fall: int = 0

    def iteration(self, score: int, *, changed: bool) -> Patience:
        """After an iteration that ended with `score`, in which the best move `changed`, or not."""
        return replace(
            self,
            changes=self.changes * FADING + changed,
            stable=0 if changed else self.stable + 1,
            score=score,
            fall=self._fall_to(score),
        )

    def warned(self, score: int, *, changed: bool = False) -> Patience:
        """In the midst of an iteration: the move that was best is now worth `score`, or another is better."""
        return replace(
            self,
            changes=self.changes + changed,
            stable=0 if changed else self.stable,
            fall=max(self.fall, self._fall_to(score)),
        )

    @property
    def share(self) -> float:
        """What part of the soft limit to take: 1 stands for all of it."""
        fall = 0 if self.fall < LEAST_FALL else min(self.fall, MOST_FALL)
        share = CALM_SHARE + PER_CHANGE * self.changes - PER_STABLE * self.stable + PER_PAWN_LOST * fall / 100
        return max(LEAST_SHARE, min(MOST_SHARE, share))

    def _fall_to(self, score: int) -> int:
        if self.score is None or abs(self.score) >= DECISIVE:
            return 0
        return max(0, self.score - score)
