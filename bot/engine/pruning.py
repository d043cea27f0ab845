"""Reasons not to search, and how much less. Nothing here searches; margins are in centipawns.

`depth` is in plies, still to go. What else a decision needs is in `S.plies[ply + BEFORE]`.
"""

from __future__ import annotations

from bot.engine.attacks import BISHOP, KING, KNIGHT, PAWN, QUEEN, ROOK, attacks_of, bit
from bot.engine.exchange import wins_at_least
from bot.engine.features import (
    EXCHANGE_PRUNING,
    FUTILITY,
    HISTORY_PRUNING,
    LATE_MOVE_PRUNING,
    NULL_MOVE,
    RAZORING,
    REDUCTIONS,
    REVERSE_FUTILITY,
    SINGULAR,
)
from bot.engine.history import capture_history, quiet_history
from bot.engine.intrinsics import lsb
from bot.engine.jit import BOOLEAN, INT64, U, compiled
from bot.engine.moves import NO_MOVE, is_quiet, mover, to_square
from bot.engine.scores import DECISIVE
from bot.engine.state import BEFORE, STATE_T, State
from bot.engine.table import AT_LEAST
from bot.engine.tunables import REDUCTION_SIZE

#: Reductions are reckoned in 1024ths of a ply.
PLY_BITS = 10


@compiled(BOOLEAN(STATE_T, INT64, INT64, INT64))
def is_far_above(S: State, ply: int, depth: int, beta: int) -> bool:
    """Reverse futility: near the leaves, the position is so good that no quiet move brings it below beta."""
    if S.features & REVERSE_FUTILITY == 0 or depth > 8 or abs(beta) >= DECISIVE:
        return False
    here = S.plies[ply + BEFORE]
    return here.estimate - S.tuned.reverse_futility * (depth - here.improving) >= beta


@compiled(BOOLEAN(STATE_T, INT64, INT64, INT64))
def is_far_below(S: State, ply: int, depth: int, alpha: int) -> bool:
    """Razoring: near the leaves, the position is so bad that only captures can help it."""
    return (
        S.features & RAZORING != 0
        and depth <= 3
        and S.plies[ply + BEFORE].estimate + S.tuned.razoring_base + S.tuned.razoring_slope * depth < alpha
    )


@compiled(INT64(STATE_T, INT64, INT64, INT64))
def passing_reduction(S: State, ply: int, depth: int, beta: int) -> int:
    """By how many plies less to search what happens if the mover passes; 0: it must not.

    Who stands above beta even so need not move. With only king and pawns, passing may be the best move of all
    (zugzwang), and tells nothing. Nobody passes twice in turn.
    """
    if S.features & NULL_MOVE == 0 or depth < 3 or beta <= -DECISIVE:
        return 0
    here, us = S.plies[ply + BEFORE], S.turn
    if here.estimate < beta or here.static < beta + S.tuned.null_static - S.tuned.null_slope * depth:
        return 0
    pieces = S.men[us, KNIGHT] | S.men[us, BISHOP] | S.men[us, ROOK] | S.men[us, QUEEN]
    if pieces == U(0) or S.plies[ply + BEFORE - 1].move == NO_MOVE:
        return 0
    return 3 + depth // 3 + min((here.estimate - beta) // S.tuned.null_gain, 3)


@compiled(INT64(STATE_T, INT64, INT64), inline=True)
def singular_target(S: State, ply: int, depth: int) -> int:
    """The table's move may be the only good one, if no other reaches this score in a search of half the
    depth; 0 where the table does not know enough to ask."""
    here = S.plies[ply + BEFORE]
    if (
        S.features & SINGULAR == 0
        or ply == 0
        or depth < 7
        or here.hash_move == NO_MOVE
        or here.hash_bound & AT_LEAST == 0
        or here.hash_depth < depth - 3
        or abs(here.hash_score) >= DECISIVE
        or ply >= 2 * S.root_depth
    ):
        return 0
    return here.hash_score - (S.tuned.singular * depth >> 4)


@compiled(BOOLEAN(STATE_T, INT64), inline=True)
def attacks_king(S: State, move: int) -> bool:
    """Whether the man that makes this quiet move will attack the enemy's king from where it goes."""
    us, man = S.turn, mover(move)
    king = lsb(S.men[us ^ 1, KING])
    if man == PAWN:
        return bool(S.attacks.pawn[us ^ 1, king] & bit(to_square(move)))
    return man != KING and bool(attacks_of(S, man, king, S.occupied) & bit(to_square(move)))


@compiled(INT64(STATE_T, INT64, INT64), inline=True)
def history_of(S: State, move: int, ply: int) -> int:
    """How well the move has done elsewhere."""
    return quiet_history(S, move, ply) if is_quiet(move) else capture_history(S, move)


@compiled(INT64(STATE_T, INT64, INT64), inline=True)
def usual_reduction(S: State, depth: int, number: int) -> int:
    """By how many 1024ths of a ply less the move of this number, from 1, is searched."""
    return S.reductions[min(depth, REDUCTION_SIZE - 1), min(number, REDUCTION_SIZE - 1)]


@compiled(BOOLEAN(STATE_T, INT64, INT64, INT64, INT64, INT64, INT64))
def is_hopeless(S: State, move: int, number: int, ply: int, depth: int, alpha: int, is_pv: int) -> bool:
    """Whether the move of this number, near the leaves, is not worth a search.

    May set `without_quiet`, when no quiet move after this one would be.
    """
    here, features = S.plies[ply + BEFORE], S.features
    if not is_quiet(move):
        least = -S.tuned.exchange_noisy * depth
        return features & EXCHANGE_PRUNING != 0 and depth <= 7 and not wins_at_least(S, move, least)
    if (
        features & LATE_MOVE_PRUNING
        and is_pv == 0
        and depth <= 8
        and number >= (S.tuned.late_moves + depth * depth) >> (1 - here.improving)
    ):
        here.without_quiet = 1
        return True
    if attacks_king(S, move):
        return False
    left = max(depth - (usual_reduction(S, depth, number) >> PLY_BITS), 0)
    history = quiet_history(S, move, ply)
    gain = (
        S.tuned.futility_base
        + S.tuned.futility_slope * left
        + (S.tuned.futility_history * history >> PLY_BITS)
    )
    if features & FUTILITY and here.checks == U(0) and left <= 6 and here.static + gain <= alpha:
        here.without_quiet = 1
        return True
    if features & HISTORY_PRUNING and left <= 4 and history < -S.tuned.history_pruning * depth:
        return True
    least = -S.tuned.exchange_quiet * left * left
    return features & EXCHANGE_PRUNING != 0 and left <= 7 and not wins_at_least(S, move, least)


@compiled(INT64(STATE_T, INT64, INT64, INT64, INT64, INT64, INT64, INT64))
def reduction(
    S: State, move: int, number: int, ply: int, depth: int, history: int, is_pv: int, cut_node: int
) -> int:
    """By how many plies less to search the move of this number at first; 0 or less: not at all.

    `history` is what `history_of` said of it. Late moves of a node that will be refuted anyway are searched
    less, and those that did well elsewhere, or whose side is getting better, more.
    """
    if S.features & REDUCTIONS == 0 or depth < 3 or number <= 1 + is_pv:
        return 0
    here = S.plies[ply + BEFORE]
    less = usual_reduction(S, depth, number)
    if not is_quiet(move):
        less >>= 1
    else:
        if move in (here.killers[0], here.killers[1]):
            less -= S.tuned.reduction_killer
        less += S.tuned.reduction_worse * (1 - here.improving) - S.tuned.reduction_line * is_pv
    less += S.tuned.reduction_cut * cut_node - (S.tuned.reduction_history * history >> PLY_BITS)
    return less >> PLY_BITS
