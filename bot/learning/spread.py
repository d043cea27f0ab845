"""How many centipawns foretell 73 % of a point: the scale of an evaluation.

The search's numbers (`bot.engine.tunables`) are in centipawns, so networks must agree in what those are: one
that was trained on deeper searches says more of the same position, and lost 15 Elo with the same search where
it won 25 once that was taken back.
"""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

import numpy as np
import numpy.typing as npt

from bot.learning.parameters import OUTPUT_BOUND, Parameters
from bot.learning.train import loss_of, shares

#: Of the networks that training writes, where there is enough to say.
USUAL = 200.0
#: Between these a spread is looked for; what fits best at an end says nothing.
LEAST, MOST = 50.0, 2000.0
#: Further from USUAL, as a factor, it is not the scale that is wrong: who knows little foretells little.
FAR = 1.5
#: Fewer positions have their results by chance.
LEAST_POSITIONS = 1000
#: So near it is found, as a share of it.
_NEAR = 0.001
_GOLDEN = (math.sqrt(5) - 1) / 2


def fitting(said: npt.NDArray[Any], wanted: npt.NDArray[np.floating]) -> float | None:
    """The spread with which these centipawns foretell best the shares of a point that are `wanted`, by the
    mean square of what they miss; None where none does, or there are too few to say."""
    if len(said) < LEAST_POSITIONS:
        return None

    def loss(place: float) -> float:
        return loss_of(shares(said, math.exp(place)), wanted, 2.0)

    low, high = math.log(LEAST), math.log(MOST)
    while high - low > _NEAR:  # golden-section search
        width = _GOLDEN * (high - low)
        if loss(high - width) < loss(low + width):
            high = low + width
        else:
            low = high - width
    found = math.exp((low + high) / 2)
    return found if 1.01 * LEAST < found < MOST / 1.01 else None


def correction(spread: float | None) -> float:
    """By what to multiply a network that has this spread; 1 where it cannot be told, or is too far off."""
    if spread is None or not USUAL / FAR <= spread <= USUAL * FAR:
        return 1.0
    return USUAL / spread


def scaled(parameters: Parameters, factor: float) -> Parameters:
    """The network that says `factor` times as much, but for output weights that would grow beyond bounds."""
    found = replace(parameters, vector=parameters.vector.copy())
    found.outputs[:] = np.clip(found.outputs * factor, -OUTPUT_BOUND, OUTPUT_BOUND)
    found.output_bias[:] *= factor
    return found
