from __future__ import annotations

from dataclasses import replace

import pytest

from bot.lab.deviations import Deviation, deviations
from bot.lab.history import Event
from bot.lab.registration import FixedTest, Registration
from tests.lab import run_kit

PLANNED = run_kit.header("A", "B", pairs=8)
REGISTRATION = Registration("2026-10-06T11:00:00+00:00", "A beats B", FixedTest(8), PLANNED, {})
PLAYED = replace(PLANNED, registration=REGISTRATION.sha256)


def test_a_run_as_registered_has_none() -> None:
    assert deviations(REGISTRATION, PLAYED, run_kit.played(PLAYED, [1] * 8), (), ()) == ()


@pytest.mark.parametrize(
    ("changed", "breaks"),
    [
        ({"version": "0.2.0"}, False),
        ({"commit": "other"}, False),
        ({"code": "other"}, True),
        ({"openings_hash": "other"}, True),
        ({"seed": 2}, True),
        ({"players": ("A", "C")}, True),
        ({"budget": "100 ms a move"}, True),
    ],
)
def test_what_can_change_a_game_breaks_the_run(changed: dict[str, object], breaks: bool) -> None:
    (found,) = deviations(REGISTRATION, replace(PLAYED, **changed), (), (), ())  # type: ignore[arg-type]
    (name,) = changed

    assert found.text.startswith(f"{name}: registered ")
    assert found.breaks is breaks


def test_another_registration_breaks_it() -> None:
    (found,) = deviations(REGISTRATION, replace(PLAYED, registration="cd" * 32), (), (), ())

    assert found.breaks
    assert "cdcdcdcdcdcdcdcd…" in found.text


def test_a_journal_older_than_its_registration_breaks_it() -> None:
    (found,) = deviations(REGISTRATION, replace(PLAYED, created="2026-10-06T10:59:59+00:00"), (), (), ())

    assert found == Deviation(
        "the journal was begun 2026-10-06T10:59:59+00:00, before the registration "
        "(2026-10-06T11:00:00+00:00)",
        breaks=True,
    )


def test_looks_stops_and_losses_are_told() -> None:
    seen = [f"hash{pairs}" for pairs in range(9)]
    events = (
        Event("t1", "begun", 0, seen[0]),
        Event("t2", "played", 1, seen[1]),
        Event("t2", "looked at", 1, seen[1]),
        Event("t3", "stopped by hand", 1, seen[1]),
        Event("t4", "begun", 1, seen[1]),
        Event("t4", "played", 2, seen[2]),
        Event("t5", "begun", 3, seen[3]),
        *(Event("t6", "played", pairs, seen[pairs]) for pairs in range(4, 9)),
        Event("t6", "finished", 8, seen[8]),
    )

    assert [each.text for each in deviations(REGISTRATION, PLAYED, (), events, seen)] == [
        "looked at before the end, after 1 pairs (t2)",
        "stopped by hand after 1 pairs (t3)",
        "broke off without a word 1 time, and went on",
    ]


def test_pairs_that_have_vanished_break_the_run() -> None:
    events = (Event("t1", "begun", 0, "hash0"), Event("t2", "played", 1, "hash1"))
    (found,) = deviations(REGISTRATION, PLAYED, (), events, ["hash0"])

    assert found == Deviation("pairs have vanished: 1 were there, and now there are 0", breaks=True)


def test_more_pairs_than_registered_are_told() -> None:
    more = run_kit.played(run_kit.header("A", "B", pairs=10), [1] * 10)

    assert [each.text for each in deviations(REGISTRATION, PLAYED, more, (), ())] == [
        "2 more pairs were played than registered; they do not count"
    ]
