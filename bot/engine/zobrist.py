"""Keys of positions: random numbers, one for each fact of a position, added without carry.

Two positions have the same key exactly if the same man stands on every square, the same side is to move,
and castling and taking in passing are open to the same men, but for an accident of one in 2 ** 64.
"""

from __future__ import annotations

import random
from typing import Any

import chess
import numpy as np

_SEED = 20_260_601


def fill(numbers: np.void) -> None:
    """Fill a record of `state.ZOBRIST`: the same numbers each time."""
    rng = random.Random(_SEED)
    for name in ("men", "castling", "en_passant"):
        table = numbers[name]
        for place in np.ndindex(table.shape):
            table[place] = rng.getrandbits(64)
    numbers["white_to_move"] = rng.getrandbits(64)


def keys(state: Any) -> tuple[int, int, tuple[int, int]]:
    """The key of the position in the record, that of its pawns and kings, and that of each side's men but
    pawns (by colour), from nothing."""
    numbers = state["zobrist"]
    key = pawn_key = 0
    piece_keys = [0, 0]
    for square in chess.SQUARES:
        man = int(state["board"][square])
        if man:
            number = int(numbers["men"][man >> 3, man & 7, square])
            key ^= number
            if man & 7 in (chess.PAWN, chess.KING):
                pawn_key ^= number
            if man & 7 != chess.PAWN:
                piece_keys[man >> 3] ^= number
    for square in chess.scan_forward(int(state["castling"])):
        key ^= int(numbers["castling"][square])
    if state["en_passant"] >= 0:
        key ^= int(numbers["en_passant"][state["en_passant"]])
    if state["turn"] == chess.WHITE:
        key ^= int(numbers["white_to_move"])
    return key, pawn_key, (piece_keys[0], piece_keys[1])
