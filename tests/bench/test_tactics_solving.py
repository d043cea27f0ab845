"""Solved or not, and since when: told from thoughts alone."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from bot.bench.tactics_solving import Attempt, Score, solved_after_ms
from bot.bench.tactics_suites import Problem, Suite
from bot.strategies.contract import Thought

BEST = ("d6d1", "g7g6")
PROBLEM = Problem("BK.01", "1k1r4/pp1b1R2/3q2pp/4p3/2B5/4Q3/PPP2B2/2K5 b - - 0 1", ("d6d1",))


def thoughts(*told: tuple[int, str]) -> tuple[Thought, ...]:
    """Of so many milliseconds, and a move; "" stands for no line."""
    return tuple(
        Thought(depth, nodes=0, time_ms=time_ms, pv=(move, "c1d1") if move else ())
        for depth, (time_ms, move) in enumerate(told, start=1)
    )


@pytest.mark.parametrize(
    ("told", "move", "after_ms"),
    [
        ([(0, "d6d1"), (250, "d6d1"), (990, "d6d1")], "d6d1", 0),
        ([(0, "d6d4"), (250, "d6d1"), (990, "d6d1")], "d6d1", 250),
        ([(0, "d6d1"), (250, "d6d4"), (500, "d6d1"), (990, "d6d1")], "d6d1", 500),  # it had lost it again
        ([(0, "d6d4"), (250, "g7g6"), (500, "d6d1")], "d6d1", 250),  # from one solution to another
        ([(0, "d6d1"), (250, "d6d4")], "d6d1", 1_000),  # only the move itself tells
        ([(0, "d6d1"), (250, "")], "d6d1", 1_000),
        ([(0, "d6d1"), (250, "d6d1")], "d6d4", None),  # thought of it, and played another
        ([(0, ""), (250, "")], "d6d1", None),  # never a line
        ([], "d6d1", None),
    ],
)
def test_since_when(told: Sequence[tuple[int, str]], move: str, after_ms: int | None) -> None:
    assert solved_after_ms(thoughts(*told), move, 1_000, BEST) == after_ms


@pytest.mark.parametrize(
    ("move", "failure", "solved", "after_ms"),
    [("d6d1", None, True, 40), ("d6d4", None, False, None), (None, "no move after 1 s", False, None)],
)
def test_an_attempt(move: str | None, failure: str | None, solved: bool, after_ms: int | None) -> None:
    attempt = Attempt(PROBLEM, move, 100, thoughts((40, "d6d1")), failure)
    assert (attempt.solved, attempt.solved_after_ms) == (solved, after_ms)


def test_the_score_of_a_suite() -> None:
    attempts = (
        Attempt(PROBLEM, "d6d1", 100, thoughts((10, "d6d1"))),
        Attempt(PROBLEM, "d6d1", 100, thoughts((10, "d6d4"), (60, "d6d1"))),
        Attempt(PROBLEM, "d6d1", 100),  # tells nothing
        Attempt(PROBLEM, "d6d4", 100, thoughts((10, "d6d1"))),
        Attempt(PROBLEM, None, 100, failure="it crashed"),
    )
    score = Score(Suite("bk", (PROBLEM,)), attempts)
    assert (score.solved, score.of, score.median_ms) == (3, 5, 35)
    assert score.unsolved == attempts[3:]


def test_nothing_solved_has_no_median() -> None:
    assert Score(Suite("bk", (PROBLEM,)), (Attempt(PROBLEM, "d6d4", 100),)).median_ms is None
