"""Pawn structure, and the way of passed pawns; all pawns of a side at once."""

from __future__ import annotations

from bot.engine.attacks import PAWN
from bot.engine.bits import backward, beside, files, forward, forward_fill, whole_files
from bot.engine.intrinsics import lsb, popcount
from bot.engine.jit import INT64, U, compiled
from bot.engine.state import STATE_T, State


@compiled(INT64(STATE_T, INT64), inline=True)
def pawns(S: State, colour: int) -> int:
    """Isolated, doubled, backward and passed pawns, chains and islands: see `bot.evaluation.pawns`."""
    men = S.men[colour, PAWN]
    if not men:
        return 0
    enemy = 1 - colour
    on_files = files(men)
    isolated = on_files & ~(on_files << U(1) | on_files >> U(1))
    doubled = files(men & forward_fill(backward(men, colour), enemy))
    stops = forward(men, colour) & S.facts.pawn_attacks[enemy] & ~S.facts.pawn_spans[colour]
    left_behind = backward(stops, colour) & beside(whole_files(men))
    islands = popcount(on_files & ~(on_files << U(1)))
    total = (
        popcount(isolated) * S.w.isolated_file
        + popcount(doubled) * S.w.doubled_file
        + popcount(left_behind) * S.w.backward_pawn
        + popcount(men & S.facts.pawn_attacks[colour]) * S.w.chain_link
        + (islands - 1) * S.w.island
    )
    passed = S.facts.passed[colour]
    if passed:
        on_files = files(passed)
        total += popcount(on_files & on_files << U(1)) * S.w.connected_passed_pawns
        while passed:
            total += S.w.passed[colour, lsb(passed)]
            passed &= passed - U(1)
    return total
