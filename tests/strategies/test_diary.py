"""A strategy's thoughts, made plain."""

from __future__ import annotations

import pytest

from bot.strategies.contract import Thought
from bot.strategies.diary import LONGEST_LINE, plain_thought


class Loud(Thought):
    """A thought of the strategy's own kind, which another process could not read."""


class Whole:
    """A number of somebody else's kind, as numpy has them."""

    def __index__(self) -> int:
        return 7


def test_a_thought_becomes_a_plain_one() -> None:
    told = Loud(Whole(), 3, 4, score_cp=Whole(), pv=["e2e4", "e7e5"])  # type: ignore[arg-type]
    plain = plain_thought(told)
    assert plain == Thought(7, 3, 4, score_cp=7, pv=("e2e4", "e7e5"))
    assert type(plain) is Thought


def test_a_long_line_is_cut() -> None:
    plain = plain_thought(Thought(1, 1, 1, pv=("e2e4" * 9,) * 999))
    assert plain is not None
    assert len(plain.pv) == LONGEST_LINE
    assert plain.pv[0] == "e2e4e2e4"


@pytest.mark.parametrize(
    "told",
    [
        Thought("3", 1, 1),  # type: ignore[arg-type]  # what a student may try
        Thought(3, 1, 1, score_cp=0.3),  # type: ignore[arg-type]
        Thought(3, 1, 1, mate_in="2"),  # type: ignore[arg-type]
        Thought(3, 1, 1, pv=None),  # type: ignore[arg-type]
        Thought(3, 1, 1, pv=(1, 2)),  # type: ignore[arg-type]
        "depth 3",
        None,
    ],
)
def test_what_is_none_is_left_out(told: object) -> None:
    assert plain_thought(told) is None
