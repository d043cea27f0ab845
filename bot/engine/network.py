"""The network's shape, and its file of weights; see `learned` for what it reckons.

Inputs, for each of the two perspectives: a man of its own or of the other side, of six types, on 64 squares
as that side sees them: ranks from its own end of the board, and mirrored left to right where its king stands
on files e to h, so that its king is always on a to d. One layer of HIDDEN numbers a perspective, clipped and
squared; one number from both, by weights of their own for each of OUTPUTS stages of the game.

All is whole numbers: inputs and their bias in units of 1/QA, outputs in units of 1/QB, the output's bias in
units of 1/(QA * QB); the result is in units of SCALE centipawns.
"""

from __future__ import annotations

import functools
import hashlib
import io
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from bot.engine.network_names import DEFAULT, NONE

__all__ = ["DEFAULT", "NONE", "Network", "NetworkFileError", "chosen", "find", "read"]

#: Numbers of the hidden layer, for each perspective; stages of the game (see `stage` in `learned`).
INPUTS, HIDDEN, OUTPUTS = 768, 128, 8
QA, QB, SCALE = 255, 192, 400
#: A clipped hidden number times an output weight fits into an int16, and a sum of inputs of all men as well.
MOST_OUTPUT_WEIGHT, MOST_INPUT_WEIGHT = 127, 990
#: So much of a name is shown.
MOST_SHOWN = 100
#: Stages of the game have so many men each, as a power of two.
MEN_PER_STAGE_BITS = 2

#: What the engine's record holds of a network.
NETWORK = np.dtype(
    [
        ("inputs", np.int16, (INPUTS, HIDDEN)),
        ("input_bias", np.int16, HIDDEN),
        ("outputs", np.int16, (OUTPUTS, 2, HIDDEN)),  # by stage; the mover's half first
        ("output_bias", np.int32, OUTPUTS),
    ],
    align=True,
)
#: The weights in a file: each array's type, and the largest number in it.
ARRAYS: dict[str, tuple[np.dtype[Any], int]] = {
    "inputs": (np.dtype(np.int16), MOST_INPUT_WEIGHT),
    "input_bias": (np.dtype(np.int16), MOST_INPUT_WEIGHT),
    "outputs": (np.dtype(np.int16), MOST_OUTPUT_WEIGHT),
    "output_bias": (np.dtype(np.int32), 2**31 - 1),
}
FOLDER = Path(__file__).parent / "networks"


def shapes(hidden: int) -> dict[str, tuple[int, ...]]:
    """Of the arrays in a file, by name, where a perspective has so many hidden numbers."""
    return {
        "inputs": (INPUTS, hidden),
        "input_bias": (hidden,),
        "outputs": (OUTPUTS, 2 * hidden),
        "output_bias": (OUTPUTS,),
    }


class NetworkFileError(ValueError):
    """A file of weights that cannot be used, in one line."""


@dataclass(frozen=True, slots=True)
class Network:
    """Weights. `digest`: SHA-256 of the file that they are from, in hexadecimal."""

    weights: np.void  # a record of NETWORK
    digest: str


def find(name: str) -> Path:
    """The file of a network: DEFAULT, or another that ships, by name; else a path.

    Raises NetworkFileError where there is none, naming those that ship.
    """
    known = {path.stem: path for path in sorted(FOLDER.glob("*.npz"))}
    if name in known:
        return known[name]
    try:
        path = Path(name).expanduser()
        if path.is_file():
            return path
    except (OSError, RuntimeError, ValueError):  # too long, no such user, or not a name of a file at all
        pass
    names = ", ".join(known) or "none"
    raise NetworkFileError(f"no network {_shortened(name)!r}: neither a file nor one that ships ({names})")


def chosen(name: str) -> Network | None:
    """The weights of a network as `find` finds it; None for NONE. Raises NetworkFileError."""
    return None if name == NONE else read(find(name))


def read(path: Path) -> Network:
    """The weights in a file, as `bot.learning` writes them.

    Raises NetworkFileError, naming the file and what is wrong in it.
    """
    try:
        data = path.read_bytes()
    except OSError as error:
        raise NetworkFileError(f"{path}: {error.strerror}") from error
    try:
        return _parsed(data)
    except NetworkFileError as error:
        raise NetworkFileError(f"{path}: {error}") from None


@functools.lru_cache(maxsize=4)
def _parsed(data: bytes) -> Network:
    """The weights in a file's content. Raises NetworkFileError, without the file's name."""
    weights = np.zeros(1, NETWORK)[0]
    try:
        with np.load(io.BytesIO(data), allow_pickle=False) as arrays:
            if missing := sorted(set(ARRAYS) - set(arrays.files)):
                raise NetworkFileError(f"it has no {', '.join(missing)}")
            for name, (kind, most) in ARRAYS.items():
                array = arrays[name]
                _check(name, array, kind, shapes(HIDDEN)[name], most)
                weights[name] = array.reshape(weights[name].shape)
    except NetworkFileError:
        raise
    except Exception as error:  # numpy and zipfile raise a dozen kinds for files that are not theirs
        raise NetworkFileError(f"no file of weights ({type(error).__name__}: {error})") from error
    return Network(weights, hashlib.sha256(data).hexdigest())


def _shortened(name: str) -> str:
    return name if len(name) <= MOST_SHOWN else f"{name[:MOST_SHOWN]}..."


def _check(
    name: str, array: npt.NDArray[Any], kind: np.dtype[Any], shape: tuple[int, ...], most: int
) -> None:
    if array.dtype != kind or array.shape != shape:
        raise NetworkFileError(
            f"{name} is {array.dtype} {list(array.shape)}; this engine's is {kind} {list(shape)}"
        )
    largest = int(np.abs(array.astype(np.int64)).max())
    if largest > most:
        raise NetworkFileError(f"{name} has a {largest}; {most} is the most that cannot overflow")
