"""From the trainer's floats to the engine's integers, and how much that costs."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from bot.engine.network import ARRAYS, HIDDEN, QA, QB, SCALE
from bot.engine.network import Network as Loaded
from bot.learning.network import LIMIT, Network, NetworkError
from bot.learning.parameters import Floats, Parameters, count


@dataclass(frozen=True, slots=True)
class QuantisationError:
    """How far apart integers and floats are, over so many positions; centipawns."""

    positions: int
    mean: float
    max: float


def quantised(parameters: Parameters) -> Network:
    """The nearest integers. Raises NetworkError where the engine has none: for what is too large, or not a
    number."""
    return Network(
        inputs=_integers("inputs", parameters.inputs, QA).astype(np.int16),
        input_bias=_integers("input_bias", parameters.input_bias, QA).astype(np.int16),
        outputs=_integers("outputs", parameters.outputs, QB).astype(np.int16),
        output_bias=_integers("output_bias", parameters.output_bias, QA * QB).astype(np.int32),
    )


def floats_of(network: Loaded) -> Parameters:
    """The parameters that `quantised` makes this network of."""
    weights = network.weights
    made = Parameters(np.zeros(count(HIDDEN), np.float32), HIDDEN)
    made.inputs[:] = weights["inputs"] / QA
    made.input_bias[:] = weights["input_bias"] / QA
    made.outputs[:] = weights["outputs"].reshape(made.outputs.shape) / QB
    made.output_bias[:] = weights["output_bias"] / (QA * QB)
    return made


def error_of(said: npt.NDArray[np.int64], floats: npt.NDArray[np.float32]) -> QuantisationError:
    """`said`: by the integers of some positions (at least one), in centipawns; `floats`: by the parameters
    that these were made from; 1.0 is SCALE."""
    exact = np.clip(floats.astype(np.float64) * SCALE, -LIMIT, LIMIT)
    apart = np.abs(said - exact)
    return QuantisationError(len(said), float(apart.mean()), float(apart.max()))


def _integers(name: str, floats: Floats, unit: int) -> npt.NDArray[np.float64]:
    """Whole numbers of 1/unit."""
    found: npt.NDArray[np.float64] = np.rint(floats.astype(np.float64) * unit)
    largest = float(np.abs(found).max())
    most = ARRAYS[name][1]
    if not largest <= most:  # so is what is not a number
        raise NetworkError(
            f"the training ran away: {name} came to {largest:.6g}, where the engine has {most} at "
            "most; try a lower --rate, or a lower --decay"
        )
    return found
