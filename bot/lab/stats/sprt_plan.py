"""How long a sequential test will take, and what it will say: to be known before the first game. Pure.

By Brownian motion with the drift and the spread that one pair gives the likelihood ratio. That leaves out by
how much the last pair oversteps a bound, so the number of pairs comes out too low: by a tenth where a test
ends after some 30 pairs, by a few in a hundred where it takes 100 or more.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from scipy import optimize, special

from bot.lab.stats.power import Pairing
from bot.lab.stats.sprt import Sprt

#: exp() of more than this: the bound against the drift is out of reach.
ONE_WAY = 30.0
#: How many terms of a series that has converged after ten or so.
TERMS = 200


@dataclass(frozen=True, slots=True)
class SprtPlan:
    """What a test does where players are `elo` (logistic) apart: how likely it decides for H1, and the number
    of pairs until it decides, on average and at most in 95 of 100 tests."""

    elo: float
    accepts: float
    pairs: float
    pairs_p95: float


class _Walk(NamedTuple):
    """The log-likelihood ratio between its bounds: drift and variance a pair."""

    drift: float
    variance: float
    lower: float
    upper: float

    @property
    def tilt(self) -> float:
        return 2 * self.drift / self.variance

    @property
    def one_way(self) -> bool:
        return abs(self.tilt) * min(self.upper, -self.lower) > ONE_WAY


def plan_sprt(test: Sprt, pairing: Pairing) -> SprtPlan:
    """What to expect of `test`."""
    walk = _walk(test, pairing)
    accepts, mean = _chance_of_upper(walk), _mean(walk)
    p95 = optimize.brentq(lambda pairs: _open(walk, pairs) - 0.05, 0.2 * mean, 20 * mean, rtol=1e-6)
    return SprtPlan(pairing.elo, accepts, mean, float(p95))


def undecided(test: Sprt, pairing: Pairing, pairs: int) -> float:
    """How likely `test` has not decided after `pairs` pairs."""
    walk = _walk(test, pairing)
    return 1.0 if pairs <= 0.2 * _mean(walk) else min(1.0, max(0.0, _open(walk, pairs)))


def _walk(test: Sprt, pairing: Pairing) -> _Walk:
    shares = np.array(pairing.pairs).clip(min=1e-6)
    shares /= shares.sum()
    ratios = test.log_ratios(shares[None, :])[0]
    drift = float(shares @ ratios)
    return _Walk(drift, float(shares @ (ratios - drift) ** 2), test.lower, test.upper)


def _chance_of_upper(walk: _Walk) -> float:
    if walk.one_way:
        return float(walk.drift > 0)
    if abs(walk.tilt) < 1e-9:
        return -walk.lower / (walk.upper - walk.lower)
    below, above = math.exp(-walk.tilt * walk.lower), math.exp(-walk.tilt * walk.upper)
    return (below - 1) / (below - above)


def _mean(walk: _Walk) -> float:
    """Wald's expected number of pairs."""
    if abs(walk.tilt) < 1e-9:
        return -walk.lower * walk.upper / walk.variance
    chance = _chance_of_upper(walk)
    return (chance * walk.upper + (1 - chance) * walk.lower) / walk.drift


def _open(walk: _Walk, pairs: float) -> float:
    """How likely no bound has been reached after `pairs` pairs (not few)."""
    root = math.sqrt(walk.variance * pairs)
    if walk.one_way:
        drift, bound = abs(walk.drift), walk.upper if walk.drift > 0 else -walk.lower
        back = special.log_ndtr(-(drift * pairs + bound) / root) + 2 * drift * bound / walk.variance
        return float(special.ndtr((bound - drift * pairs) / root) - math.exp(back))
    # The eigenfunctions of a motion that is absorbed at 0 and at `width`, started at -lower.
    width, half = walk.upper - walk.lower, walk.tilt / 2
    waves = np.arange(1, TERMS + 1) * math.pi / width
    signs = np.where(np.arange(1, TERMS + 1) % 2, -1.0, 1.0)
    ends = math.exp(half * walk.lower) - signs * math.exp(half * walk.upper)
    decay = np.exp(-walk.variance * pairs / 2 * (waves**2 + half**2))
    terms = waves * ends / (waves**2 + half**2) * np.sin(-waves * walk.lower) * decay
    return float(2 / width * terms.sum())
