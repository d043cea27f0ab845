"""A bare king: how to mate it, where the mate itself is further away than a search sees."""

from __future__ import annotations

from bot.engine.attacks import BISHOP, KNIGHT, QUEEN, ROOK
from bot.engine.bits import DARK, LIGHT
from bot.engine.jit import INT64, U, compiled
from bot.engine.state import STATE_T, State


@compiled(INT64(STATE_T, INT64))
def bare_king(S: State, colour: int) -> int:
    """See `bot.evaluation.bare_king`. To be called where the enemy has nothing but his king."""
    bishops = S.men[colour, BISHOP]
    anywhere = S.men[colour, QUEEN] | S.men[colour, ROOK] or (bishops & LIGHT and bishops & DARK)
    if not anywhere and not (bishops and S.men[colour, KNIGHT]):
        return 0
    king = S.facts.king[1 - colour]
    file, rank = king & 7, king >> 3
    edge = max(3 - file, file - 4) + max(3 - rank, rank - 4)
    apart = S.attacks.distance[king, S.facts.king[colour]]
    total = edge * S.w.bare_king_step + (7 - apart) * S.w.kings_close
    if not anywhere:
        corner = abs(7 - file - rank) if bishops & DARK != U(0) else abs(file - rank)
        total += corner * S.w.bare_king_to_corner
    return total
