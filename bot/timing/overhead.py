"""What a move costs besides thinking, learned from how long the answers to our moves take. Pure."""

from __future__ import annotations

from dataclasses import dataclass

#: Weights of a new sample for the mean and for the deviation, and how many deviations are kept in reserve:
#: those of TCP's retransmission timer (RFC 6298), which answers the same question.
MEAN_WEIGHT, DEVIATION_WEIGHT, DEVIATIONS = 1 / 8, 1 / 4, 4
#: Never less than this: the way from our clock to the server's has more to it than the POST.
LEAST_MS = 20


@dataclass(frozen=True, slots=True)
class Overhead:
    """The round trip of a move in milliseconds: a first guess, then its mean and mean deviation."""

    guess_ms: int
    mean_ms: float | None = None  # None before the first answer
    deviation_ms: float = 0.0

    def observe(self, took_ms: int) -> Overhead:
        """After one more answered move."""
        if self.mean_ms is None:
            return Overhead(self.guess_ms, took_ms, took_ms / 2)
        off_ms = abs(took_ms - self.mean_ms)
        return Overhead(
            self.guess_ms,
            self.mean_ms + MEAN_WEIGHT * (took_ms - self.mean_ms),
            self.deviation_ms + DEVIATION_WEIGHT * (off_ms - self.deviation_ms),
        )

    @property
    def ms(self) -> int:
        """What to set aside for a move: seldom exceeded."""
        if self.mean_ms is None:
            return self.guess_ms
        return max(LEAST_MS, round(self.mean_ms + DEVIATIONS * self.deviation_ms))
