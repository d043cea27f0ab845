"""What a fixed number of pairs can show, and how many it takes: to be known before the first game. Pure.

Games are taken as independent, with a given share of draws between equals. Colour-swapped games from
lopsided openings vary less than that, so plans err on the side of too many pairs.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from statistics import NormalDist

from scipy import optimize, special

from bot.lab.stats.elo import score_of_elo
from bot.lab.stats.intervals import Z

_NORMAL = NormalDist()
#: Most pairs that a plan may ask for.
MOST_PAIRS = 100_000_000


@dataclass(frozen=True, slots=True)
class Pairing:
    """Two players `elo` apart, whose games are drawn with probability `draws` or, where one of them is too
    strong for that, as often as its score allows. Raises ValueError unless 0 <= draws < 1."""

    elo: float
    draws: float

    def __post_init__(self) -> None:
        if not 0 <= self.draws < 1:
            raise ValueError(f"the share of draws must be from 0 to below 1, not {self.draws:g}")

    @property
    def score(self) -> float:
        """Expected points a game of the first player."""
        return score_of_elo(self.elo)

    @property
    def variance(self) -> float:
        """Of a pair's points a game."""
        lost, drawn, won = self.games
        return (won * (1 - self.score) ** 2 + drawn * (0.5 - self.score) ** 2 + lost * self.score**2) / 2

    @property
    def games(self) -> tuple[float, float, float]:
        """How likely the first player loses, draws and wins a game."""
        draws = min(self.draws, 2 * self.score, 2 * (1 - self.score))
        return 1 - self.score - draws / 2, draws, self.score - draws / 2

    @property
    def pairs(self) -> tuple[float, float, float, float, float]:
        """How likely each result of a pair is, from two losses to two wins."""
        lost, drawn, won = self.games
        return lost**2, 2 * lost * drawn, drawn**2 + 2 * won * lost, 2 * won * drawn, won**2


def power_of_t(pairs: int, pairing: Pairing, alpha: float = 0.05) -> float:
    """How likely the score of `pairs` pairs, at least two, is above 1/2 by a one-sided t-test at `alpha`."""
    critical = float(special.stdtrit(pairs - 1, 1 - alpha))
    return _beyond(critical * _deviation(pairs, pairing), pairs, pairing)


def power_of_wilson(pairs: int, pairing: Pairing) -> float:
    """How likely the lower end of Wilson's 95 % interval over all games is above 1/2."""
    least = Z / (2 * math.sqrt(2 * pairs + Z**2))
    return _beyond(least, pairs, pairing)


def smallest_seen(pairs: int, draws: float, power: float = 0.8, alpha: float = 0.05) -> float | None:
    """The difference in Elo at which `power_of_t` reaches `power`; None if there is none up to 2000 Elo."""
    if power_of_t(pairs, Pairing(2000, draws), alpha) < power:
        return None
    return float(
        optimize.brentq(lambda elo: power_of_t(pairs, Pairing(elo, draws), alpha) - power, 0, 2000, xtol=1e-6)
    )


def pairs_needed(pairing: Pairing, power: float = 0.8, alpha: float = 0.05) -> int | None:
    """The least number of pairs with which `power_of_t` reaches `power`; None if that is over MOST_PAIRS."""
    low, high = 1, 2
    while power_of_t(high, pairing, alpha) < power:
        low, high = high, high * 2
        if high > MOST_PAIRS:
            return None
    while high - low > 1:
        middle = (low + high) // 2
        if power_of_t(middle, pairing, alpha) < power:
            low = middle
        else:
            high = middle
    return high


def _beyond(least: float, pairs: int, pairing: Pairing) -> float:
    """How likely the score is above 1/2 + `least`."""
    deviation = _deviation(pairs, pairing)
    shift = pairing.score - 0.5 - least
    return _NORMAL.cdf(shift / deviation) if deviation else float(shift > 0)


def _deviation(pairs: int, pairing: Pairing) -> float:
    return math.sqrt(pairing.variance / pairs)
