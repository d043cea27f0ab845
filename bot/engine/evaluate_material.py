"""Material: what the men are worth in company, and how many are left.

What each is worth by itself, and for its place, is in `S.placed`, which `make` keeps.
"""

from __future__ import annotations

from bot.engine.attacks import BISHOP, KING, KNIGHT, PAWN, QUEEN, ROOK
from bot.engine.bits import BLACK, WHITE, forward
from bot.engine.intrinsics import lsb, popcount
from bot.engine.jit import INT64, U, compiled
from bot.engine.state import STATE_T, State

PAWNS_AT_START = 16


@compiled(INT64(STATE_T))
def placed(S: State) -> int:
    """What `S.placed` must be: the worth of all men and their places, White's less Black's; a pair."""
    total = 0
    for colour in (BLACK, WHITE):
        for piece_type in (PAWN, KNIGHT, BISHOP, ROOK, QUEEN, KING):
            men = S.men[colour, piece_type]
            while men:
                total += S.w.placed[colour, piece_type, lsb(men)]
                men &= men - U(1)
    return total


@compiled(INT64(STATE_T, INT64), inline=True)
def material(S: State, colour: int) -> int:
    """Pairs of bishops and rooks, knights in closed positions, bishops in open ones, rooks in endgames."""
    knights, bishops = popcount(S.men[colour, KNIGHT]), popcount(S.men[colour, BISHOP])
    rooks = popcount(S.men[colour, ROOK])
    rams = popcount(forward(S.men[WHITE, PAWN], WHITE) & S.men[BLACK, PAWN])
    missing = max(0, PAWNS_AT_START - popcount(S.men[WHITE, PAWN] | S.men[BLACK, PAWN]))
    total = (
        knights * rams * S.w.knight_per_ram
        + bishops * missing * S.w.bishop_per_missing_pawn
        + rooks * S.w.rook_in_endgame
    )
    if bishops >= 2:
        total += S.w.bishop_pair
    if rooks >= 2:
        total += S.w.rook_pair
    return total


@compiled(INT64(STATE_T), inline=True)
def pieces_left(S: State) -> int:
    """The knights, bishops, rooks and queens of both sides, in centipawns: what the phase is read from."""
    total = 0
    for piece_type in (KNIGHT, BISHOP, ROOK, QUEEN):
        total += S.w.phase_values[piece_type] * popcount(S.men[BLACK, piece_type] | S.men[WHITE, piece_type])
    return total
