"""Strategic patterns: outposts, rooks on files and on the seventh, bad bishops, and what is shut in."""

from __future__ import annotations

from bot.engine.attacks import BISHOP, KING, KNIGHT, PAWN, ROOK, bishop_attacks
from bot.engine.bits import DARK, FILE_A, FILE_H, LIGHT, forward, rank, whole_files
from bot.engine.intrinsics import lsb, popcount
from bot.engine.jit import INT64, UINT64, Bits, U, compiled
from bot.engine.state import STATE_T, State


@compiled(UINT64(INT64), inline=True)
def _outer_files(file: int) -> Bits:
    """The files between a king and its nearer corner; kings on a, d, e and h shut nothing in."""
    if file == 1:
        return FILE_A
    if file == 2:
        return FILE_A | FILE_A << U(1)
    if file == 5:
        return FILE_H | FILE_H >> U(1)
    if file == 6:
        return FILE_H
    return U(0)


@compiled(INT64(STATE_T, INT64), inline=True)
def _rooks(S: State, colour: int) -> int:
    """Rooks on open and half-open files and on the seventh rank, and those that their own king shuts in."""
    enemy = 1 - colour
    rooks, pawns, enemy_pawns = S.men[colour, ROOK], S.men[colour, PAWN], S.men[enemy, PAWN]
    behind_own = whole_files(pawns)
    free = rooks & ~behind_own
    half_open = free & whole_files(enemy_pawns)
    total = (
        popcount(half_open) * S.w.rook_on_half_open_file + popcount(free & ~half_open) * S.w.rook_on_open_file
    )
    if enemy_pawns & rank(6, colour) or S.men[enemy, KING] & rank(7, colour):
        total += popcount(rooks & rank(6, colour)) * S.w.rook_on_seventh
    home = rank(0, colour)
    if S.men[colour, KING] & home and not S.castling & home:
        shut_in = rooks & home & behind_own & _outer_files(S.facts.king[colour] & 7)
        total += popcount(shut_in) * S.w.trapped_rook
    return total


@compiled(INT64(STATE_T, INT64), inline=True)
def _bad_bishop_pawns(S: State, colour: int) -> int:
    """For each bishop, the blocked pawns of its side on squares of its colour."""
    bishops = S.men[colour, BISHOP]
    blocked = S.men[colour, PAWN] & forward(S.men[1 - colour, PAWN], 1 - colour)
    return popcount(bishops & LIGHT) * popcount(blocked & LIGHT) + popcount(bishops & DARK) * popcount(
        blocked & DARK
    )


@compiled(INT64(STATE_T, INT64), inline=True)
def _trapped_minors(S: State, colour: int) -> int:
    """Knights and bishops in the enemy's half with no square to go to."""
    there = rank(4, colour) | rank(5, colour) | rank(6, colour) | rank(7, colour)
    free = ~(S.own[colour] | S.facts.attacked[1 - colour])
    count = 0
    men = S.men[colour, KNIGHT] & there
    while men:
        if not S.attacks.knight[lsb(men)] & free:
            count += 1
        men &= men - U(1)
    men = S.men[colour, BISHOP] & there
    while men:
        if not bishop_attacks(S, lsb(men), S.occupied) & free:
            count += 1
        men &= men - U(1)
    return count


@compiled(INT64(STATE_T, INT64), inline=True)
def patterns(S: State, colour: int) -> int:
    """See `bot.evaluation.patterns`. Needs both sides' `S.facts.attacked` complete."""
    enemy = 1 - colour
    outposts = (
        (rank(3, colour) | rank(4, colour) | rank(5, colour))
        & S.facts.pawn_attacks[colour]
        & ~S.facts.pawn_spans[enemy]
    )
    total = (
        popcount(S.men[colour, KNIGHT] & outposts) * S.w.knight_outpost
        + popcount(S.men[colour, BISHOP] & outposts) * S.w.bishop_outpost
        + _bad_bishop_pawns(S, colour) * S.w.bad_bishop_per_pawn
        + _trapped_minors(S, colour) * S.w.trapped_minor
    )
    if S.men[colour, ROOK]:
        total += _rooks(S, colour)
    return total
