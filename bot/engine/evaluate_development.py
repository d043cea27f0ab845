"""Development: minors at home, early queens, castling, and the move itself.

Connected rooks are seen by the walk of `evaluate_pieces`.
"""

from __future__ import annotations

from bot.engine.attacks import BISHOP, KNIGHT, QUEEN
from bot.engine.bits import rank
from bot.engine.intrinsics import popcount
from bot.engine.jit import INT64, compiled
from bot.engine.state import STATE_T, State


@compiled(INT64(STATE_T, INT64), inline=True)
def development(S: State, colour: int) -> int:
    """See `bot.evaluation.development`."""
    home = rank(0, colour)
    at_home = popcount((S.men[colour, KNIGHT] | S.men[colour, BISHOP]) & home)
    queens_out = popcount(S.men[colour, QUEEN] & ~home)
    total = (
        at_home * S.w.minor_at_home
        + queens_out * at_home * S.w.early_queen_per_minor
        + popcount(S.castling & home) * S.w.castling_right
    )
    if S.turn == colour:
        total += S.w.tempo
    return total
