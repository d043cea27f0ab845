"""Control of key squares: the centre, and the way of a passed pawn."""

from __future__ import annotations

from bot.engine.bits import forward
from bot.engine.intrinsics import popcount
from bot.engine.jit import INT64, U, compiled
from bot.engine.state import STATE_T, State

CENTRE = U(0x0000_0018_1800_0000)
#: c3 to f6 without the centre.
OUTER_CENTRE = U(0x0000_3C24_243C_0000)


@compiled(INT64(STATE_T, INT64), inline=True)
def key_squares(S: State, colour: int) -> int:
    """See `bot.evaluation.key_squares`. Needs both sides' `S.facts.attacked` complete."""
    attacked = S.facts.attacked[colour]
    free = forward(S.facts.passed[colour], colour) & ~S.occupied & ~S.facts.attacked[1 - colour]
    return (
        popcount(attacked & CENTRE) * S.w.centre_square
        + popcount(S.facts.pawn_attacks[colour] & CENTRE) * S.w.centre_square_by_pawn
        + popcount(attacked & OUTER_CENTRE) * S.w.outer_centre_square
        + popcount(free) * S.w.free_passed_pawn
    )
