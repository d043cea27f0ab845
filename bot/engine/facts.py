"""What several families of the evaluation ask of a position: `bot.evaluation.facts`, compiled."""

from __future__ import annotations

from bot.engine.attacks import KING, PAWN
from bot.engine.bits import BLACK, WHITE, backward, beside, forward, forward_fill
from bot.engine.intrinsics import lsb
from bot.engine.jit import INT64, UINT64, VOID, Bits, compiled
from bot.engine.state import STATE_T, State


@compiled(UINT64(STATE_T, INT64), inline=True)
def _passed(S: State, colour: int) -> Bits:
    """Pawns with no enemy pawn ahead on their own or a neighbouring file, nor one of theirs on their file."""
    enemy = 1 - colour
    own, others = S.men[colour, PAWN], S.men[enemy, PAWN]
    enemy_ahead = forward_fill(forward(others, enemy), enemy) | S.facts.pawn_spans[enemy]
    own_behind = forward_fill(backward(own, colour), enemy)
    return own & ~enemy_ahead & ~own_behind


@compiled(VOID(STATE_T), inline=True)
def look_up(S: State) -> None:
    """Fill `S.facts`: for each side its king's square, the squares that its pawns attack, those that they
    attack or can attack once they advance (`pawn_spans`), and its passed pawns.

    `attacked` begins with what pawns and king attack; `pieces` adds the rest. Each side must have one king.
    """
    for colour in (BLACK, WHITE):
        king = lsb(S.men[colour, KING])
        attacked = beside(forward(S.men[colour, PAWN], colour))
        S.facts.king[colour] = king
        S.facts.pawn_attacks[colour] = attacked
        S.facts.pawn_spans[colour] = forward_fill(attacked, colour)
        S.facts.attacked[colour] = attacked | S.attacks.king[king]
    for colour in (BLACK, WHITE):
        S.facts.passed[colour] = _passed(S, colour)
