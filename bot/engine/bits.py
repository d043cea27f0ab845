"""Sets of squares, moved and filled: `bot.evaluation.bits`, compiled.

"Forward" is towards the eighth rank for White and towards the first for Black.
"""

from __future__ import annotations

from bot.engine.jit import INT64, UINT64, Bits, U, compiled

BLACK, WHITE = 0, 1
FILE_A = U(0x0101_0101_0101_0101)
FILE_H = U(0x8080_8080_8080_8080)
LIGHT = U(0x55AA_55AA_55AA_55AA)
DARK = U(0xAA55_AA55_AA55_AA55)


@compiled(UINT64(UINT64, INT64), inline=True)
def forward(bits: Bits, colour: int) -> Bits:
    """Each square, one step forward; what leaves the board is gone."""
    return bits << U(8) if colour else bits >> U(8)


@compiled(UINT64(UINT64, INT64), inline=True)
def backward(bits: Bits, colour: int) -> Bits:
    """Each square, one step back; what leaves the board is gone."""
    return bits >> U(8) if colour else bits << U(8)


@compiled(UINT64(UINT64), inline=True)
def beside(bits: Bits) -> Bits:
    """The squares left and right of a member."""
    return ((bits & ~FILE_H) << U(1)) | ((bits & ~FILE_A) >> U(1))


@compiled(UINT64(UINT64, INT64), inline=True)
def forward_fill(bits: Bits, colour: int) -> Bits:
    """The members, and every square ahead of one on its file."""
    if colour:
        bits |= bits << U(8)
        bits |= bits << U(16)
        return bits | bits << U(32)
    bits |= bits >> U(8)
    bits |= bits >> U(16)
    return bits | bits >> U(32)


@compiled(UINT64(UINT64), inline=True)
def files(bits: Bits) -> Bits:
    """The files that hold a member: bit 0 for the a-file to bit 7 for the h-file."""
    bits |= bits >> U(32)
    bits |= bits >> U(16)
    return (bits | bits >> U(8)) & U(0xFF)


@compiled(UINT64(UINT64), inline=True)
def whole_files(bits: Bits) -> Bits:
    """Every square of each file that holds a member."""
    return files(bits) * FILE_A


@compiled(UINT64(INT64, INT64), inline=True)
def rank(number: int, colour: int) -> Bits:
    """A rank as its owner counts: 0 is his first."""
    return U(0xFF) << U(8 * (number if colour else 7 - number))
