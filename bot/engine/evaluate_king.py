"""The king: the pawns before it, the files beside it, and the zone around it that enemies attack."""

from __future__ import annotations

from bot.engine.attacks import PAWN
from bot.engine.bits import BLACK, WHITE, beside, files, forward
from bot.engine.intrinsics import popcount
from bot.engine.jit import INT64, UINT64, Bits, U, compiled
from bot.engine.pair import lower, upper
from bot.engine.state import STATE_T, State
from bot.engine.weights import MOST_UNITS


@compiled(INT64(STATE_T, INT64), inline=True)
def king_cover(S: State, colour: int) -> int:
    """The pawn shield, and the open files beside the king."""
    square = U(1) << U(S.facts.king[colour])
    nearby = square | beside(square)
    shield = forward(nearby, colour) & S.men[colour, PAWN]
    open_files = files(nearby) & ~files(S.men[WHITE, PAWN] | S.men[BLACK, PAWN])
    return popcount(shield) * S.w.shield_pawn + popcount(open_files) * S.w.open_file_near_king


@compiled(UINT64(STATE_T, INT64), inline=True)
def king_zone(S: State, colour: int) -> Bits:
    """The king's square, the squares around it and the three squares two ranks in front."""
    king = S.facts.king[colour]
    square = U(1) << U(king)
    front = forward(square | beside(square), colour)
    return square | S.attacks.king[king] | forward(front, colour)


@compiled(INT64(STATE_T, INT64), inline=True)
def king_danger(S: State, pressure: int) -> int:
    """What the attack on a king costs its side. `pressure`: attackers and their units, a pair."""
    if upper(pressure) < 2:
        return 0
    return S.w.king_attack[min(lower(pressure), MOST_UNITS)]
