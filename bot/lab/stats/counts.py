"""What was won, drawn and lost: game by game, and pair by pair. Pure.

The unit of data is the pair: two games from one opening with colours swapped. What the opening gives in one
game it takes in the other, so the games of a pair are not independent, and pairs are.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Self

#: Points a game of a pair's first player, for each field of Pentanomial in turn.
PAIR_SCORES = (0.0, 0.25, 0.5, 0.75, 1.0)
#: Below so many, pairs by chance often show less spread than there is.
FEW_PAIRS = 10


@dataclass(frozen=True, slots=True)
class Wdl:
    """Games, from one player's side."""

    won: int = 0
    drawn: int = 0
    lost: int = 0

    def __add__(self, other: Wdl) -> Wdl:
        return Wdl(self.won + other.won, self.drawn + other.drawn, self.lost + other.lost)

    @property
    def swapped(self) -> Wdl:
        """The same games, from the other side."""
        return Wdl(self.lost, self.drawn, self.won)

    @property
    def games(self) -> int:
        return self.won + self.drawn + self.lost

    @property
    def points(self) -> float:
        """A draw is half a point."""
        return self.won + self.drawn / 2

    @property
    def score(self) -> float:
        """Points a game, 0 to 1. Raises ValueError without games."""
        if not self.games:
            raise ValueError("no games, no score")
        return self.points / self.games

    @property
    def variance(self) -> float:
        """Of the points of one game. Raises ValueError without games."""
        return (self.won + self.drawn / 4) / self.games - self.score**2 if self.games else self.score


@dataclass(frozen=True, slots=True)
class Pentanomial:
    """Pairs, from one player's side, by the points of the two games: 0, ½, 1 (two draws, or a win and a
    loss), 1½ and 2."""

    ll: int = 0
    ld: int = 0
    dd: int = 0
    wd: int = 0
    ww: int = 0

    @classmethod
    def of(cls, points: Iterable[float]) -> Self:
        """From the points of each pair. Raises ValueError for anything but 0, 0.5, 1, 1.5 and 2."""
        counts = [0] * 5
        for found in points:
            place = found * 2
            if place not in range(5):
                raise ValueError(f"a pair scores 0, 0.5, 1, 1.5 or 2 points, not {found}")
            counts[int(place)] += 1
        return cls(*counts)

    def __add__(self, other: Pentanomial) -> Pentanomial:
        return Pentanomial(*(ours + theirs for ours, theirs in zip(self.counts, other.counts, strict=True)))

    @property
    def counts(self) -> tuple[int, int, int, int, int]:
        """In the order of `PAIR_SCORES`."""
        return self.ll, self.ld, self.dd, self.wd, self.ww

    @property
    def swapped(self) -> Pentanomial:
        """The same pairs, from the other side."""
        return Pentanomial(*reversed(self.counts))

    @property
    def pairs(self) -> int:
        return sum(self.counts)

    @property
    def games(self) -> int:
        return 2 * self.pairs

    @property
    def points(self) -> float:
        """A draw is half a point."""
        return 2 * sum(count * score for count, score in zip(self.counts, PAIR_SCORES, strict=True))

    @property
    def score(self) -> float:
        """Points a game, 0 to 1: the mean over pairs. Raises ValueError without pairs."""
        if not self.pairs:
            raise ValueError("no pairs, no score")
        return self.points / self.games

    @property
    def variance(self) -> float:
        """Of a pair's points a game, divided by n, not n - 1. Raises ValueError without pairs.

        Twice of it is the variance that independent games would have.
        """
        mean = self.score
        return (
            sum(count * (score - mean) ** 2 for count, score in zip(self.counts, PAIR_SCORES, strict=True))
            / self.pairs
        )
