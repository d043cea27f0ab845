"""Where a search ends: no position is judged in the midst of an exchange.

The side to move may stay content with what it has, or try captures and promotions to a queen that do not lose
material, and at first also quiet moves that give check. In check it must get out of it, by any move.
"""

from __future__ import annotations

from bot.engine.attacks import QUEEN, checkers, pinned
from bot.engine.draws import draw_score, is_draw
from bot.engine.exchange import wins_at_least
from bot.engine.features import (
    DELTA_PRUNING,
    EVASION_PRUNING,
    FADING,
    QUIESCENCE_CHECKS,
    QUIESCENCE_TABLE,
)
from bot.engine.generate import recall_move
from bot.engine.history import correction
from bot.engine.jit import INT64, TABLE, UINT64, Bits, U, compiled
from bot.engine.leaf import worth
from bot.engine.make import make, unmake
from bot.engine.meter import visit
from bot.engine.moves import NO_MOVE, captured, is_quiet, promotion
from bot.engine.ordering import BAD, begin_list, next_move
from bot.engine.scores import DECISIVE, INFINITY, MATE, UNKNOWN, from_here, from_root
from bot.engine.state import BEFORE, MAX_MOVES, MAX_MOVES_OF_NODE, MAX_PLY, STATE_T, State
from bot.engine.table import (
    AT_LEAST,
    AT_MOST,
    Table,
    bound_of,
    evaluation_of,
    expect,
    find,
    keep,
    name_of,
    score_of,
    settles,
)

#: Of an evaluation fades this part (bits) for each ply towards a draw by the fifty-move rule.
FADING_BITS = 8


@compiled(INT64(STATE_T, INT64), inline=True)
def faded(S: State, evaluation: int) -> int:
    """An evaluation, the less of it the nearer a draw by the fifty-move rule is."""
    if S.features & FADING:
        evaluation -= evaluation * min(S.halfmoves, 100) >> FADING_BITS
    return evaluation


@compiled(INT64(STATE_T, INT64), inline=True)
def corrected(S: State, evaluation: int) -> int:
    """The mover's evaluation, and what searches have found it to miss."""
    return max(-DECISIVE + 1, min(DECISIVE - 1, faded(S, evaluation) + correction(S)))


@compiled(INT64(STATE_T, TABLE, INT64, INT64, INT64, UINT64, INT64))
def quiesce(S: State, T: Table, alpha: int, beta: int, ply: int, checks: Bits, level: int) -> int:
    """The score for the side to move; outside of (alpha, beta) a bound (fail-soft).

    `checks` is what `attacks.checkers` says; `level`: plies since the search proper ended. Without meaning
    where `S.stopped` is set.
    """
    visit(S)
    if S.stopped:
        return 0
    here = S.plies[ply + BEFORE]
    S.line_ends[ply] = ply
    S.deepest = max(S.deepest, ply)
    free = S.plies[ply + BEFORE - 1].end
    if is_draw(S, checks, free):
        return draw_score(S)
    if ply >= MAX_PLY - 1 or free > MAX_MOVES - MAX_MOVES_OF_NODE:
        return worth(S)
    hash_move, raw = NO_MOVE, UNKNOWN
    pins = pinned(S)
    if S.features & QUIESCENCE_TABLE:
        entry = find(T, S.key)
        if entry != U(0):
            score, bound = from_root(score_of(entry), ply), bound_of(entry)
            if beta - alpha == 1 and settles(bound, score, beta):
                return score
            raw = evaluation_of(entry)
            hash_move = recall_move(S, name_of(entry), checks, pins)
            if checks == U(0) and is_quiet(hash_move):
                hash_move = NO_MOVE
    best, threshold = -INFINITY, alpha
    if checks == U(0):
        if raw == UNKNOWN:
            raw = worth(S)
        best = corrected(S, raw)
        if best >= beta:
            return best
        threshold = best + S.tuned.delta
        alpha = max(alpha, best)
    best_move = NO_MOVE
    begin_list(S, ply, hash_move, checks, pins)
    if checks == U(0):
        here.only_checks = 1
        here.without_quiet = INT64(level > S.tuned.check_plies or S.features & QUIESCENCE_CHECKS == 0)
    while True:
        move = next_move(S, ply)
        if move == NO_MOVE:
            break
        if checks:
            if best > -DECISIVE and S.features & EVASION_PRUNING:
                if here.stage == BAD or is_quiet(move):
                    break
                here.without_quiet = 1
        else:
            if here.stage == BAD:
                break
            becomes = promotion(move)
            if becomes and becomes != QUEEN:
                continue
            if is_quiet(move):
                if not wins_at_least(S, move, 0):
                    continue
            elif S.features & DELTA_PRUNING and becomes == 0:
                reached = threshold + S.exchange_values[captured(move)]
                if reached <= alpha:
                    best = max(best, reached)
                    continue
        here.move = move
        make(S, move)
        expect(T, S.key)
        score = -quiesce(S, T, -beta, -alpha, ply + 1, checkers(S), level + 1)
        unmake(S, move)
        if S.stopped:
            return 0
        if score > best:
            best = score
            if score > alpha:
                best_move = move
                if score >= beta:
                    break
                alpha = score
    if best == -INFINITY:
        return ply - MATE
    if S.features & QUIESCENCE_TABLE:
        bound = AT_LEAST if best >= beta else AT_MOST
        keep(T, S, best_move, from_here(best, ply), raw, 0, bound)
    return best
