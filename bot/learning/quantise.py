"""From the trainer's floats to the engine's integers, and how much that costs."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from bot.engine.network import MOST_OUTPUT_WEIGHT, QA, QB, SCALE
from bot.learning.network import LIMIT, Network, evaluate_quantised
from bot.learning.parameters import Parameters
from bot.learning.positions import Positions


@dataclass(frozen=True, slots=True)
class QuantisationError:
    """How far apart integers and floats are, over so many positions; centipawns."""

    positions: int
    mean: float
    max: float


def quantised(parameters: Parameters) -> Network:
    """The nearest integers."""
    most = MOST_OUTPUT_WEIGHT
    return Network(
        inputs=np.rint(parameters.inputs * QA).astype(np.int16),
        input_bias=np.rint(parameters.input_bias * QA).astype(np.int16),
        outputs=np.clip(np.rint(parameters.outputs * QB), -most, most).astype(np.int16),
        output_bias=np.rint(parameters.output_bias.astype(np.float64) * (QA * QB)).astype(np.int32),
    )


def error_of(network: Network, positions: Positions, floats: npt.NDArray[np.float32]) -> QuantisationError:
    """`floats`: what the parameters that it was made from say of these positions (at least one); 1.0 is
    SCALE."""
    exact = np.clip(floats.astype(np.float64) * SCALE, -LIMIT, LIMIT)
    apart = np.abs(evaluate_quantised(network, positions) - exact)
    return QuantisationError(len(positions), float(apart.mean()), float(apart.max()))
