"""The network as the engine has it, in integers: its file, and exactly what it says of a position.

Two perspectives (see `features`) through the same first layer, a squared clipped rectifier, and one of
several sets of output weights. What is computed here, in numpy, is the reference of every faster inference.
"""

from __future__ import annotations

import hashlib
import io
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from bot.engine.network import ARRAYS, INPUTS, OUTPUTS, QA, QB, SCALE, shapes
from bot.errors import UserError
from bot.learning.features import MAX_MEN, active
from bot.learning.features import outputs as output_sets
from bot.learning.positions import Positions

#: No evaluation goes beyond, in centipawns.
LIMIT = 19_999
#: Positions that are evaluated at once: what they take stays in the processor's cache.
CHUNK = 512


class NetworkError(UserError):
    """A file of weights that cannot be used; the message names it and what is wrong."""


@dataclass(frozen=True, eq=False, slots=True)
class Network:
    """Integer weights; H is the width of an accumulator."""

    inputs: npt.NDArray[np.int16]  # (INPUTS, H), 1.0 is QA
    input_bias: npt.NDArray[np.int16]  # (H,), the same
    outputs: npt.NDArray[np.int16]  # (OUTPUTS, 2 H), 1.0 is QB; the mover's H first
    output_bias: npt.NDArray[np.int32]  # (OUTPUTS,), 1.0 is QA * QB

    @property
    def hidden(self) -> int:
        return len(self.input_bias)


_SHAPES = {
    "inputs": f"({INPUTS}, H)",
    "input_bias": "(H,)",
    "outputs": f"({OUTPUTS}, 2 H)",
    "output_bias": f"({OUTPUTS},)",
}


def faults(network: Network) -> list[str]:
    """What is wrong with it, one line each: types, shapes, and weights that could overflow."""
    hidden = network.input_bias.shape[0] if network.input_bias.ndim == 1 else 0
    wanted = shapes(hidden)
    found = []
    for name, (kind, _) in ARRAYS.items():
        array = getattr(network, name)
        if array.dtype != kind:
            found.append(f"{name} must be {kind}, found {array.dtype}")
        if array.shape != wanted[name] or not array.size:
            found.append(f"{name} must have the shape {_SHAPES[name]}, found {array.shape}")
    if found:
        return found
    for name, (_, most) in ARRAYS.items():
        if (largest := int(np.abs(getattr(network, name).astype(np.int64)).max())) > most:
            found.append(f"{name} must be from -{most} to {most}, found {largest} either way")
    return found


def worst_accumulator(network: Network) -> int:
    """No accumulator can be further from 0: each man counts the largest weight of that unit."""
    largest = np.abs(network.inputs.astype(np.int64)).max(axis=0)
    return int((MAX_MEN * largest + np.abs(network.input_bias.astype(np.int64))).max())


def to_bytes(network: Network) -> bytes:
    """The file of a network: the same bytes for the same weights. Raises NetworkError for one with faults."""
    if wrong := faults(network):
        raise NetworkError(f"the network cannot be written: {'; '.join(wrong)}")
    file = io.BytesIO()
    np.savez(file, **{name: getattr(network, name) for name in ARRAYS})
    return file.getvalue()


def checksum(data: bytes) -> str:
    """A network is named by the SHA-256 of its file; the first 8 digits are shown."""
    return hashlib.sha256(data).hexdigest()


def evaluate_quantised(network: Network, positions: Positions) -> npt.NDArray[np.int64]:
    """Centipawns for the side to move, by position. All in integers; divisions truncate toward zero.

    Raises ValueError for what is no position; see `features.active`.
    """
    columns = np.vstack([network.inputs, np.zeros((1, network.hidden), np.int16)])  # NO_INPUT is the last row
    found = np.empty(len(positions), np.int64)
    for start in range(0, len(positions), CHUNK):
        part = positions[start : start + CHUNK]
        sums = columns[active(part)].sum(axis=2, dtype=np.int64) + network.input_bias
        squares = np.clip(sums, 0, QA).reshape(len(part), -1) ** 2
        chosen = output_sets(part)
        totals = (squares * network.outputs[chosen]).sum(axis=1, dtype=np.int64)
        values = _truncated(totals, QA) + network.output_bias[chosen]
        found[start : start + CHUNK] = np.clip(_truncated(values * SCALE, QA * QB), -LIMIT, LIMIT)
    return found


def _truncated(values: npt.NDArray[np.int64], divisor: int) -> npt.NDArray[np.int64]:
    return np.sign(values) * (np.abs(values) // divisor)
