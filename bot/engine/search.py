"""One search of one depth: negamax with an alpha-beta window, principal variation search.

`-search(-beta, -alpha)` of every move in turn; the best is the score, and a move that is too good for the
other side to allow (>= beta) ends the node. After the first move the others only have to be proven worse,
with a window of nothing, and late ones with less depth first. A node of the principal variation (a window
that is not nothing) is searched in full; in others most of the work is to find reasons not to search
(`pruning`).
"""

from __future__ import annotations

from bot.engine.attacks import checkers, pinned
from bot.engine.draws import draw_score, is_draw
from bot.engine.features import CHECK_EXTENSION, DEEPER, INTERNAL_REDUCTION, PROBCUT
from bot.engine.history import refuted
from bot.engine.jit import INT64, TABLE, UINT64, Bits, U, compiled
from bot.engine.leaf import worth
from bot.engine.make import make, make_null, unmake, unmake_null
from bot.engine.meter import begin_counting, visit
from bot.engine.moves import NO_MOVE
from bot.engine.node import assess, conclude, consult, extend_line, is_left_out, table_settles
from bot.engine.ordering import begin_list, next_move
from bot.engine.pruning import (
    history_of,
    is_far_above,
    is_far_below,
    is_hopeless,
    passing_reduction,
    reduction,
    singular_target,
)
from bot.engine.quiescence import quiesce
from bot.engine.scores import DECISIVE, INFINITY, MATE, UNKNOWN, from_here
from bot.engine.state import BEFORE, MAX_MOVES, MAX_MOVES_OF_NODE, MAX_PLY, MAX_TRIED, STATE_T, State
from bot.engine.table import AT_LEAST, AT_MOST, EXACT, Table, expect, keep


@compiled(INT64(STATE_T, TABLE, INT64, INT64, INT64, INT64, UINT64, INT64))
def search(
    S: State, T: Table, depth: int, alpha: int, beta: int, ply: int, checks: Bits, cut_node: int
) -> int:
    """The score of the position for the side to move, `depth` plies deep; outside of (alpha, beta) a bound.

    `ply`: plies after the root, which is 0. `checks`: what `attacks.checkers` says. `cut_node`: 1 where the
    score is expected to be beta or more, else 0. In a node of the principal variation the best line is left
    in `S.lines[ply]`. Without meaning where `S.stopped` is set.
    """
    if depth <= 0:
        return quiesce(S, T, alpha, beta, ply, checks, INT64(0))
    visit(S)
    if S.stopped:
        return 0
    is_pv = INT64(beta - alpha > 1)
    here, parent = S.plies[ply + BEFORE], S.plies[ply + BEFORE - 1]
    S.line_ends[ply] = ply
    S.deepest = max(S.deepest, ply)
    if ply > 0:
        if is_draw(S, checks, parent.end):
            return draw_score(S)
        if ply >= MAX_PLY - 1 or parent.end > MAX_MOVES - MAX_MOVES_OF_NODE:
            return worth(S)
        alpha, beta = max(alpha, ply - MATE), min(beta, MATE - ply - 1)
        if alpha >= beta:  # a shorter mate is found already
            return alpha

    pins = pinned(S)
    consult(S, T, ply, checks, pins)
    excluded = here.excluded
    if is_pv == 0 and excluded == NO_MOVE and table_settles(S, ply, depth, beta):
        return here.hash_score
    assess(S, ply, checks)
    hash_move = here.hash_move

    # Without a search of its moves.
    if is_pv == 0 and checks == U(0) and excluded == NO_MOVE:
        if is_far_below(S, ply, depth, alpha):
            score = quiesce(S, T, alpha, beta, ply, checks, INT64(0))
            if score <= alpha or S.stopped:
                return score
        if is_far_above(S, ply, depth, beta):
            return here.estimate
        less = passing_reduction(S, ply, depth, beta)
        if less:
            here.move = NO_MOVE
            begin_list(S, ply, NO_MOVE, checks, pins)
            make_null(S)
            expect(T, S.key)
            score = -search(S, T, depth - less, -beta, -beta + 1, ply + 1, U(0), 1 - cut_node)
            unmake_null(S)
            if S.stopped:
                return 0
            if score >= beta:
                return beta if score >= DECISIVE else score
        raised = beta + S.tuned.probcut - S.tuned.probcut_improving * here.improving
        if (
            S.features & PROBCUT
            and depth >= 5
            and abs(beta) < DECISIVE
            and (here.hash_bound == 0 or here.hash_depth < depth - 3 or here.hash_score >= raised)
        ):
            begin_list(S, ply, NO_MOVE, checks, pins)
            here.without_quiet = 1
            while True:
                move = next_move(S, ply)
                if move == NO_MOVE:
                    break
                here.move = move
                make(S, move)
                expect(T, S.key)
                given = checkers(S)
                score = -quiesce(S, T, -raised, -raised + 1, ply + 1, given, INT64(MAX_PLY))
                if score >= raised:
                    score = -search(S, T, depth - 4, -raised, -raised + 1, ply + 1, given, 1 - cut_node)
                unmake(S, move)
                if S.stopped:
                    return 0
                if score >= raised:
                    keep(T, S, move, from_here(score, ply), here.raw, depth - 3, AT_LEAST)
                    return score
    if S.features & INTERNAL_REDUCTION and depth >= 4 and hash_move == NO_MOVE and excluded == NO_MOVE:
        depth -= 1

    # Is the table's move the only good one? Then it is worth more depth.
    hash_extension = INT64(0)
    target = singular_target(S, ply, depth)
    if target:
        hash_score = here.hash_score
        here.excluded = hash_move
        score = search(S, T, (depth - 1) >> 1, target - 1, target, ply, checks, cut_node)
        here.excluded = NO_MOVE
        if S.stopped:
            return 0
        if score < target:
            hash_extension = INT64(2 if is_pv == 0 and score < target - S.tuned.singular_double else 1)
        elif target >= beta:
            return target
        elif hash_score >= beta:
            hash_extension = INT64(-1)

    # Its moves.
    following = S.plies[ply + BEFORE + 2]
    following.killers[0] = NO_MOVE
    following.killers[1] = NO_MOVE
    begin_list(S, ply, hash_move, checks, pins)
    best, best_move, first_alpha = -INFINITY, NO_MOVE, alpha
    number = INT64(0)
    while True:
        move = next_move(S, ply)
        if move == NO_MOVE:
            break
        if move == excluded or (ply == 0 and is_left_out(S, move)):
            continue
        number += 1
        if ply > 0 and best > -DECISIVE and is_hopeless(S, move, number, ply, depth, alpha, is_pv):
            continue
        less = reduction(S, move, number, ply, depth, history_of(S, move, ply), is_pv, cut_node)
        here.move = move
        make(S, move)
        expect(T, S.key)
        given = checkers(S)
        new_depth = depth - 1
        if move == hash_move:
            new_depth += hash_extension
        if given:
            less -= 1
            if S.features & CHECK_EXTENSION and new_depth < depth:
                new_depth += 1
        score = alpha + 1
        if less > 0:
            reduced = max(new_depth - less, 1)
            score = -search(S, T, reduced, -alpha - 1, -alpha, ply + 1, given, INT64(1))
            less = new_depth - reduced
            if S.features & DEEPER and less > 0 and score > best + S.tuned.deeper:
                new_depth += 1
        if (less > 0 and score > alpha) or (less <= 0 and (is_pv == 0 or number > 1)):
            score = -search(S, T, new_depth, -alpha - 1, -alpha, ply + 1, given, 1 - cut_node)
        if is_pv and (number == 1 or score > alpha):
            score = -search(S, T, new_depth, -beta, -alpha, ply + 1, given, INT64(0))
        unmake(S, move)
        if S.stopped:
            return 0
        if here.tried_count < MAX_TRIED:
            S.tried[ply, here.tried_count] = move
            here.tried_count += 1
        if score > best:
            best = score
            if score > alpha:
                best_move = move
                if is_pv:
                    extend_line(S, ply, move)
                if score >= beta:
                    break
                alpha = score

    if number == 0:
        if excluded != NO_MOVE:
            return alpha
        return ply - MATE if checks else draw_score(S)
    if best >= beta:
        refuted(S, best_move, ply, depth)
    if excluded == NO_MOVE:
        bound = AT_LEAST if best >= beta else EXACT if best > first_alpha else AT_MOST
        conclude(S, T, ply, depth, best, best_move, bound)
    return best


@compiled(INT64(STATE_T, TABLE, INT64, INT64, INT64))
def search_root(S: State, T: Table, depth: int, alpha: int, beta: int) -> int:
    """Search the position in the record, `depth` plies deep (at least 1); see `search`.

    The best line is in `S.lines[0]`. Where the search is stopped, and that line is not empty, its first move
    was found to be better than those before it.
    """
    for index in range(len(S.plies)):
        S.plies[index].excluded = NO_MOVE
    for index in range(BEFORE):
        S.plies[index].move = NO_MOVE
        S.plies[index].static = UNKNOWN
        S.plies[index].end = 0
    S.root_height = S.height
    S.root_depth = depth
    S.line_ends[0] = 0  # a search that is stopped at once must not leave the line of the one before
    begin_counting(S, depth)
    return search(S, T, depth, alpha, beta, INT64(0), checkers(S), INT64(0))
