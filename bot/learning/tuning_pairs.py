"""The games of a tuning, as a process plays them: one pair after the other, each from its own start."""

from __future__ import annotations

import functools
import random
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from bot.engine.features import ALL
from bot.evaluation.weights import WEIGHTS
from bot.evaluation.weights_file import decoded
from bot.lab.openings import all_openings
from bot.learning.crew import Crew, Work
from bot.learning.judge import Judge
from bot.learning.starts import draw_start

if TYPE_CHECKING:
    from bot.learning.duel import Duel

#: Before the games begin; fewer than where positions are wanted, for a pair from an uneven start, which is
#: often won twice by one colour, says nothing.
RANDOM_PLIES = 4


@dataclass(frozen=True, slots=True)
class Terms:
    """Of all pairs: where they begin, who judges positions, and for how many nodes a search goes deeper.

    `plus`: other weights of the hand-written evaluation for that side, as `weights_file` has them."""

    seed: int
    nodes: int
    judge: Judge
    plus: str = "{}"


@dataclass(frozen=True, slots=True)
class Pair:
    """To be played; `start`, if there is none `number`, decides where it begins. `features`: of both sides,
    see `bot.engine.features`."""

    number: int
    plus: Mapping[str, int]
    minus: Mapping[str, int]
    start: int | None = None
    features: tuple[int, int] = (ALL, ALL)


@dataclass(frozen=True, slots=True)
class Played:
    """`points`: of plus, doubled, of its game as White and of the one as Black."""

    number: int
    points: tuple[int, int]


def pair_crew(terms: Terms, processes: int, *, kept: str) -> Crew[Pair, None, Played]:
    """Plays the pairs that it is given. `kept`: what is so when a process dies."""
    return Crew[Pair, None, Played](
        functools.partial(begin, terms),
        processes,
        name=lambda pair: f"pair {pair.number}",
        kept=kept,
    )


def begin(terms: Terms) -> Work[Pair, None, Played]:
    """Loads the engine; returns what plays pairs. Raises BenchError for a network that is gone."""
    from bot.learning.duel import Duel  # noqa: PLC0415  loads the engine

    duel = Duel(terms.judge.load(), nodes=terms.nodes, weights=(decoded(terms.plus), WEIGHTS))
    return functools.partial(_play, duel, terms.seed, [opening.fen for opening in all_openings()])


def _play(
    duel: Duel, seed: int, openings: Sequence[str], pair: Pair, _tell: Callable[[None], None]
) -> Played:
    place = pair.number if pair.start is None else pair.start
    start = draw_start(random.Random(f"{seed} start {place}"), openings, RANDOM_PLIES)
    return Played(pair.number, duel.pair(start, pair.plus, pair.minus, features=pair.features))
