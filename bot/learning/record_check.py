"""Which records are no positions: all of a file at once, as reading them one by one would take long."""

from __future__ import annotations

from typing import Any

import numpy as np

#: So many at once.
CHUNK = 1 << 16
_ONES = 0x1111_1111_1111_1111
#: For 0 to 32 men, the lowest bits of their nibbles in either word of `men`.
_MEN = np.array(
    [[_ONES & ((1 << 4 * max(0, min(16, men - 16 * word))) - 1) for men in range(33)] for word in (0, 1)],
    np.uint64,
)
_END_RANKS = np.uint64(0xFF), np.uint64(0xFF << 56)


def first_fault(positions: np.ndarray[Any, np.dtype[np.void]], *, most_score: int) -> int | None:
    """The first row that is no `positions.POSITION` of a game: more than 32 men or 16 of a side, men that
    there are not, not one king each, pawns on an end rank, or a score, result or turn that cannot be."""
    for begin in range(0, len(positions), CHUNK):
        rows = _faults(positions[begin : begin + CHUNK], most_score)
        if rows.any():
            return begin + int(rows.argmax())
    return None


def _faults(positions: np.ndarray[Any, np.dtype[np.void]], most_score: int) -> np.ndarray[Any, Any]:
    occupied = positions["occupied"]
    count = np.minimum(np.bitwise_count(occupied), 32)
    on_first = np.bitwise_count(occupied & _END_RANKS[0])
    before_last = count - np.minimum(count, np.bitwise_count(occupied & _END_RANKS[1]))
    words = np.ascontiguousarray(positions["men"]).view("<u8").reshape(-1, 2)
    wrong = np.bitwise_count(occupied) > 32
    white, kings, white_kings = (np.zeros(len(positions), np.uint8) for _ in range(3))
    for word in (0, 1):
        men = _MEN[word][count]
        bit0, bit1, bit2, bit3 = (words[:, word] >> np.uint64(bit) & men for bit in range(4))
        king = bit1 & bit2 & ~bit0
        pawn = bit0 & ~bit1 & ~bit2
        wrong |= (bit0 | bit1 | bit2) != men
        wrong |= (bit0 & bit1 & bit2) != 0
        wrong |= (pawn & (_MEN[word][on_first] | men & ~_MEN[word][before_last])) != 0
        white += np.bitwise_count(bit3)
        kings += np.bitwise_count(king)
        white_kings += np.bitwise_count(king & bit3)
    wrong |= (white > 16) | (count - np.minimum(count, white) > 16) | (kings != 2) | (white_kings != 1)
    wrong |= np.abs(positions["score"].astype(np.int32)) > most_score
    wrong |= (positions["result"] > 2) | (positions["turn"] > 1)
    return wrong
