"""Sets of squares, against squares one by one."""

from __future__ import annotations

import chess
from hypothesis import given
from hypothesis import strategies as st

from bot.evaluation import bits

SETS = st.frozensets(st.integers(0, 63))


def mask(squares: frozenset[int] | set[int]) -> int:
    return int(chess.SquareSet(squares))


@given(squares=SETS)
def test_squares_come_in_ascending_order(squares: frozenset[int]) -> None:
    assert list(bits.squares(mask(squares))) == sorted(squares)


@given(squares=SETS)
def test_a_step_forward_back_and_sideways(squares: frozenset[int]) -> None:
    up = {square + 8 for square in squares if square < 56}
    down = {square - 8 for square in squares if square >= 8}
    assert bits.forward(mask(squares), chess.WHITE) == bits.backward(mask(squares), chess.BLACK) == mask(up)
    assert bits.forward(mask(squares), chess.BLACK) == bits.backward(mask(squares), chess.WHITE) == mask(down)
    beside = {square + 1 for square in squares if square % 8 < 7} | {
        square - 1 for square in squares if square % 8 > 0
    }
    assert bits.beside(mask(squares)) == mask(beside)


@given(squares=SETS)
def test_whole_files_and_what_lies_ahead(squares: frozenset[int]) -> None:
    on = {square % 8 for square in squares}
    assert bits.files(mask(squares)) == sum(1 << file for file in on)
    assert bits.whole_files(mask(squares)) == mask({s for s in range(64) if s % 8 in on})
    ahead = {a for square in squares for a in range(square, 64, 8)}
    behind = {a for square in squares for a in range(square, -1, -8)}
    assert bits.forward_fill(mask(squares), chess.WHITE) == mask(ahead)
    assert bits.forward_fill(mask(squares), chess.BLACK) == mask(behind)


@given(square=st.integers(0, 63), color=st.booleans())
def test_a_pawn_attacks_as_python_chess_says(square: int, color: bool) -> None:
    assert bits.pawn_attacks(1 << square, color) == chess.BB_PAWN_ATTACKS[color][square]


def test_ranks_are_counted_from_their_owner() -> None:
    assert bits.RANK[chess.WHITE][1] == bits.RANK[chess.BLACK][6] == chess.BB_RANK_2
