"""A family of terms: what the evaluation is put together from."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import chess

from bot.evaluation.facts import Facts
from bot.evaluation.weights import Pair

NOTHING: Pair = (0, 0)


@dataclass(frozen=True, slots=True)
class Family:
    """Named terms, and the function that gives each one's worth to one side, in the order of the names.

    `score` sees both sides alike: on the mirrored position with colours swapped it gives the same pairs to
    the other side. What it gives to White counts for the evaluation, and what it gives to Black against it.
    """

    name: str
    terms: tuple[str, ...]
    score: Callable[[Facts, chess.Color], tuple[Pair, ...]]


def times(count: int, weight: Pair) -> Pair:
    return count * weight[0], count * weight[1]
