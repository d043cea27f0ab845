from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.events import RealTime, Speed
from bot.time_controls import parse_time_control, show_time_control, speed_of


@pytest.mark.parametrize(
    ("text", "limit_s", "increment_s"),
    [
        ("3+2", 180, 2),
        ("0+1", 0, 1),
        ("0.5+1", 30, 1),
        ("½+0", 30, 0),
        ("¼+3", 15, 3),
        ("¾+0", 45, 0),
        ("0.75+0", 45, 0),
        ("1.5+0", 90, 0),
        ("1½+0", 90, 0),
        ("180+180", 10_800, 180),
    ],
)
def test_a_time_control_is_minutes_and_seconds(text: str, limit_s: int, increment_s: int) -> None:
    assert parse_time_control(text) == RealTime(limit_s, increment_s)


@pytest.mark.parametrize(
    "text",
    ["", "3", "3+", "+2", "3 + 2", "3+2 ", "3|2", "-3+2", "3+-2", "3:00+2", "٣+2", "3+2\n", "1e2+0", "½½+0"],
)
def test_other_formats_are_refused_with_the_right_one(text: str) -> None:
    with pytest.raises(ValueError, match=r"MINUTES\+SECONDS such as 3\+2"):
        parse_time_control(text)


@pytest.mark.parametrize(
    ("text", "allowed"),
    [
        ("2.5+0", "whole minutes"),
        ("0.3+0", "whole minutes"),
        ("181+0", "180 whole minutes"),
        ("3+181", "0 to 180 seconds"),
    ],
)
def test_clocks_that_lichess_does_not_have_are_refused(text: str, allowed: str) -> None:
    with pytest.raises(ValueError, match=allowed):
        parse_time_control(text)


@given(
    st.one_of(st.sampled_from([0, 15, 30, 45, 90]), st.integers(1, 180).map(lambda m: m * 60)),
    st.integers(0, 180),
)
def test_showing_is_the_inverse_of_parsing(limit_s: int, increment_s: int) -> None:
    clock = RealTime(limit_s, increment_s)
    assert parse_time_control(show_time_control(clock)) == clock


@pytest.mark.parametrize(
    ("limit_s", "increment_s", "speed"),
    [
        (15, 0, "ultraBullet"),
        (0, 0, "ultraBullet"),
        (30, 0, "bullet"),
        (0, 1, "bullet"),
        (120, 1, "bullet"),
        (180, 0, "blitz"),
        (300, 4, "blitz"),
        (480, 0, "rapid"),
        (600, 22, "rapid"),
        (1_500, 0, "classical"),
    ],
)
def test_the_speed_of_a_clock(limit_s: int, increment_s: int, speed: Speed) -> None:
    assert speed_of(RealTime(limit_s, increment_s)) == speed
