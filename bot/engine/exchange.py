"""Static exchange evaluation: what a move is worth when both sides go on taking on its square."""

from __future__ import annotations

from bot.engine.attacks import BISHOP, KING, PAWN, QUEEN, ROOK, attackers, bishop_attacks, bit, rook_attacks
from bot.engine.intrinsics import lsb
from bot.engine.jit import BOOLEAN, INT64, U, compiled
from bot.engine.moves import CASTLING, IN_PASSING, captured, from_square, mover, promotion, to_square
from bot.engine.state import STATE_T, State


@compiled(BOOLEAN(STATE_T, INT64, INT64))
def wins_at_least(S: State, move: int, threshold: int) -> bool:
    """Whether the mover comes out of the exchange with at least `threshold` centipawns.

    Each side takes with its cheapest man, or stops when it likes. Pins are not looked at.
    """
    if move & CASTLING:
        return threshold <= 0
    start, square = from_square(move), to_square(move)
    becomes = promotion(move)
    balance = S.exchange_values[captured(move)] - threshold
    at_stake = mover(move)
    if becomes:
        balance += S.exchange_values[becomes] - S.exchange_values[PAWN]
        at_stake = becomes
    if balance < 0:
        return False
    balance -= S.exchange_values[at_stake]
    if balance >= 0:
        return True
    occupied = (S.occupied ^ bit(start)) | bit(square)
    if move & IN_PASSING:
        occupied ^= bit(square ^ 8)
    queens = S.men[0, QUEEN] | S.men[1, QUEEN]
    diagonal = S.men[0, BISHOP] | S.men[1, BISHOP] | queens
    straight = S.men[0, ROOK] | S.men[1, ROOK] | queens
    takers = attackers(S, square, occupied) & occupied
    side = S.turn ^ 1  # whose turn it is to take
    while True:
        ours = takers & S.own[side]
        if ours == U(0):
            break
        piece_type = PAWN
        while ours & S.men[side, piece_type] == U(0):
            piece_type += 1
        if piece_type == KING and takers & S.own[side ^ 1]:
            break  # it would be taken
        occupied ^= bit(lsb(ours & S.men[side, piece_type]))
        if piece_type in (PAWN, BISHOP, QUEEN):
            takers |= bishop_attacks(S, square, occupied) & diagonal
        if piece_type in (ROOK, QUEEN):
            takers |= rook_attacks(S, square, occupied) & straight
        takers &= occupied
        side ^= 1
        balance = -balance - 1 - S.exchange_values[piece_type]
        if balance >= 0:
            break
    return side != S.turn
