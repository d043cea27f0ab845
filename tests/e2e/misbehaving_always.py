"""The strategies of `tests.strategies.misbehaving`, for games whose ids are the server's.

Each misbehaves at its second move; the others are `own_strategies.shuffles`.
"""

from __future__ import annotations

import time
from dataclasses import replace

from bot.strategies.contract import Strategy, Turn
from tests.e2e.own_strategies import shuffles
from tests.strategies import misbehaving

FAULTY_MOVE = 1  # of our own, counted from 0


def at_second_move(fault: Strategy) -> Strategy:
    def strategy(turn: Turn) -> None:
        if len(turn.moves) // 2 == FAULTY_MOVE:
            fault(replace(turn, game_id=misbehaving.MISBEHAVE))
        else:
            shuffles(turn)

    return strategy


def thinks_slowly(turn: Turn) -> None:
    time.sleep(0.5)
    shuffles(turn)


def plays_after_noise(turn: Turn) -> None:
    """Garbage on both outputs, and then the move."""
    misbehaving.noisy(replace(turn, play_move=lambda _: None))
    shuffles(turn)


grows = at_second_move(misbehaving.grows)
two_moves = at_second_move(misbehaving.two_moves)
illegal_move = at_second_move(misbehaving.illegal_move)
no_move = at_second_move(misbehaving.no_move)
dies_by_sigkill = at_second_move(misbehaving.dies_by_sigkill)
dies_by_segfault = at_second_move(misbehaving.dies_by_segfault)
dies_and_leaves_an_engine = at_second_move(misbehaving.dies_and_leaves_an_engine)
makes_noise = at_second_move(plays_after_noise)
is_slow = at_second_move(thinks_slowly)
