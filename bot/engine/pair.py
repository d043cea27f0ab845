"""A middlegame and an endgame score in one integer, so that one addition adds both.

The middlegame's centipawns are in the upper 32 bits and the endgame's, with their sign, in the lower 32.
Sums, differences and multiples of pairs are those of the integers, as long as either half stays within 31
bits.
"""

from __future__ import annotations

from bot.engine.jit import INT64, compiled


def pack(pair: tuple[int, int]) -> int:
    """One integer for (middlegame, endgame). Not compiled: weights are packed once."""
    return (pair[0] << 32) + pair[1]


@compiled(INT64(INT64), inline=True)
def upper(pair: int) -> int:
    """The middlegame; what a negative lower half has borrowed is given back."""
    return (pair + 0x8000_0000) >> 32


@compiled(INT64(INT64), inline=True)
def lower(pair: int) -> int:
    """The endgame, with its sign."""
    return (pair << 32) >> 32
