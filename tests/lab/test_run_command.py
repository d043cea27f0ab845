from __future__ import annotations

import pytest

from bot.errors import UserError
from bot.lab.deviations import Deviation
from bot.lab.registration import FixedTest, Registration, SprtTest
from bot.lab.report.page import Evidence
from bot.lab.run_command import options_of, stop_of, verdict_lines
from bot.lab.stats.sprt import Sprt
from bot.lab.tournament import never
from bot.lab.verdict import judge
from tests.lab import run_kit

HEADER = run_kit.header("A", "B", pairs=60)
FIXED = Registration("t", "A beats B", FixedTest(60), HEADER, {})


def test_a_sequential_test_stops_the_run_at_its_bound_and_a_fixed_sample_never() -> None:
    test = SprtTest(Sprt(0.0, 50.0), 60)
    stop = stop_of(test)
    stops = [stop(record) for record in run_kit.played(HEADER, [2] * 23)]

    assert stops == [False] * 22 + [True]
    assert judge(test, run_kit.played(HEADER, [2] * 23)).complete
    assert stop_of(FIXED.test) is never


def test_what_is_inconclusive_says_what_it_would_take() -> None:
    finding = judge(
        FIXED.test, run_kit.played(HEADER, [0] * 5 + [0.5] * 12 + [1] * 20 + [1.5] * 15 + [2] * 8)
    )
    lines = verdict_lines(FIXED, Evidence(FIXED, finding, (Deviation("looked at"),)))

    assert lines[0] == "Inconclusive: A beats B"
    assert lines[-2].startswith("To decide: at the difference seen, ")
    assert lines[-1] == "Deviation: looked at"


def test_a_registration_that_is_gone_or_changed_is_no_verdict() -> None:
    assert verdict_lines(FIXED, None) == ["Invalid: registration.yml has been taken out of the run's folder"]
    changed = Evidence(None, None, (Deviation("changed", breaks=True),))
    assert verdict_lines(FIXED, changed) == ["Invalid", "Deviation: changed"]


@pytest.mark.parametrize("options", [{"players": "A"}, {"players": ["A", "B"], "speed": 3}])
def test_options_of_another_version_are_refused(options: dict[str, object]) -> None:
    with pytest.raises(UserError, match=r"^x: registration\.options"):
        options_of(options, (), where="x")


def test_options_are_those_that_were_registered() -> None:
    found = options_of({"players": ["A", "B"], "pairs": 7}, ("here",), where="x")

    assert (found.players, found.pairs, found.search_path) == (("A", "B"), 7, ("here",))
