"""One walk over the knights, bishops, rooks and queens of a side.

Here, once, each piece's attacks are worked out, and all is answered that the evaluation asks of the attacks
of a single piece: mobility, the attack on the king and its tropism, forks, batteries, connected rooks.
"""

from __future__ import annotations

from bot.engine.attacks import BISHOP, KING, KNIGHT, QUEEN, ROOK, bishop_attacks, rook_attacks
from bot.engine.evaluate_king import king_danger, king_zone
from bot.engine.intrinsics import lsb, popcount
from bot.engine.jit import INT64, UINT64, Bits, U, compiled
from bot.engine.state import STATE_T, State


@compiled(INT64(STATE_T, INT64, UINT64, INT64), inline=True)
def _alone(S: State, piece_type: int, free: Bits, distance: int) -> int:
    """Mobility on the `free` squares; less what being near to a king adds to its side."""
    return S.w.mobility[piece_type, popcount(free)] - S.w.tropism[piece_type, distance]


@compiled(INT64(UINT64, UINT64, INT64), inline=True)
def _forks(hit: Bits, by_pawns: Bits, square: int) -> int:
    """One for two victims or more, unless a pawn could take the piece."""
    return 1 if hit & (hit - U(1)) and not by_pawns >> U(square) & U(1) else 0


@compiled(INT64(STATE_T, INT64), inline=True)
def pieces(S: State, colour: int) -> int:
    """The terms above, for one side. Adds what the pieces attack to `S.facts.attacked`."""
    enemy = 1 - colour
    occupied = S.occupied
    king, zone = S.facts.king[enemy], king_zone(S, enemy)
    by_pawns = S.facts.pawn_attacks[enemy]
    free = ~(by_pawns | S.own[colour])
    rooks, queens = S.men[colour, ROOK], S.men[colour, QUEEN]
    straight, slanting = rooks | queens, S.men[colour, BISHOP] | queens
    above_rook = S.men[enemy, QUEEN] | S.men[enemy, KING]
    above_minor = above_rook | S.men[enemy, ROOK]
    attacked = S.facts.attacked[colour]
    linked = U(0)
    total = pressure = forks = seen = 0

    men = S.men[colour, KNIGHT]
    while men:
        square = lsb(men)
        men &= men - U(1)
        attacks = S.attacks.knight[square]
        attacked |= attacks
        total += _alone(S, KNIGHT, attacks & free, S.attacks.distance[king, square])
        pressure += S.w.king_pressure[KNIGHT, popcount(attacks & zone)]
        forks += _forks(attacks & above_minor, by_pawns, square)

    men = S.men[colour, BISHOP]
    while men:
        square = lsb(men)
        men &= men - U(1)
        attacks = bishop_attacks(S, square, occupied)
        attacked |= attacks
        total += _alone(S, BISHOP, attacks & free, S.attacks.distance[king, square])
        pressure += S.w.king_pressure[BISHOP, popcount(attacks & zone)]
        forks += _forks(attacks & above_minor, by_pawns, square)
        seen += popcount(attacks & slanting)

    men = rooks
    while men:
        square = lsb(men)
        men &= men - U(1)
        attacks = rook_attacks(S, square, occupied)
        attacked |= attacks
        linked |= attacks & rooks
        total += _alone(S, ROOK, attacks & free, S.attacks.distance[king, square])
        pressure += S.w.king_pressure[ROOK, popcount(attacks & zone)]
        forks += _forks(attacks & above_rook, by_pawns, square)
        seen += popcount(attacks & straight & S.attacks.file[square])

    men = queens
    while men:
        square = lsb(men)
        men &= men - U(1)
        on_lines, on_diagonals = rook_attacks(S, square, occupied), bishop_attacks(S, square, occupied)
        attacks = on_lines | on_diagonals
        attacked |= attacks
        total += _alone(S, QUEEN, attacks & free, S.attacks.distance[king, square])
        pressure += S.w.king_pressure[QUEEN, popcount(attacks & zone)]
        seen += popcount(on_lines & straight & S.attacks.file[square]) + popcount(on_diagonals & slanting)

    S.facts.attacked[colour] = attacked
    if linked:
        total += S.w.connected_rooks
    # Each battery was seen from both its ends.
    return total - king_danger(S, pressure) + forks * S.w.fork + (seen >> 1) * S.w.battery
