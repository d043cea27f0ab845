"""The moves of a node, the likely best ones first, made only when they are asked for.

First the table's move, before any is generated; then captures and promotions that do not lose material; then
quiet moves; last the captures that do. The list of a node is a stretch of `S.moves`:

    begin ... bad_end ... index ... end        bad captures · moves that are gone · moves still to come
"""

from __future__ import annotations

from bot.engine.attacks import PAWN, QUEEN
from bot.engine.exchange import wins_at_least
from bot.engine.features import COUNTER_MOVE, KILLERS
from bot.engine.generate import add_noisy, add_quiet
from bot.engine.history import capture_history, quiet_history
from bot.engine.jit import INT64, UINT64, VOID, Bits, U, compiled
from bot.engine.moves import NO_MOVE, captured, mover, promotion, to_square
from bot.engine.pruning import attacks_king
from bot.engine.state import BEFORE, MAX_MOVES_OF_NODE, STATE_T, State

#: Stages of a list.
FIRST, GENERATE_NOISY, NOISY, GENERATE_QUIET, QUIET, BAD, DONE = range(7)
#: Ranks above every history.
KILLER_RANK, SECOND_KILLER_RANK, COUNTER_RANK = 1 << 20, (1 << 20) - 1, (1 << 20) - 2
#: A capture's rank: its history, and so much more for each centipawn that it takes.
PER_CENTIPAWN = 16
#: A rank in `S.ranks` ends with its place in the list; no list is longer.
PLACE_BITS = MAX_MOVES_OF_NODE.bit_length() - 1
LAST_PLACE = (1 << PLACE_BITS) - 1


@compiled(VOID(STATE_T, INT64, INT64, UINT64, UINT64))
def begin_list(S: State, ply: int, first: int, checks: Bits, pins: Bits) -> None:
    """Begin the list of the node at `ply`. `first` is the legal move to begin with, or NO_MOVE."""
    here = S.plies[ply + BEFORE]
    here.begin = S.plies[ply + BEFORE - 1].end if ply else 0
    here.end = here.begin
    here.stage = FIRST
    here.first = first
    here.without_quiet = 0
    here.only_checks = 0
    here.checks = checks
    here.pins = pins
    here.tried_count = 0


@compiled(INT64(INT64, INT64, INT64), inline=True)
def _rank_at(rank: int, begin: int, index: int) -> int:
    """A rank with the place of its move, so that the highest of a stretch tells where it is: of equals the
    first."""
    return rank << PLACE_BITS | LAST_PLACE - (index - begin)


@compiled(VOID(STATE_T, INT64, INT64), inline=True)
def _rank_noisy(S: State, begin: int, end: int) -> None:
    """The most valuable victim first; a promotion to less than a queen last."""
    for index in range(begin, end):
        move = S.moves[index]
        becomes = promotion(move)
        gain = S.exchange_values[captured(move)]
        if becomes == QUEEN:
            gain += S.exchange_values[QUEEN] - S.exchange_values[PAWN]
        elif becomes:
            gain -= S.exchange_values[QUEEN]
        S.ranks[index] = _rank_at(PER_CENTIPAWN * gain + capture_history(S, move), begin, index)


@compiled(VOID(STATE_T, INT64, INT64, INT64), inline=True)
def _rank_quiet(S: State, begin: int, end: int, ply: int) -> None:
    """By history, after what refuted at this ply lately, and what refuted the move before."""
    here = S.plies[ply + BEFORE]
    before = S.plies[ply + BEFORE - 1].move
    counter = S.counter[S.turn, mover(before), to_square(before)] if S.features & COUNTER_MOVE else NO_MOVE
    killers = S.features & KILLERS
    for index in range(begin, end):
        move = S.moves[index]
        if killers and move == here.killers[0]:
            rank = KILLER_RANK
        elif killers and move == here.killers[1]:
            rank = SECOND_KILLER_RANK
        elif move == counter:
            rank = COUNTER_RANK
        else:
            rank = quiet_history(S, move, ply)
        S.ranks[index] = _rank_at(rank, here.begin, index)


@compiled(INT64(STATE_T, INT64, INT64), inline=True)
def _keep_checks(S: State, begin: int, end: int) -> int:
    """Leave only those quiet moves that attack the king, and return their end."""
    kept = begin
    for index in range(begin, end):
        if attacks_king(S, S.moves[index]):
            S.moves[kept] = S.moves[index]
            kept += 1
    return kept


@compiled(INT64(STATE_T, INT64, INT64, INT64), inline=True)
def _take_best(S: State, begin: int, index: int, end: int) -> int:
    """Bring the move with the highest rank to `index`, and return it."""
    highest = S.ranks[index]
    for other in range(U(index + 1), U(end)):  # unsigned, or it does not become vector instructions
        highest = max(highest, S.ranks[other])
    best = begin + LAST_PLACE - (highest & LAST_PLACE)
    S.ranks[best] = S.ranks[index] & ~LAST_PLACE | highest & LAST_PLACE
    move = S.moves[best]
    S.moves[best] = S.moves[index]
    S.moves[index] = move
    return move


@compiled(INT64(STATE_T, INT64))
def next_move(S: State, ply: int) -> int:
    """The next move of the list at `ply`, or NO_MOVE when there are no more.

    Once `without_quiet` is set, no more quiet moves come; with `only_checks`, only those that give check.
    """
    here = S.plies[ply + BEFORE]
    if here.stage == FIRST:
        here.stage = GENERATE_NOISY
        if here.first != NO_MOVE:
            return here.first
    if here.stage == GENERATE_NOISY:
        here.end = add_noisy(S, here.begin, here.checks, here.pins)
        _rank_noisy(S, here.begin, here.end)
        here.index = here.begin
        here.bad_end = here.begin
        here.stage = NOISY
    if here.stage == NOISY:
        while here.index < here.end:
            move = _take_best(S, here.begin, here.index, here.end)
            here.index += 1
            if move == here.first:
                continue
            if wins_at_least(S, move, 0):
                return move
            S.moves[here.bad_end] = move
            here.bad_end += 1
        here.stage = GENERATE_QUIET
    if here.stage == GENERATE_QUIET:
        if here.without_quiet == 0:
            here.end = add_quiet(S, here.index, here.checks, here.pins)
            if here.only_checks:
                here.end = _keep_checks(S, here.index, here.end)
            _rank_quiet(S, here.index, here.end, ply)
        here.stage = QUIET
    if here.stage == QUIET:
        while here.index < here.end and here.without_quiet == 0:
            move = _take_best(S, here.begin, here.index, here.end)
            here.index += 1
            if move != here.first:
                return move
        here.index = here.begin
        here.stage = BAD
    if here.stage == BAD and here.index < here.bad_end:
        here.index += 1
        return S.moves[here.index - 1]
    here.stage = DONE
    return NO_MOVE
