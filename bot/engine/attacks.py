"""What men attack. Sliders by hyperbola quintessence: subtraction runs along a line until it hits something.

A square is attacked whoever stands on it, and pinned men attack like others.
"""

from __future__ import annotations

from bot.engine.intrinsics import byte_swap, lsb
from bot.engine.jit import BOOLEAN, INT64, UINT64, Bits, U, compiled
from bot.engine.state import STATE_T, State

PAWN, KNIGHT, BISHOP, ROOK, QUEEN, KING = 1, 2, 3, 4, 5, 6


@compiled(UINT64(INT64), inline=True)
def bit(square: int) -> Bits:
    """The set of one square."""
    return U(1) << U(square)


@compiled(UINT64(UINT64, INT64, UINT64), inline=True)
def _along(line: Bits, square: int, occupied: Bits) -> Bits:
    """What a slider on `square` attacks on a file or diagonal, up to and with the first men on it.

    `line` does not hold the square itself, and no two of its squares are on the same rank.
    """
    men = occupied & line
    here = bit(square)
    upwards = men - here
    downwards = byte_swap(byte_swap(men) - byte_swap(here))
    return (upwards ^ downwards) & line


@compiled(UINT64(STATE_T, INT64, UINT64), inline=True)
def bishop_attacks(S: State, square: int, occupied: Bits) -> Bits:
    """What a bishop on `square` attacks where these squares are occupied."""
    return _along(S.attacks.diagonal[square], square, occupied) | _along(
        S.attacks.antidiagonal[square], square, occupied
    )


@compiled(UINT64(STATE_T, INT64, UINT64), inline=True)
def rook_attacks(S: State, square: int, occupied: Bits) -> Bits:
    """What a rook on `square` attacks where these squares are occupied."""
    first = U(square & 56)  # of its rank
    inner = (occupied >> (first + U(1))) & U(63)
    along_rank = S.attacks.first_rank[square & 7, inner] << first
    return _along(S.attacks.file[square], square, occupied) | along_rank


@compiled(UINT64(STATE_T, INT64, INT64, UINT64))
def attacks_of(S: State, piece_type: int, square: int, occupied: Bits) -> Bits:
    """What a knight, bishop, rook, queen or king on `square` attacks."""
    if piece_type == KNIGHT:
        return S.attacks.knight[square]
    if piece_type == KING:
        return S.attacks.king[square]
    attacked = U(0)
    if piece_type != ROOK:
        attacked |= bishop_attacks(S, square, occupied)
    if piece_type != BISHOP:
        attacked |= rook_attacks(S, square, occupied)
    return attacked


@compiled(UINT64(STATE_T, INT64, UINT64))
def attackers(S: State, square: int, occupied: Bits) -> Bits:
    """The men of both sides that attack `square`, if these squares are occupied.

    Among them may be men whose own square is not in `occupied`.
    """
    queens = S.men[0, QUEEN] | S.men[1, QUEEN]
    return (
        (S.attacks.pawn[0, square] & S.men[1, PAWN])
        | (S.attacks.pawn[1, square] & S.men[0, PAWN])
        | (S.attacks.knight[square] & (S.men[0, KNIGHT] | S.men[1, KNIGHT]))
        | (S.attacks.king[square] & (S.men[0, KING] | S.men[1, KING]))
        | (bishop_attacks(S, square, occupied) & (S.men[0, BISHOP] | S.men[1, BISHOP] | queens))
        | (rook_attacks(S, square, occupied) & (S.men[0, ROOK] | S.men[1, ROOK] | queens))
    )


@compiled(BOOLEAN(STATE_T, INT64, INT64, UINT64))
def is_attacked(S: State, square: int, by: int, occupied: Bits) -> bool:
    """Whether a man of the colour `by` attacks `square`, if these squares are occupied."""
    if S.attacks.knight[square] & S.men[by, KNIGHT] or S.attacks.king[square] & S.men[by, KING]:
        return True
    if S.attacks.pawn[by ^ 1, square] & S.men[by, PAWN]:
        return True
    queens = S.men[by, QUEEN]
    if bishop_attacks(S, square, occupied) & (S.men[by, BISHOP] | queens):
        return True
    return bool(rook_attacks(S, square, occupied) & (S.men[by, ROOK] | queens))


@compiled(UINT64(STATE_T))
def checkers(S: State) -> Bits:
    """The men that give check to the side to move."""
    king = lsb(S.men[S.turn, KING])
    return attackers(S, king, S.occupied) & S.own[S.turn ^ 1]


@compiled(UINT64(STATE_T))
def pinned(S: State) -> Bits:
    """The men of the side to move that stand alone between their king and an enemy's slider."""
    us = S.turn
    them = us ^ 1
    king = lsb(S.men[us, KING])
    queens = S.men[them, QUEEN]
    snipers = bishop_attacks(S, king, S.own[them]) & (S.men[them, BISHOP] | queens)
    snipers |= rook_attacks(S, king, S.own[them]) & (S.men[them, ROOK] | queens)
    found = U(0)
    while snipers:
        between = S.attacks.between[king, lsb(snipers)] & S.occupied
        snipers &= snipers - U(1)
        if between & (between - U(1)) == U(0):
            found |= between
    return found & S.own[us]
