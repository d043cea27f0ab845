"""Clocks become a limit that the clock survives."""

from __future__ import annotations

import chess
from hypothesis import given
from hypothesis import strategies as st

from bot.uci.commands import Go
from bot.uci.pacing import MoveTime, move_time

BOARDS = st.sampled_from([chess.Board(), chess.Board("4k3/8/8/8/8/8/4P3/4K3 b - - 0 60")])


def test_without_a_clock_there_is_no_limit() -> None:
    assert move_time(Go(depth=3), chess.Board(), overhead_ms=30) is None
    assert move_time(Go(black_ms=1000), chess.Board(), overhead_ms=30) is None


def test_a_time_for_the_move_is_that_time_less_the_overhead() -> None:
    go = Go(white_ms=10, move_time_ms=500)
    assert move_time(go, chess.Board(), overhead_ms=30) == MoveTime(None, 470)
    assert move_time(Go(move_time_ms=10), chess.Board(), overhead_ms=30) == MoveTime(None, 1)


def test_moves_to_a_time_control_share_what_is_left() -> None:
    go = Go(white_ms=60_000, white_increment_ms=1000, moves_to_go=9)
    assert move_time(go, chess.Board(), overhead_ms=0) == MoveTime(6750, 27_000)


@given(
    st.integers(-1000, 600_000),
    st.integers(0, 5000),
    st.none() | st.integers(1, 60),
    st.integers(0, 500),
    BOARDS,
)
def test_a_move_never_takes_more_than_the_clock_has(
    left_ms: int, increment_ms: int, moves: int | None, overhead_ms: int, board: chess.Board
) -> None:
    go = Go(left_ms, left_ms, increment_ms, increment_ms, moves)
    limit = move_time(go, board, overhead_ms=overhead_ms)
    assert limit is not None
    assert limit.soft_ms is not None
    assert 1 <= limit.soft_ms <= limit.hard_ms
    if left_ms > 2 * overhead_ms + 2:
        assert limit.hard_ms < left_ms
