"""Tactics that are read off sets: pins, hanging pieces, pawns that fork or hit.

Forks by pieces and batteries are seen by the walk of `evaluate_pieces`.
"""

from __future__ import annotations

from bot.engine.attacks import BISHOP, KING, PAWN, QUEEN, ROOK, bishop_attacks, rook_attacks
from bot.engine.bits import FILE_A, FILE_H, backward
from bot.engine.intrinsics import popcount
from bot.engine.jit import INT64, U, compiled
from bot.engine.state import STATE_T, State


@compiled(INT64(STATE_T, INT64), inline=True)
def _pins(S: State, colour: int) -> int:
    """Enemy pieces alone between their king and a bishop, rook or queen: what the king would see of
    those, were the pieces around it not there."""
    enemy = 1 - colour
    king, occupied = S.facts.king[enemy], S.occupied
    pieces = S.own[enemy] & ~S.men[enemy, PAWN]
    slanting, straight = (
        S.men[colour, BISHOP] | S.men[colour, QUEEN],
        S.men[colour, ROOK] | S.men[colour, QUEEN],
    )
    count = 0
    if slanting & (S.attacks.diagonal[king] | S.attacks.antidiagonal[king]):
        near = bishop_attacks(S, king, occupied)
        count += popcount(bishop_attacks(S, king, occupied & ~(near & pieces)) & ~near & slanting)
    if straight & (S.attacks.file[king] | U(0xFF) << U(king & 56)):
        near = rook_attacks(S, king, occupied)
        count += popcount(rook_attacks(S, king, occupied & ~(near & pieces)) & ~near & straight)
    return count


@compiled(INT64(STATE_T, INT64), inline=True)
def tactics(S: State, colour: int) -> int:
    """See `bot.evaluation.tactics`. Needs both sides' `S.facts.attacked` complete."""
    enemy = 1 - colour
    pieces = S.own[colour] & ~S.men[colour, PAWN] & ~S.men[colour, KING]
    hanging = pieces & S.facts.attacked[enemy] & ~S.facts.attacked[colour]
    by_pawn = pieces & S.facts.pawn_attacks[enemy]
    one_back = backward(S.own[enemy] & ~S.men[enemy, PAWN], colour)
    forks = (one_back & ~FILE_H) << U(1) & (one_back & ~FILE_A) >> U(1) & S.men[colour, PAWN]
    return (
        _pins(S, colour) * S.w.pin
        + popcount(forks) * S.w.fork
        + popcount(hanging) * S.w.hanging_piece
        + popcount(by_pawn) * S.w.piece_attacked_by_pawn
    )
