"""Draws that the rules give or let one claim, and what they are worth."""

from __future__ import annotations

from bot.engine.attacks import PAWN, QUEEN, ROOK, pinned
from bot.engine.generate import add_noisy, add_quiet
from bot.engine.intrinsics import popcount
from bot.engine.jit import BOOLEAN, INT64, UINT64, Bits, U, compiled
from bot.engine.state import STATE_T, State

_FIFTY_MOVES = 100  # plies


@compiled(BOOLEAN(STATE_T), inline=True)
def too_little_material(S: State) -> bool:
    """Whether nobody can mate: bare kings, or one knight or bishop besides."""
    heavy = (
        S.men[0, PAWN] | S.men[1, PAWN] | S.men[0, ROOK] | S.men[1, ROOK] | S.men[0, QUEEN] | S.men[1, QUEEN]
    )
    return heavy == U(0) and popcount(S.occupied) <= 3


@compiled(BOOLEAN(STATE_T), inline=True)
def repeats(S: State) -> bool:
    """Whether the position has stood on the board before: once since the root of the search (to repeat is
    then no better than what was there), or twice in the game."""
    times = 0
    oldest = max(S.height - S.halfmoves, 0)
    index = S.height - 4
    while index >= oldest:
        if S.past[index].key == S.key:
            times += 1
            if index > S.root_height or times == 2:
                return True
        index -= 2
    return False


@compiled(BOOLEAN(STATE_T, UINT64, INT64))
def is_draw(S: State, checks: Bits, free: int) -> bool:
    """Whether the position is a draw, or one could be claimed. Mate comes before the fifty-move rule.

    `free`: from where on `S.moves` may be used.
    """
    if S.halfmoves >= _FIFTY_MOVES:
        if checks == U(0):
            return True
        pins = pinned(S)
        if add_quiet(S, add_noisy(S, free, checks, pins), checks, pins) > free:
            return True
    return too_little_material(S) or (S.halfmoves >= 4 and repeats(S))


@compiled(INT64(STATE_T), inline=True)
def draw_score(S: State) -> int:
    """What a draw is worth to the side to move."""
    return -S.contempt if S.turn else S.contempt
