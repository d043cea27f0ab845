"""Exact tests of a fixed number of pairs or games: no distribution is assumed, only that nobody is better.
Pure."""

from __future__ import annotations

import numpy as np
from scipy import special

from bot.lab.stats.counts import Pentanomial


def sign_flip(pairs: Pentanomial) -> float:
    """The probability of a score at least this high, had each pair as well gone the other way round.

    That is: over all signs of (score of a pair - 1/2), the share that sums up to the observed or more. Small
    values speak for the player. Exact for a number of pairs that was fixed beforehand; 1 without pairs.
    """
    small, large = pairs.ld + pairs.wd, pairs.ll + pairs.ww
    observed = 2 * (pairs.ww - pairs.ll) + pairs.wd - pairs.ld
    # In quarters of a point: a sum of `small` signs and of `large` doubled ones.
    doubled = np.zeros(2 * large + 1)
    doubled[::2] = _signs(large)
    chances = np.convolve(_signs(small), doubled)
    # The i-th of them is the chance of the sum 2 i - (small + 2 large).
    first = (observed + small + 2 * large + 1) // 2
    if 2 * first < len(chances):  # from the smaller side, so that nothing is rounded away: 1 is exactly 1
        return 1.0 - float(chances[:first].sum())
    return float(chances[first:].sum())


def sign_test(won: int, lost: int) -> float:
    """The probability of at least `won` of `won + lost` decisive games between equals, each 1/2 likely.

    For games that are independent, as those of a pair are not. Raises ValueError for negative counts.
    """
    if won < 0 or lost < 0:
        raise ValueError(f"no games: {won} won, {lost} lost")
    return float(special.betainc(won, lost + 1, 0.5)) if won else 1.0


def _signs(count: int) -> np.ndarray[tuple[int], np.dtype[np.float64]]:
    """The binomial distribution of how many of `count` fair signs are positive."""
    up = np.arange(count + 1)
    logs = special.gammaln(count + 1) - special.gammaln(up + 1) - special.gammaln(count - up + 1)
    shares: np.ndarray[tuple[int], np.dtype[np.float64]] = np.exp(logs - count * np.log(2))
    return shares
