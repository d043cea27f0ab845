from __future__ import annotations

import pytest

from bot.lab.report import numbers
from bot.lab.stats.counts import Pentanomial, Wdl
from bot.lab.stats.elo import Estimate


@pytest.mark.parametrize(
    ("p", "shown"),
    [(0.0, "< 0.001"), (0.0004, "< 0.001"), (0.0412, "0.041"), (0.9999, "> 0.999"), (1, "> 0.999")],
)
def test_a_chance_is_never_certain(p: float, shown: str) -> None:
    assert numbers.chance(p) == shown


@pytest.mark.parametrize(
    ("value", "shown"), [(None, "–"), (0.04, "0.0"), (9.94, "9.9"), (9.96, "10"), (1234.5, "1,234")]
)
def test_times_have_no_more_digits_than_they_deserve(value: float | None, shown: str) -> None:
    assert numbers.milliseconds(value) == shown


def test_counts_are_written_as_engine_developers_do() -> None:
    assert numbers.wdl(Wdl(3, 2, 1)) == "+3 =2 −1"
    assert numbers.pentanomial(Pentanomial(1, 2, 3, 4, 5)) == "[1, 2, 3, 4, 5]"
    assert numbers.elo(Estimate(-35.2, -83.0, 12.4)) == "−35 (−83 to +12)"
