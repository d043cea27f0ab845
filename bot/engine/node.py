"""What a node of the search knows before its moves are searched, and what is kept of it afterwards."""

from __future__ import annotations

from bot.engine.features import TABLE_CUTS
from bot.engine.generate import recall_move
from bot.engine.history import learn_correction
from bot.engine.jit import BOOLEAN, INT64, TABLE, UINT64, VOID, Bits, U, compiled
from bot.engine.leaf import worth
from bot.engine.moves import NO_MOVE, is_quiet
from bot.engine.quiescence import corrected, faded
from bot.engine.scores import DECISIVE, UNKNOWN, from_here, from_root
from bot.engine.state import BEFORE, STATE_T, State
from bot.engine.table import (
    AT_LEAST,
    AT_MOST,
    Table,
    bound_of,
    depth_of,
    evaluation_of,
    find,
    keep,
    name_of,
    score_of,
    settles,
)

#: With this many plies towards a draw by the fifty-move rule, what the table says about a position may have
#: been true only with fewer.
TABLE_TRUSTS_PLIES = 90


@compiled(VOID(STATE_T, TABLE, INT64, UINT64, UINT64))
def consult(S: State, T: Table, ply: int, checks: Bits, pins: Bits) -> None:
    """Note what the table knows of the position. A node that is searched without one move knows nothing."""
    here = S.plies[ply + BEFORE]
    here.hash_move = NO_MOVE
    here.hash_bound = 0
    here.hash_score = UNKNOWN
    if here.excluded != NO_MOVE:
        return
    here.raw = UNKNOWN
    entry = find(T, S.key)
    if entry != U(0):
        here.hash_move = recall_move(S, name_of(entry), checks, pins)
        here.hash_score = from_root(score_of(entry), ply)
        here.hash_bound = bound_of(entry)
        here.hash_depth = depth_of(entry)
        here.raw = evaluation_of(entry)


@compiled(BOOLEAN(STATE_T, INT64, INT64, INT64), inline=True)
def table_settles(S: State, ply: int, depth: int, beta: int) -> bool:
    """Whether what the table knows makes a search with the window (beta - 1, beta) needless."""
    here = S.plies[ply + BEFORE]
    return (
        settles(here.hash_bound, here.hash_score, beta)
        and here.hash_depth >= depth
        and S.halfmoves < TABLE_TRUSTS_PLIES
        and S.features & TABLE_CUTS != 0
    )


@compiled(VOID(STATE_T, INT64, UINT64))
def assess(S: State, ply: int, checks: Bits) -> None:
    """Note what the position seems to be worth; nothing in check, where it can change at once."""
    here = S.plies[ply + BEFORE]
    here.improving = 0
    if checks:
        here.static = UNKNOWN
        here.estimate = UNKNOWN
        return
    if here.raw == UNKNOWN:
        here.raw = worth(S)
    here.static = corrected(S, here.raw)
    here.estimate = here.static
    if abs(here.hash_score) < DECISIVE and settles(here.hash_bound, here.hash_score, here.static + 1):
        here.estimate = here.hash_score
    earlier = S.plies[ply + BEFORE - 2].static
    if earlier == UNKNOWN or here.static > earlier:
        here.improving = 1


@compiled(BOOLEAN(STATE_T, INT64), inline=True)
def is_left_out(S: State, move: int) -> bool:
    """Whether the root must not look at this move."""
    for index in range(S.left_out_count):  # noqa: SIM110  a generator cannot be compiled
        if S.left_out[index] == move:
            return True
    return False


@compiled(VOID(STATE_T, INT64, INT64), inline=True)
def extend_line(S: State, ply: int, move: int) -> None:
    """The best line from `ply` on is now this move, and what is best after it."""
    S.lines[ply, ply] = move
    end = S.line_ends[ply + 1]
    for index in range(ply + 1, end):
        S.lines[ply, index] = S.lines[ply + 1, index]
    S.line_ends[ply] = max(end, ply + 1)


@compiled(VOID(STATE_T, TABLE, INT64, INT64, INT64, INT64, INT64))
def conclude(S: State, T: Table, ply: int, depth: int, best: int, best_move: int, bound: int) -> None:
    """Keep what was found of the position, and learn from how wrong its evaluation was."""
    here = S.plies[ply + BEFORE]
    if ply == 0 and S.left_out_count:
        return
    keep(T, S, best_move, from_here(best, ply), here.raw, depth, bound)
    if here.static == UNKNOWN or abs(best) >= DECISIVE or (best_move != NO_MOVE and not is_quiet(best_move)):
        return
    if (bound == AT_LEAST and best <= here.static) or (bound == AT_MOST and best >= here.static):
        return  # the bound does not say on which side the evaluation erred
    learn_correction(S, best - faded(S, here.raw), depth)
