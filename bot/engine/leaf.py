"""The evaluation, as a search asks for it: from the mover's view, and remembered."""

from __future__ import annotations

from bot.engine.bits import BLACK, WHITE
from bot.engine.endings import WHOLE, winnable
from bot.engine.evaluate import evaluate
from bot.engine.features import ENDINGS
from bot.engine.jit import BOOLEAN, INT64, U, compiled
from bot.engine.learned import judge, judge_afresh, towards_zero
from bot.engine.state import EVALUATIONS, STATE_T, State

#: `S.learned` where each evaluation is also made afresh, for a test.
CHECKED = 2
_PLACE = U(EVALUATIONS - 1)


@compiled(BOOLEAN(STATE_T, INT64), inline=True)
def _is_bare(S: State, colour: int) -> bool:
    """Whether a side has nothing but its king."""
    own = S.own[colour]
    return (own & (own - U(1))) == U(0)


@compiled(INT64(STATE_T))
def worth(S: State) -> int:
    """The evaluation of the position, in centipawns for the side to move.

    The network's, if there is one, but not where one side has a bare king: games that are trained on end
    before, and the hand-written evaluation knows the way to mate.
    """
    place = S.key & _PLACE
    if S.evaluation_keys[place] != S.key:
        S.evaluation_keys[place] = S.key
        if S.learned and not _is_bare(S, WHITE) and not _is_bare(S, BLACK):
            value = judge(S)
            if S.learned == CHECKED and value != judge_afresh(S):
                S.mistakes += 1
            value = value if S.turn else -value
        else:
            value = evaluate(S)
        if S.features & ENDINGS:
            value = towards_zero(value * winnable(S, INT64(WHITE if value > 0 else BLACK)), WHOLE)
        S.evaluations[place] = value
    value = S.evaluations[place]
    return value if S.turn else -value
