"""Elo differences: from a score, normalised by its spread, and how likely they are above 0. Pure.

Always from one player's view. Where the results allow no finite number there is none: a player that won all
its games is at least so much stronger, and how much more nobody can say.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from statistics import NormalDist
from typing import Literal

from scipy import special

from bot.lab.stats.counts import FEW_PAIRS, PAIR_SCORES, Pentanomial, Wdl
from bot.lab.stats.intervals import CONFIDENCE, Interval, Z, pair_interval, score_interval, wilson

#: Elo in one unit of normalised difference, and in half a unit of the logistic curve: 347.4356.
NORMALIZED = 800 / math.log(10)
#: Elo in one unit of a natural logarithm of odds: 173.7178.
PER_LOG_ODD = 400 / math.log(10)


@dataclass(frozen=True, slots=True)
class Estimate:
    """A difference in Elo with its 95 % interval. None: without bound on that side (or no finite value)."""

    value: float | None
    low: float | None
    high: float | None

    @property
    def swapped(self) -> Estimate:
        """From the other side."""
        return Estimate(_negative(self.value), _negative(self.high), _negative(self.low))

    def __str__(self) -> str:
        """ "+35 (-12 to +83)", "> +166", "< -166", "+620 (above +355)" or "unknown"."""
        value, low, high = (
            None if bound is None else f"{round(bound) or 0:+d}"
            for bound in (self.value, self.low, self.high)
        )
        if value is None:
            if low is not None and high is not None:
                return f"{low} to {high}"
            return f"> {low}" if low is not None else f"< {high}" if high is not None else "unknown"
        if low is None and high is None:
            return f"{value} (no bounds)"
        if low is None or high is None:
            return f"{value} ({f'above {low}' if high is None else f'below {high}'})"
        return f"{value} ({low} to {high})"


#: Nothing is known, or the player is compared with itself to no end.
UNKNOWN = Estimate(None, None, None)


def elo_of_score(score: float) -> float:
    """The difference at which `score` points a game are expected. Raises ValueError unless 0 < score < 1."""
    if not 0 < score < 1:
        raise ValueError(f"a score of {score:g} has no Elo difference")
    return 400 * math.log10(score / (1 - score))


def score_of_elo(difference: float) -> float:
    """Points a game that are expected of the player who is `difference` Elo stronger."""
    return float(special.expit(difference / PER_LOG_ODD))


def elo_of(interval: Interval) -> Estimate:
    """An interval of scores, on the scale of Elo: end by end, for the curve is not straight."""
    value, low, high = (
        elo_of_score(score) if 0 < score < 1 else None
        for score in (interval.value, interval.low, interval.high)
    )
    return Estimate(value, low, high)


def elo(pairs: Pentanomial, method: Literal["t", "z"] = "t") -> Estimate:
    """The difference that the score shows. Raises ValueError without pairs."""
    return elo_of(score_interval(pairs, method))


def elo_of_games(games: Wdl) -> Estimate:
    """The same from games that are not paired: Wilson's interval. Raises ValueError without games."""
    return elo_of(wilson(games.points, games.games))


def normalized_elo(pairs: Pentanomial, method: Literal["t", "z"] = "t") -> Estimate:
    """How many standard deviations of a game the score is above a half, times 347.4356 (Van den Bergh, 2020).

    By "z" the deviation counts as known, as fishtest has it, and of few pairs the interval is too narrow; by
    "t" that it was estimated from the same pairs is in the interval as well. UNKNOWN where all pairs are
    alike, and by "t" of fewer than FEW_PAIRS pairs: there is no deviation to measure with. Raises ValueError
    without pairs.
    """
    variance = pairs.variance
    if variance == 0 or (method == "t" and pairs.pairs < FEW_PAIRS):
        return UNKNOWN
    value = (pairs.score - 0.5) / math.sqrt(2 * variance) * NORMALIZED
    half = Z * NORMALIZED / math.sqrt(pairs.games)
    if method == "t":
        freedom = pairs.pairs - 1
        factor = float(special.stdtrit(freedom, 0.5 + CONFIDENCE / 2))
        half = factor * NORMALIZED / math.sqrt(2 * freedom) * _spread_of_ratio(pairs)
    return Estimate(value, value - half, value + half)


def _spread_of_ratio(pairs: Pentanomial) -> float:
    """By how much (score - 1/2) / deviation varies more than with a known deviation: to first order, by the
    skewness and the kurtosis that the pairs show (the delta method). At least 1."""
    mean, deviation = pairs.score, math.sqrt(pairs.variance)
    standard = [(score - mean) / deviation for score in PAIR_SCORES]
    third, fourth = (
        sum(count * each**power for count, each in zip(pairs.counts, standard, strict=True)) / pairs.pairs
        for power in (3, 4)
    )
    ratio = (mean - 0.5) / deviation
    return math.sqrt(max(1.0, 1 - ratio * third + ratio**2 * (fourth - 1) / 4))


def los(pairs: Pentanomial) -> float:
    """The likelihood of superiority: how sure one may be that the player is the stronger one, 0 to 1.

    From the spread of the pairs; where they do not show it (see `pair_interval`) or are fewer than FEW_PAIRS,
    from pairs won and lost alone, before which any share of them was as likely. Raises ValueError without
    pairs.
    """
    if pairs.pairs >= FEW_PAIRS and pair_interval(pairs) is not None:
        return NormalDist().cdf((pairs.score - 0.5) / math.sqrt(pairs.variance / pairs.pairs))
    lost, won = pairs.ll + pairs.ld, pairs.wd + pairs.ww
    return float(special.betainc(lost + 1, won + 1, 0.5)) if pairs.pairs else pairs.score


def _negative(value: float | None) -> float | None:
    return None if value is None else -value
