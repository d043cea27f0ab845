"""What the search has learnt about moves: which of them refuted others, by square, man and the moves before.

Numbers run from -LIMIT to LIMIT. Each bonus moves a number towards its end of the scale, the less the nearer
it is (gravity), so that what was learnt last weighs most.
"""

from __future__ import annotations

from bot.engine.features import CAPTURE_HISTORY, CONTINUATION, CORRECTION, PIECE_CORRECTION
from bot.engine.jit import INT64, VOID, U, compiled
from bot.engine.moves import captured, from_square, is_quiet, mover, to_square
from bot.engine.state import BEFORE, CORRECTIONS, MAX_TRIED, STATE_T, State

LIMIT_BITS = 14
LIMIT = 1 << LIMIT_BITS
#: A bonus, and a malus, are so much less than a slope by depth.
LESS = 70
#: An evaluation is corrected by this part (bits) of what is kept, which moves by so much at most.
CORRECTION_BITS, CORRECTION_WEIGHT_BITS, MOST_CORRECTION = 8, 8, 16_384
_PLACE = U(CORRECTIONS - 1)


@compiled(INT64(INT64, INT64), inline=True)
def pulled(value: int, bonus: int) -> int:
    """`value` after one bonus (positive or negative), which is smaller than LIMIT."""
    return value + bonus - (value * abs(bonus) >> LIMIT_BITS)


@compiled(INT64(STATE_T, INT64, INT64), inline=True)
def quiet_history(S: State, move: int, ply: int) -> int:
    """How well a quiet move of the side to move has done: alone, and after the two moves before."""
    man, end = mover(move), to_square(move)
    value = INT64(S.history[S.turn, from_square(move), end])
    if S.features & CONTINUATION:
        for ago in range(1, 3):
            before = S.plies[ply + BEFORE - ago].move
            value += S.continuation[ago - 1, mover(before), to_square(before), man, end]
    return value


@compiled(INT64(STATE_T, INT64), inline=True)
def capture_history(S: State, move: int) -> int:
    """How well a capture or promotion has done."""
    return INT64(S.capture_history[mover(move), to_square(move), captured(move)])


@compiled(VOID(STATE_T, INT64, INT64, INT64))
def reward(S: State, move: int, ply: int, bonus: int) -> None:
    """Note that a move did well (or, with a negative bonus, badly) at this ply."""
    man, end = mover(move), to_square(move)
    if is_quiet(move):
        start = from_square(move)
        S.history[S.turn, start, end] = pulled(S.history[S.turn, start, end], bonus)
        if S.features & CONTINUATION:
            for ago in range(1, 3):
                before = S.plies[ply + BEFORE - ago].move
                row, column = mover(before), to_square(before)
                value = S.continuation[ago - 1, row, column, man, end]
                S.continuation[ago - 1, row, column, man, end] = pulled(value, bonus)
    elif S.features & CAPTURE_HISTORY:
        taken = captured(move)
        S.capture_history[man, end, taken] = pulled(S.capture_history[man, end, taken], bonus)


@compiled(VOID(STATE_T, INT64, INT64, INT64))
def refuted(S: State, best: int, ply: int, depth: int) -> None:
    """Note that `best` was too good at this ply, and that the moves which were tried before it were not."""
    here = S.plies[ply + BEFORE]
    bonus = min(S.tuned.bonus_slope * depth - LESS, S.tuned.bonus_most)
    malus = min(S.tuned.malus_slope * depth - LESS, S.tuned.malus_most)
    quiet = is_quiet(best)
    for index in range(min(here.tried_count, MAX_TRIED)):
        move = S.tried[ply, index]
        if move != best and (quiet or not is_quiet(move)):
            reward(S, move, ply, -malus)
    reward(S, best, ply, bonus)
    if quiet:
        before = S.plies[ply + BEFORE - 1].move
        S.counter[S.turn, mover(before), to_square(before)] = best
        if here.killers[0] != best:
            here.killers[1] = here.killers[0]
            here.killers[0] = best


@compiled(INT64(STATE_T), inline=True)
def correction(S: State) -> int:
    """What to add to the mover's evaluation, in centipawns."""
    value = INT64(0)
    if S.features & CORRECTION:
        value += S.tuned.correction_pawns * S.correction[S.turn, S.pawn_key & _PLACE]
    if S.features & PIECE_CORRECTION:
        for colour in range(2):
            found = S.piece_correction[S.turn, colour, S.piece_keys[colour] & _PLACE]
            value += S.tuned.correction_pieces * found
    return value >> (CORRECTION_BITS + 8)


@compiled(INT64(INT64, INT64, INT64), inline=True)
def _corrected(value: int, error: int, weight: int) -> int:
    """What is kept of an evaluation's errors, moved towards the error that was found now."""
    value += ((error << CORRECTION_BITS) - value) * weight >> CORRECTION_WEIGHT_BITS
    return max(-MOST_CORRECTION, min(MOST_CORRECTION, value))


@compiled(VOID(STATE_T, INT64, INT64))
def learn_correction(S: State, error: int, depth: int) -> None:
    """Note that a search of this depth found the position to be worth `error` centipawns more."""
    weight = min(depth + 1, 16)
    place = S.pawn_key & _PLACE
    S.correction[S.turn, place] = _corrected(S.correction[S.turn, place], error, weight)
    for colour in range(2):
        place = S.piece_keys[colour] & _PLACE
        value = S.piece_correction[S.turn, colour, place]
        S.piece_correction[S.turn, colour, place] = _corrected(value, error, weight)
