from __future__ import annotations

import json
from dataclasses import replace

import pytest

from bot.errors import UserError
from bot.lab.lineup import LineupRow, Strength, added, as_text, read_lineup, rows_of
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

    assert read_lineup(as_text(both), "x") == both
    assert (both[0].variant, both[0].rating, both[0].cost_ms) == ("greedy", 123.5, 1.235)
    assert "8 pairs a pairing, seed 2" in both[2].conditions


@pytest.mark.parametrize(
    ("name", "value"), [("rating", 300.0), ("games", 1000), ("commit", "other"), ("variant", "better")]
)
def test_a_row_that_was_changed_is_named(name: str, value: object) -> None:
    lines = as_text(added((), rows())).splitlines()
    lines[2] = json.dumps(json.loads(lines[2]) | {name: value})

    with pytest.raises(UserError, match=r"^x:3: the row of .* was changed; a changed variant is a new row"):
        read_lineup("\n".join(lines), "x")


def test_a_row_that_was_taken_out_is_noticed() -> None:
    head, _, last = as_text(added((), rows())).splitlines()

    with pytest.raises(UserError, match=r"^x:2: a row before 'random' was changed, moved or taken out"):
        read_lineup(f"{head}\n{last}", "x")


@pytest.mark.parametrize("kept", [1, 2])
def test_rows_that_were_cut_off_at_the_end_are_noticed(kept: int) -> None:
    """Each row knew the one before it, and nothing knew the last one."""
    lines = as_text(added((), rows())).splitlines()

    with pytest.raises(
        UserError, match=rf"^x: it was cut or added to: its head tells of 2 rows .* are {kept - 1} "
    ):
        read_lineup("\n".join(lines[:kept]), "x")


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "x: it is empty, and not even its head is left"),
        ("{}", "x:1: the head is missing"),
        ('{"lineup": {"rows": -1, "last": ""}}', r"x:1: lineup\.rows must be a whole number"),
        ("[" * 100_000, "x:1: "),
    ],
)
def test_a_line_up_without_its_head_is_none(text: str, said: str) -> None:
    with pytest.raises(UserError, match=f"^{said}"):
        read_lineup(text, "x")


@pytest.mark.parametrize(("commit", "committed"), [("abc", True), ("abc-dirty", False), (None, False)])
def test_a_row_knows_whether_its_code_can_be_had_again(commit: str | None, committed: bool) -> None:
    assert replace(rows()[0], commit=commit).committed is committed


def test_a_row_that_is_there_is_not_added_again() -> None:
    first = added((), rows())

    with pytest.raises(UserError, match="has 'greedy' of this run already"):
        added(first, rows())


def test_a_line_that_is_no_row_is_named() -> None:
    with pytest.raises(UserError, match=r"^x:2: row\.variant is missing"):
        read_lineup(f"{as_text(())}{{}}\n", "x")


def test_the_line_up_that_ships_is_as_it_was_written() -> None:
    text = shipped().read_text(encoding="utf-8")

    assert as_text(read_lineup(text, "shipped")) == text
