"""The compiled sets of squares are those of `bot.evaluation.bits`."""

from __future__ import annotations

import chess
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.engine import bits
from bot.evaluation import bits as reference

SETS = st.integers(0, chess.BB_ALL)
COLOURS = st.sampled_from((0, 1))


@pytest.mark.parametrize("name", ["forward", "backward", "forward_fill"])
@given(squares=SETS, colour=COLOURS)
def test_what_depends_on_the_colour(name: str, squares: int, colour: int) -> None:
    wanted = getattr(reference, name)(squares, bool(colour))
    assert int(getattr(bits, name)(squares, colour)) == wanted


@pytest.mark.parametrize("name", ["beside", "files", "whole_files"])
@given(squares=SETS)
def test_what_does_not(name: str, squares: int) -> None:
    assert int(getattr(bits, name)(squares)) == getattr(reference, name)(squares)


@given(st.integers(0, 7), COLOURS)
def test_ranks_are_counted_from_their_owner(number: int, colour: int) -> None:
    assert int(bits.rank(number, colour)) == reference.RANK[colour][number]


def test_squares_have_colours() -> None:
    assert (int(bits.LIGHT), int(bits.DARK)) == (chess.BB_LIGHT_SQUARES, chess.BB_DARK_SQUARES)
