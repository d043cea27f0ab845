from __future__ import annotations

import json

import pytest

from bot.errors import UserError
from bot.lab.lineup import LineupRow, Strength, added, as_lines, read_lineup, rows_of
from bot.lab.lineup_command import shipped
from tests.lab import run_kit

HEADER = run_kit.header("random", "greedy", pairs=8)
STRENGTHS = (
    Strength("greedy", 123.456, 80.0, 170.0, 16, 1.23456),
    Strength("random", 0.0, 0.0, 0.0, 16, None),
)


def rows(seed: int = 1) -> tuple[LineupRow, ...]:
    return rows_of(run_kit.header("random", "greedy", pairs=8, seed=seed), "random", STRENGTHS)


def test_rows_are_read_as_they_were_written() -> None:
    first = added((), rows())
    both = (*first, *added(first, rows(seed=2)))

    assert read_lineup(as_lines(both), "x") == both
    assert (both[0].variant, both[0].rating, both[0].cost_ms) == ("greedy", 123.5, 1.235)
    assert "8 pairs a pairing, seed 2" in both[2].conditions


@pytest.mark.parametrize(
    ("name", "value"), [("rating", 300.0), ("games", 1000), ("commit", "other"), ("variant", "better")]
)
def test_a_row_that_was_changed_is_named(name: str, value: object) -> None:
    one, two = (json.loads(line) for line in as_lines(added((), rows())).splitlines())
    two[name] = value

    with pytest.raises(UserError, match=r"^x:2: the row of .* was changed; a changed variant is a new row"):
        read_lineup(f"{json.dumps(one)}\n{json.dumps(two)}\n", "x")


def test_a_row_that_was_taken_out_is_noticed() -> None:
    lines = as_lines(added((), rows())).splitlines()

    with pytest.raises(UserError, match=r"^x:1: a row before 'random' was changed, moved or taken out"):
        read_lineup(lines[1], "x")


def test_a_row_that_is_there_is_not_added_again() -> None:
    first = added((), rows())

    with pytest.raises(UserError, match="has 'greedy' of this run already"):
        added(first, rows())


def test_a_line_that_is_no_row_is_named() -> None:
    with pytest.raises(UserError, match=r"^x:1: row\.variant is missing"):
        read_lineup("{}\n", "x")


def test_the_line_up_that_ships_is_as_it_was_written() -> None:
    text = shipped().read_text(encoding="utf-8")

    assert as_lines(read_lineup(text, "shipped")) == text
