"""The evaluation, as a search asks for it: from the mover's view, and remembered."""

from __future__ import annotations

from bot.engine.evaluate import evaluate
from bot.engine.jit import INT64, U, compiled
from bot.engine.state import EVALUATIONS, STATE_T, State

_PLACE = U(EVALUATIONS - 1)


@compiled(INT64(STATE_T))
def worth(S: State) -> int:
    """The evaluation of the position, in centipawns for the side to move."""
    place = S.key & _PLACE
    if S.evaluation_keys[place] != S.key:
        S.evaluation_keys[place] = S.key
        S.evaluations[place] = evaluate(S)
    value = S.evaluations[place]
    return value if S.turn else -value
