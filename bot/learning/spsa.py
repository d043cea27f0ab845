"""Simultaneous perturbation stochastic approximation (Spall 1992, with the gains of Spall 1998): parameters
climb by the results of games between two settings that lie on either side of them. Pure.

All parameters are moved at once, each up or down by lot; the side that wins more shows the way for all. The
gains, and their unit (a pair of games), are those of Fishtest: the k-th of N pairs plays c_k = c / k^0.101
away from the values, and they then move a_k / c_k for each game that one side has won more, with
a_k = a / (A + k)^0.602 and A = N / 10. c is such that c_N is the parameter's step, and a such that
a_N / c_N^2 is `rate`.
"""

from __future__ import annotations

import math
import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TypeVar

from bot.engine.tunables import Tunable

NumberT = TypeVar("NumberT", int, float)

ALPHA, GAMMA, STABILITY = 0.602, 0.101, 0.1
#: What is played is rounded up or down by lot, in so many shades.
_SHADES = 1024


@dataclass(frozen=True, slots=True)
class Settings:
    """Of a tuning, all that decides what is played next once the results so far are known.

    `tunables`: their `value` is where they begin. An iteration has `batch` pairs (the last one has the rest),
    and begins with the values that are known after the one `lag` before it.
    """

    tunables: tuple[Tunable, ...]
    pairs: int
    batch: int = 4
    seed: int = 1
    lag: int = 2
    rate: float = 0.002

    @property
    def iterations(self) -> int:
        return math.ceil(self.pairs / self.batch)

    def pairs_of(self, iteration: int) -> range:
        """The numbers of its pairs; like iterations, they are counted from 1."""
        first = 1 + (iteration - 1) * self.batch
        return range(first, min(first + self.batch, self.pairs + 1))

    def distance(self, tunable: Tunable, pair: int) -> float:
        """c_k: how far from the values is played."""
        return tunable.step * (self.pairs / pair) ** GAMMA

    def gain(self, tunable: Tunable, pair: int) -> float:
        """a_k / c_k: how far a value moves for each game that one side has won more than the other."""
        stability = STABILITY * self.pairs
        fallen = ((stability + self.pairs) / (stability + pair)) ** ALPHA
        return self.rate * tunable.step**2 * fallen / self.distance(tunable, pair)


@dataclass(frozen=True, slots=True)
class Trial:
    """The two settings that meet in an iteration; `signs`: +1 where `plus` has the larger value, else -1."""

    signs: tuple[int, ...]
    plus: Mapping[str, int]
    minus: Mapping[str, int]


class Spsa:
    """The values, and how they came to be: nothing but `Settings` and the results so far decide them."""

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self._history: list[tuple[float, ...]] = [tuple(float(each.value) for each in settings.tunables)]
        self._trials: dict[int, Trial] = {}  # of iterations that have no results

    @property
    def iterations(self) -> int:
        """So many have their results."""
        return len(self._history) - 1

    @property
    def pairs(self) -> int:
        """So many have been played in them."""
        return min(self.iterations * self.settings.batch, self.settings.pairs)

    @property
    def history(self) -> Sequence[tuple[float, ...]]:
        """The values at the beginning and after each iteration, in the order of the tunables."""
        return self._history

    @property
    def values(self) -> dict[str, int]:
        """As they are now, rounded."""
        pairs = zip(self.settings.tunables, self._history[-1], strict=True)
        return {tunable.name: math.floor(value + 0.5) for tunable, value in pairs}

    @property
    def last_known(self) -> int:
        """The number of the last iteration whose `trial` is known already."""
        return min(self.iterations + self.settings.lag, self.settings.iterations)

    def trial(self, iteration: int) -> Trial:
        """What is played in it. Raises ValueError where that is not known yet."""
        if not 1 <= iteration <= self.last_known:
            raise ValueError(f"iteration {iteration} is not one of 1 to {self.last_known}")
        if iteration <= self.iterations:
            return self._drawn(iteration)
        if iteration not in self._trials:
            self._trials[iteration] = self._drawn(iteration)
        return self._trials[iteration]

    def _drawn(self, iteration: int) -> Trial:
        settings = self.settings
        rng = random.Random(f"{settings.seed} trial {iteration}")
        pair = settings.pairs_of(iteration)[0]
        signs, plus, minus = [], {}, {}
        values = self._history[max(0, iteration - settings.lag)]
        for tunable, value in zip(settings.tunables, values, strict=True):
            sign, shade = rng.choice((1, -1)), rng.randrange(_SHADES) / _SHADES
            away = sign * settings.distance(tunable, pair)
            signs.append(sign)
            # the same shade for both: on the average they are as far apart as they should be, and with a step
            # of 1 or more they never meet
            plus[tunable.name] = _within(tunable, math.floor(value + away + shade))
            minus[tunable.name] = _within(tunable, math.floor(value - away + shade))
        return Trial(tuple(signs), plus, minus)

    def take(self, won_more: int) -> None:
        """The result of the next iteration: games that `plus` has won, less those that `minus` has."""
        settings, iteration = self.settings, self.iterations + 1
        pair = settings.pairs_of(iteration)[0]
        signs = self.trial(iteration).signs
        self._history.append(
            tuple(
                _within(tunable, value + settings.gain(tunable, pair) * sign * won_more)
                for tunable, value, sign in zip(settings.tunables, self._history[-1], signs, strict=True)
            )
        )
        del self._trials[iteration]


def _within(tunable: Tunable, value: NumberT) -> NumberT:
    return min(max(value, tunable.least), tunable.most)
