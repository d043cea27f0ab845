"""The network as the trainer has it: 32-bit floats, all in one vector."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from bot.engine.network import INPUTS, MOST_OUTPUT_WEIGHT, OUTPUTS, QB
from bot.learning.features import MAX_MEN

Floats = npt.NDArray[np.float32]

#: The first layer's parameters do not grow beyond, nor do the output weights: so they can be made integers.
#: Nor do the outputs' biases: more than this, 20,000 centipawns, no network can say.
INPUT_BOUND, OUTPUT_BOUND, BIAS_BOUND = 1.98, MOST_OUTPUT_WEIGHT / QB, 50.0


def count(hidden: int) -> int:
    """How many parameters a network of this width has."""
    return bounds(hidden)[-1][1]


def bounds(hidden: int) -> tuple[tuple[int, int, float], ...]:
    """The parts of the vector: where they begin and end, and what no parameter in them grows beyond."""
    first = (INPUTS + 1) * hidden
    last = first + 2 * OUTPUTS * hidden
    return (0, first, INPUT_BOUND), (first, last, OUTPUT_BOUND), (last, last + OUTPUTS, BIAS_BOUND)


@dataclass(frozen=True, slots=True)
class Parameters:
    """Views into `vector`: writing to one writes to the other."""

    vector: Floats
    hidden: int

    @property
    def inputs(self) -> Floats:
        """(INPUTS, hidden)"""
        return self.vector[: INPUTS * self.hidden].reshape(INPUTS, self.hidden)

    @property
    def input_bias(self) -> Floats:
        """(hidden,)"""
        return self.vector[INPUTS * self.hidden :][: self.hidden]

    @property
    def outputs(self) -> Floats:
        """(OUTPUTS, 2 hidden), the mover's first"""
        return self.vector[(INPUTS + 1) * self.hidden : -OUTPUTS].reshape(OUTPUTS, 2 * self.hidden)

    @property
    def output_bias(self) -> Floats:
        """(OUTPUTS,)"""
        return self.vector[-OUTPUTS:]


def fresh(hidden: int, rng: np.random.Generator) -> Parameters:
    """By lot; every set of output weights begins the same, so that the ones rarely seen lag less."""
    made = Parameters(np.zeros(count(hidden), np.float32), hidden)
    spread = 1 / np.sqrt(MAX_MEN)
    made.inputs[:] = rng.uniform(-spread, spread, made.inputs.shape)
    made.input_bias[:] = rng.uniform(0, 0.5, hidden)
    spread = 1 / np.sqrt(2 * hidden)
    made.outputs[:] = rng.uniform(-spread, spread, 2 * hidden)
    return made
