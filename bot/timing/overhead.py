"""What a move costs besides thinking, learned from how long the answers to our moves take. Pure."""

from __future__ import annotations

from dataclasses import dataclass

#: Weights of a new sample for the mean and for the deviation, and how many deviations are kept in reserve:
#: those of TCP's retransmission timer (RFC 6298), which answers the same question.
MEAN_WEIGHT, DEVIATION_WEIGHT, DEVIATIONS = 1 / 8, 1 / 4, 4
#: What a move usually costs is the mean of all answers, and later of the last so many, or thereabouts.
LONG_RUN = 32
#: Never less than this: the way from our clock to the server's has more to it than the POST.
LEAST_MS = 20


@dataclass(frozen=True, slots=True)
class Overhead:
    """The round trip of a move in milliseconds: a first guess, then its mean and mean deviation.

    Two numbers come of it: `ms`, a bound for the next move, and `usual_ms`, what many moves cost on average.
    """

    guess_ms: int
    mean_ms: float | None = None  # None before the first answer
    deviation_ms: float = 0.0
    long_run_ms: float = 0.0
    answers: int = 0

    def observe(self, took_ms: int) -> Overhead:
        """After one more answered move."""
        answers = self.answers + 1
        long_run_ms = self.long_run_ms + (took_ms - self.long_run_ms) / min(answers, LONG_RUN)
        if self.mean_ms is None:
            return Overhead(self.guess_ms, took_ms, took_ms / 2, long_run_ms, answers)
        off_ms = abs(took_ms - self.mean_ms)
        return Overhead(
            self.guess_ms,
            self.mean_ms + MEAN_WEIGHT * (took_ms - self.mean_ms),
            self.deviation_ms + DEVIATION_WEIGHT * (off_ms - self.deviation_ms),
            long_run_ms,
            answers,
        )

    @property
    def ms(self) -> int:
        """What to set aside for a move: seldom exceeded."""
        if self.mean_ms is None:
            return self.guess_ms
        return max(LEAST_MS, round(self.mean_ms + DEVIATIONS * self.deviation_ms))

    @property
    def usual_ms(self) -> int:
        """What to set aside for each of many moves: now and then exceeded, but not by their sum."""
        return self.guess_ms if self.mean_ms is None else max(LEAST_MS, round(self.long_run_ms))
