"""A move in one int64, with all that making it needs.

    bits 0-5 from · 6-11 to · 12-14 promotion · 15-17 the man that moves · 18-20 what it takes · 21 in passing
    22 castling

Men and promotions are piece types, 0 for none. Castling is king takes own rook, and takes nothing. No move is
0. The lowest 15 bits name a move among the legal ones of a position: this is what tables keep.
"""

from __future__ import annotations

from bot.engine.jit import BOOLEAN, INT64, compiled

NO_MOVE = 0
#: The bits that name a move in its position.
NAME = 0x7FFF
IN_PASSING, CASTLING = 1 << 21, 1 << 22


@compiled(INT64(INT64, INT64, INT64, INT64, INT64), inline=True)
def encode(from_square: int, to_square: int, promotion: int, piece_type: int, captured: int) -> int:
    """The move; IN_PASSING and CASTLING are added where they are due."""
    return from_square | to_square << 6 | promotion << 12 | piece_type << 15 | captured << 18


@compiled(INT64(INT64), inline=True)
def from_square(move: int) -> int:
    """Where it starts."""
    return move & 63


@compiled(INT64(INT64), inline=True)
def to_square(move: int) -> int:
    """Where it ends; of castling, where the rook stands."""
    return move >> 6 & 63


@compiled(INT64(INT64), inline=True)
def promotion(move: int) -> int:
    """What a pawn becomes, or 0."""
    return move >> 12 & 7


@compiled(INT64(INT64), inline=True)
def mover(move: int) -> int:
    """The piece type that moves."""
    return move >> 15 & 7


@compiled(INT64(INT64), inline=True)
def captured(move: int) -> int:
    """The piece type that is taken, or 0."""
    return move >> 18 & 7


@compiled(BOOLEAN(INT64), inline=True)
def is_quiet(move: int) -> bool:
    """Whether it neither takes nor promotes."""
    return move & 0x1C7000 == 0
