"""How sure a number is: intervals for a proportion and for a geometric mean. Pure."""

from __future__ import annotations

import math
import random
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import NormalDist

CONFIDENCE = 0.95
RESAMPLES = 2_000


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
    z = NormalDist().inv_cdf(0.5 + CONFIDENCE / 2)
    proportion = successes / trials
    spread = z * math.sqrt(proportion * (1 - proportion) / trials + (z / (2 * trials)) ** 2)
    centre, scale = proportion + z**2 / (2 * trials), 1 + z**2 / trials
    return Interval(proportion, max(0.0, (centre - spread) / scale), min(1.0, (centre + spread) / scale))


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
