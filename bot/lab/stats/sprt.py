"""The sequential probability ratio test: stop when the results decide between two hypotheses. Pure.

The likelihood ratio is the exact generalised one: each hypothesis fixes a difference, and is given the
likeliest distribution of pair results that has this difference (Van den Bergh, "A practical introduction to
the GSPRT"). No normal distribution is assumed, so one won pair decides nothing.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Literal, TypeAlias

import numpy as np
import numpy.typing as npt

from bot.lab.stats.counts import Pentanomial
from bot.lab.stats.elo import NORMALIZED, score_of_elo

#: "logistic": Elo as a score shows it. "normalized": that divided by the spread of the results.
Scale = Literal["logistic", "normalized"]
Decision = Literal["H0", "H1", "continue"]
Floats: TypeAlias = npt.NDArray[np.float64]

#: What an outcome that has not been seen counts, in pairs: it is possible all the same.
UNSEEN = 1e-3
#: Normalised differences beyond this are not to be tested: the likeliest distribution need not be found.
MOST_NORMALIZED = 200.0


@dataclass(frozen=True, slots=True)
class Sprt:
    """H0: the difference is `elo0`. H1: it is `elo1`. Errors: `alpha` of taking H1 for true where H0 is,
    `beta` of the opposite. Raises ValueError for what is no test."""

    elo0: float
    elo1: float
    alpha: float = 0.05
    beta: float = 0.05
    scale: Scale = "logistic"

    def __post_init__(self) -> None:
        if not self.elo0 < self.elo1:
            raise ValueError(f"elo0 must be below elo1, not {self.elo0:g} and {self.elo1:g}")
        for name, error in (("alpha", self.alpha), ("beta", self.beta)):
            if not 0 < error < 0.5:
                raise ValueError(f"{name} must be between 0 and 0.5, not {error:g}")
        most = MOST_NORMALIZED if self.scale == "normalized" else 2000.0
        if not max(abs(self.elo0), abs(self.elo1)) <= most:
            raise ValueError(
                f"{self.scale} bounds must be between {-most:g} and {most:g} Elo, "
                f"not {self.elo0:g} and {self.elo1:g}"
            )

    @property
    def lower(self) -> float:
        """At or below this log-likelihood ratio H0 is taken for true (Wald, 1945)."""
        return math.log(self.beta / (1 - self.alpha))

    @property
    def upper(self) -> float:
        """At or above this log-likelihood ratio H1 is taken for true."""
        return math.log((1 - self.beta) / self.alpha)

    def llr(self, pairs: Pentanomial) -> float:
        """The log-likelihood ratio of H1 to H0; 0 without pairs."""
        return float(self.llrs(np.array([pairs.counts], dtype=np.float64))[0])

    def llrs(self, counts: Floats) -> Floats:
        """The same of many results at once: one a row, as counts of outcomes from the worst to the best.

        Rows of five are pairs; rows of three are games that were not paired: lost, drawn, won.
        """
        known = np.where(counts == 0, UNSEEN, counts)
        total = known.sum(axis=1)
        shares = known / total[:, None]
        found = total * (shares * self.log_ratios(shares)).sum(axis=1)
        return np.where(counts.any(axis=1), found, 0.0)

    def log_ratios(self, shares: Floats) -> Floats:
        """For each outcome, the logarithm of how much likelier H1 makes it than H0; `shares` as in `llrs`, of
        all outcomes, each above 0."""
        values = np.linspace(0.0, 1.0, shares.shape[1])
        likeliest = _likeliest_of_score if self.scale == "logistic" else _likeliest_of_normalized
        ratios: Floats = np.log(likeliest(shares, values, self.elo1) / likeliest(shares, values, self.elo0))
        return ratios

    def decide(self, llr: float) -> Decision:
        if llr >= self.upper:
            return "H1"
        return "H0" if llr <= self.lower else "continue"


def _likeliest_of_score(shares: Floats, values: Floats, elo: float) -> Floats:
    """Of all distributions whose mean is the score of `elo`, the likeliest one given `shares`."""
    return _tilted(shares, np.broadcast_to(values - score_of_elo(elo), shares.shape))


def _likeliest_of_normalized(shares: Floats, values: Floats, elo: float) -> Floats:
    """Of all distributions whose mean is `elo` from 1/2, measured by their own deviation, the likeliest.

    A fixed point: the deviation and the mean that the condition speaks of are those of what is found.
    """
    # A pair's deviation is that of a game divided by the root of 2.
    target = elo / NORMALIZED * (math.sqrt(2) if len(values) == 5 else 1)
    found = np.full_like(shares, 1 / len(values))
    for _ in range(100):
        mean = (found * values).sum(axis=1, keepdims=True)
        deviation = np.sqrt((found * (values - mean) ** 2).sum(axis=1, keepdims=True))
        offsets = values - 0.5 - target * deviation / 2 * (1 + ((values - mean) / deviation) ** 2)
        before, found = found, _tilted(shares, offsets)
        if np.abs(found - before).max() < 1e-12:
            break
    return found


def _tilted(shares: Floats, offsets: Floats) -> Floats:
    """Of all distributions with a mean of `offsets` of 0, the likeliest one given `shares` (all above 0).

    It is shares / (1 + t offsets) with the one t for which that has this mean: Newton's steps towards the
    root, halved intervals where they would leave it. Each row of `offsets` has both signs.
    """
    low, high = -1 / offsets.max(axis=1), -1 / offsets.min(axis=1)
    root = np.zeros(len(shares))
    for _ in range(100):
        scaled = offsets / (1 + root[:, None] * offsets)
        excess = (shares * scaled).sum(axis=1)
        low, high = np.where(excess > 0, root, low), np.where(excess > 0, high, root)
        step = root + excess / (shares * scaled**2).sum(axis=1)
        step = np.where((step > low) & (step < high), step, (low + high) / 2)
        if np.abs(step - root).max() < 1e-15:
            break
        root = step
    return shares / (1 + root[:, None] * offsets)
