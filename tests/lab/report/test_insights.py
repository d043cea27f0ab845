from __future__ import annotations

from dataclasses import replace

import pytest

from bot.lab.report import insights
from tests.lab import run_kit


def test_a_course_has_the_score_after_each_pair() -> None:
    course = insights.course("A – B", (2, 0, 1.5), 3, complete=True)

    assert course.at == (1, 2, 3)
    assert course.score == pytest.approx((1.0, 0.5, 3.5 / 6))
    assert all(
        low <= score <= high for low, score, high in zip(course.low, course.score, course.high, strict=True)
    )


def test_a_long_course_is_thinned_and_keeps_its_end() -> None:
    course = insights.course("A – B", (1, 2) * 1000, 3000, complete=False)

    assert len(course.at) <= insights.MOST_POINTS + 1
    assert course.at[-1] == 2000
    assert course.score[-1] == 0.75


def test_endings_are_counted_for_all_and_for_each_player() -> None:
    header = run_kit.header("A", "B", "C", mode="round-robin", pairs=1)
    ab, ac, bc = run_kit.played(header, (2, 2, 2))
    kinds, bars = insights.endings(header.players, (ab, ac, bc))

    assert kinds == ("checkmate",)
    assert [(bar.label, dict(bar.parts)) for bar in bars] == [
        ("all games", {"checkmate": 6}),
        ("A", {"checkmate": 4}),
        ("B", {"checkmate": 4}),
        ("C", {"checkmate": 4}),
    ]


def test_rare_endings_are_put_together() -> None:
    header = run_kit.header("A", "B", pairs=12)
    records = [
        replace(
            record,
            games=(
                replace(record.games[0], ending=f"way {number}"),
                replace(record.games[1], ending=f"way {number}"),
            ),
        )
        for number, record in enumerate(run_kit.played(header, (2,) * 12))
    ]
    kinds, (bar,) = insights.endings(header.players, records)

    assert len(kinds) == insights.MOST_ENDINGS
    assert dict(bar.parts)[insights.OTHER] == 24 - 2 * (insights.MOST_ENDINGS - 1)


def test_the_edge_has_those_whom_nobody_beats_in_both() -> None:
    points = {"cheap": (1.0, 0.0), "middle": (5.0, 100.0), "dear": (50.0, 100.0), "weak": (2.0, -10.0)}

    assert insights.pareto(points) == {"cheap", "middle"}
    assert insights.pareto({"one": (1.0, 1.0), "same": (1.0, 1.0)}) == {"one", "same"}
