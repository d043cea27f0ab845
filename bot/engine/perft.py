"""Perft: the number of lines of legal moves of a given length, which everybody's move generator agrees on."""

from __future__ import annotations

from bot.engine.attacks import checkers, pinned
from bot.engine.generate import add_noisy, add_quiet
from bot.engine.intrinsics import load_shared
from bot.engine.jit import INT64, compiled
from bot.engine.make import make, unmake
from bot.engine.meter import STOP
from bot.engine.state import STATE_T, State


@compiled(INT64(STATE_T, INT64, INT64))
def perft(S: State, depth: int, begin: int) -> int:
    """The number of lines of `depth` plies (at least 1); the last ply is counted without being played.

    `begin`: from where on `S.moves` may be used. Once another thread has set `S.control[STOP]` the count
    means nothing, and ends soon.
    """
    checks, pins = checkers(S), pinned(S)
    end = add_quiet(S, add_noisy(S, begin, checks, pins), checks, pins)
    if depth == 1:
        return end - begin
    lines = 0
    for index in range(begin, end):
        move = S.moves[index]
        make(S, move)
        lines += perft(S, depth - 1, end)
        unmake(S, move)
        if load_shared(S.control, STOP) != 0:
            break
    return lines
