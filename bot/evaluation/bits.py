"""Sets of squares as integers of 64 bits: a1 is bit 0, h8 is bit 63, as in python-chess.

"Forward" is towards the eighth rank for White and towards the first for Black.
"""

from __future__ import annotations

from collections.abc import Iterator

import chess

NOT_FILE_A = chess.BB_ALL & ~chess.BB_FILE_A
NOT_FILE_H = chess.BB_ALL & ~chess.BB_FILE_H

#: Ranks as their owner counts them: RANK[colour][0] is his first.
RANK = (tuple(reversed(chess.BB_RANKS)), tuple(chess.BB_RANKS))

#: Both diagonals through a square, itself left out.
DIAGONALS = tuple(chess.BB_DIAG_ATTACKS[square][0] for square in chess.SQUARES)
#: The file and the rank through a square, itself left out.
FILE_AND_RANK = tuple(
    chess.BB_FILE_ATTACKS[square][0] | chess.BB_RANK_ATTACKS[square][0] for square in chess.SQUARES
)


def squares(bits: chess.Bitboard) -> Iterator[chess.Square]:
    """The members of a set, in ascending order."""
    while bits:
        low = bits & -bits
        yield low.bit_length() - 1
        bits ^= low


def forward(bits: chess.Bitboard, color: chess.Color) -> chess.Bitboard:
    """Each square, one step forward; what leaves the board is gone."""
    return (bits << 8) & chess.BB_ALL if color else bits >> 8


def backward(bits: chess.Bitboard, color: chess.Color) -> chess.Bitboard:
    """Each square, one step back; what leaves the board is gone."""
    return forward(bits, not color)


def beside(bits: chess.Bitboard) -> chess.Bitboard:
    """The squares left and right of a member."""
    return ((bits & NOT_FILE_H) << 1) | ((bits & NOT_FILE_A) >> 1)


def forward_fill(bits: chess.Bitboard, color: chess.Color) -> chess.Bitboard:
    """The members, and every square ahead of one on its file."""
    if color:
        bits |= bits << 8
        bits |= bits << 16
        bits |= bits << 32
        return bits & chess.BB_ALL
    bits |= bits >> 8
    bits |= bits >> 16
    return bits | bits >> 32


def pawn_attacks(pawns: chess.Bitboard, color: chess.Color) -> chess.Bitboard:
    """The squares that pawns of `color` on these squares attack."""
    return beside(forward(pawns, color))


def files(bits: chess.Bitboard) -> int:
    """The files that hold a member: bit 0 for the a-file to bit 7 for the h-file."""
    bits |= bits >> 32
    bits |= bits >> 16
    return (bits | bits >> 8) & 0xFF


def whole_files(bits: chess.Bitboard) -> chess.Bitboard:
    """Every square of each file that holds a member."""
    return files(bits) * chess.BB_FILE_A
