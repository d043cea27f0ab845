"""Which inputs of the network a position sets. The reference, in numpy: what is compiled must do the same.

Each side sees the board from its own end: ranks flipped for Black, and files mirrored where its own king
stands on e to h, so that it is always seen on a to d. An input is one man on one square, own or the
other's.
"""

from __future__ import annotations

import chess
import numpy as np
import numpy.typing as npt

from bot.engine.network import INPUTS, MEN_PER_STAGE_BITS
from bot.learning.positions import Positions

SQUARES = 64
#: The first half of the INPUTS are own men, by piece type and square; where the others begin.
OTHERS = INPUTS // 2
#: A position has no more men.
MAX_MEN = 32
#: So many numbers of men share one of the OUTPUTS sets of output weights.
MEN_PER_OUTPUT = 1 << MEN_PER_STAGE_BITS
#: Stands where a position has no more inputs.
NO_INPUT = -1


def boards(positions: Positions) -> npt.NDArray[np.int64]:
    """By position and square: 0, or the piece type and 8 for White."""
    occupied = _occupied(positions)
    nibbles = np.stack([positions["men"] & 15, positions["men"] >> 4], axis=-1).reshape(-1, MAX_MEN)
    places = np.clip(np.cumsum(occupied, axis=1) - 1, 0, MAX_MEN - 1)
    return np.where(occupied, np.take_along_axis(nibbles, places, axis=1), 0).astype(np.int64)


def active(positions: Positions) -> npt.NDArray[np.int64]:
    """The inputs that are set, by position, perspective (the mover's first) and man; behind them NO_INPUT.

    Raises ValueError for a position with more than 32 men, or without one king on each side.
    """
    men = boards(positions)
    occupied = men > 0
    if (occupied.sum(axis=1) > MAX_MEN).any():
        raise ValueError(f"a position has more than {MAX_MEN} men")
    white = men >> 3
    found = np.full((len(positions), 2, MAX_MEN), NO_INPUT)
    order = np.argsort(~occupied, axis=1, kind="stable")[:, :MAX_MEN]
    for place, seen_by in enumerate((positions["turn"], 1 - positions["turn"])):
        side = seen_by.astype(np.int64)[:, None]
        flips = orientation(_king(men, side), side)
        squares = np.arange(SQUARES)[None, :] ^ flips
        index = np.where(white == side, 0, OTHERS) + ((men & 7) - 1) * SQUARES + squares
        found[:, place] = np.take_along_axis(np.where(occupied, index, NO_INPUT), order, axis=1)
    return found


def orientation(king: npt.NDArray[np.int64], side: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
    """What to xor squares with, for `side` (1 White) with its king on `king`."""
    return np.where(side == 1, 0, 56).astype(np.int64) ^ np.where(king & 4, 7, 0)


def outputs(positions: Positions) -> npt.NDArray[np.int64]:
    """Which set of output weights a position takes."""
    return (_occupied(positions).sum(axis=1) - 2) // MEN_PER_OUTPUT


def _occupied(positions: Positions) -> npt.NDArray[np.bool_]:
    octets = np.ascontiguousarray(positions["occupied"], dtype="<u8").view(np.uint8).reshape(-1, 8)
    return np.unpackbits(octets, axis=1, bitorder="little").astype(bool)


def _king(men: npt.NDArray[np.int64], side: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
    kings = men == chess.KING + 8 * side
    if (kings.sum(axis=1) != 1).any():
        raise ValueError("a position has not one king on each side")
    return kings.argmax(axis=1)[:, None]
