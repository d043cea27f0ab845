"""How sure a number is: intervals for a proportion, for pairs and for a geometric mean. Pure."""

from __future__ import annotations

import math
import random
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import NormalDist
from typing import Literal

from scipy import special

from bot.lab.stats.counts import FEW_PAIRS, Pentanomial

CONFIDENCE = 0.95
RESAMPLES = 2_000
#: The quantile of the normal distribution that leaves half of what CONFIDENCE leaves: 1.96.
Z = NormalDist().inv_cdf(0.5 + CONFIDENCE / 2)


@dataclass(frozen=True, slots=True)
class Interval:
    """An estimate, and the bounds between which the truth lies with 95 % confidence."""

    value: float
    low: float
    high: float


def wilson(successes: float, trials: int) -> Interval:
    """The proportion `successes` / `trials` and its score interval (Wilson, 1927).

    A draw may count as half a success: then the interval is wider than it need be, never narrower.
    Raises ValueError without trials.
    """
    if trials < 1 or not 0 <= successes <= trials:
        raise ValueError(f"no proportion: {successes} of {trials}")
    proportion = successes / trials
    spread = Z * math.sqrt(proportion * (1 - proportion) / trials + (Z / (2 * trials)) ** 2)
    centre, scale = proportion + Z**2 / (2 * trials), 1 + Z**2 / trials
    low = (centre - spread) / scale if successes > 0 else 0.0  # rounding must not make it a little more
    high = (centre + spread) / scale if successes < trials else 1.0
    return Interval(proportion, low, high)


def pair_interval(pairs: Pentanomial, method: Literal["t", "z"] = "t") -> Interval | None:
    """The score and its interval from the spread of the pairs: by Student's t, true to its 95 % from ten
    pairs on, or by the normal distribution, which is narrower than it claims below some sixty.

    None where the pairs do not show it: fewer than two, all alike, or an end beyond 0 or 1.
    """
    if pairs.pairs < 2 or pairs.variance == 0:
        return None
    factor = float(special.stdtrit(pairs.pairs - 1, 0.5 + CONFIDENCE / 2)) if method == "t" else Z
    freedom = pairs.pairs - 1 if method == "t" else pairs.pairs
    half = factor * math.sqrt(pairs.variance / freedom)
    found = Interval(pairs.score, pairs.score - half, pairs.score + half)
    return found if found.low > 0 and found.high < 1 else None


def score_interval(pairs: Pentanomial, method: Literal["t", "z"] = "t") -> Interval:
    """The score and its interval: from the pairs, or where they do not show it, Wilson's over the games; of
    fewer than FEW_PAIRS pairs, from the lower end of both to the upper end of both.

    Raises ValueError without pairs.
    """
    games = wilson(pairs.points, pairs.games)
    found = pair_interval(pairs, method)
    if found is None or pairs.pairs >= FEW_PAIRS:
        return found or games
    return Interval(pairs.score, min(found.low, games.low), max(found.high, games.high))


def geometric_mean(ratios: Sequence[float], rng: random.Random) -> Interval:
    """The geometric mean of `ratios` (all > 0) and its bootstrap interval, by percentiles of the means of
    samples drawn with replacement (Efron, 1979). Raises ValueError without ratios."""
    if not ratios or min(ratios) <= 0:
        raise ValueError("a geometric mean needs numbers, all of them above 0")
    logarithms = [math.log(ratio) for ratio in ratios]
    count = len(logarithms)
    means = sorted(math.fsum(rng.choices(logarithms, k=count)) / count for _ in range(RESAMPLES))
    tail = round((1 - CONFIDENCE) / 2 * RESAMPLES)
    value, low, high = math.fsum(logarithms) / count, means[tail], means[-1 - tail]
    return Interval(math.exp(value), math.exp(min(low, value)), math.exp(max(high, value)))
