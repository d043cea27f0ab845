"""From the clocks of a `go` to a limit for its one move. Pure."""

from __future__ import annotations

from dataclasses import dataclass

import chess

from bot.strategies.contract import Clocks
from bot.timing.budget import limits
from bot.uci.commands import Go

#: Before a time control a move may take this many times its share, within this part of what is left.
HARD_TIMES, HARD_MOST = 4, 0.8


@dataclass(frozen=True, slots=True)
class MoveTime:
    """Milliseconds for one move: what to aim at (None: all there is), and what never to exceed."""

    soft_ms: int | None
    hard_ms: int


def move_time(go: Go, board: chess.Board, *, overhead_ms: int) -> MoveTime | None:
    """How long to think on `board`; None where the `go` does not say."""
    if go.move_time_ms is not None:
        return MoveTime(None, max(1, go.move_time_ms - overhead_ms))
    white = board.turn == chess.WHITE
    left_ms = go.white_ms if white else go.black_ms
    if left_ms is None:
        return None
    if go.moves_to_go is not None:
        increment_ms = go.white_increment_ms if white else go.black_increment_ms
        return _before_control(max(1, left_ms), increment_ms, go.moves_to_go, overhead_ms)
    limit = limits(
        Clocks(go.white_ms, go.black_ms, go.white_increment_ms, go.black_increment_ms),
        "white" if white else "black",
        overhead_ms=overhead_ms,
        moves_played=board.fullmove_number - 1,
        speed="blitz",
    )
    return MoveTime(limit.soft_ms, limit.hard_ms)


def _before_control(left_ms: int, increment_ms: int, moves: int, overhead_ms: int) -> MoveTime:
    """An equal share for each of the moves to go, this one and one to spare included."""
    usable_ms = max(1, left_ms - overhead_ms * min(moves, 20))
    longest_ms = max(1, int(HARD_MOST * usable_ms))
    soft_ms = min(longest_ms, max(1, usable_ms // (moves + 1) + increment_ms * 3 // 4))
    return MoveTime(soft_ms, min(longest_ms, HARD_TIMES * soft_ms))
