"""Time budgets, replayed on a virtual clock."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bot.events import Side
from bot.strategies.contract import Clocks, TimeLimit
from bot.timing.budget import UNHURRIED, limits

SPEEDS = ("ultraBullet", "bullet", "blitz", "rapid", "classical", "correspondence")


def limit(
    remaining_ms: int | None,
    increment_ms: int = 0,
    *,
    overhead_ms: int = 250,
    moves_played: int = 0,
    speed: str = "blitz",
) -> TimeLimit:
    """White's limit, with a clock of Black's that must not matter."""
    clocks = Clocks(remaining_ms, 77, increment_ms, 77_000)
    return limits(clocks, "white", overhead_ms=overhead_ms, moves_played=moves_played, speed=speed)


@settings(deadline=None)
@given(
    remaining_ms=st.integers(-1_000, 20_000_000),
    increment_ms=st.integers(0, 180_000),
    overhead_ms=st.integers(0, 10_000),
    moves_played=st.integers(0, 600),
    speed=st.sampled_from(SPEEDS),
)
def test_a_limit_is_positive_and_never_runs_into_the_flag(
    remaining_ms: int, increment_ms: int, overhead_ms: int, moves_played: int, speed: str
) -> None:
    found = limit(remaining_ms, increment_ms, overhead_ms=overhead_ms, moves_played=moves_played, speed=speed)
    assert 1 <= found.soft_ms <= found.hard_ms
    if remaining_ms > max(2 * overhead_ms, 1):
        assert found.hard_ms + overhead_ms < remaining_ms


#: (base s, increment s). A base of nothing starts at the increment, 3 s at least.
GAMES = {
    "1+0": (60, 0),
    "3+2": (180, 2),
    "10+0": (600, 0),
    "0+1": (3, 1),
    "0+1, from 1 s": (1, 1),
    "30+20": (1800, 20),
}


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("overhead_ms", [0, 100, 250])
def test_a_strategy_that_uses_soft_never_flags_in_150_moves(game: str, overhead_ms: int) -> None:
    """Each move costs all the overhead that was set, on top of its thinking."""
    base_s, increment_s = GAMES[game]
    left_ms = base_s * 1000
    for played in range(150):
        found = limit(left_ms, increment_s * 1000, overhead_ms=overhead_ms, moves_played=played)
        left_ms -= found.soft_ms + overhead_ms
        assert left_ms > 0, f"flagged at move {played + 1}"
        left_ms += increment_s * 1000


@pytest.mark.parametrize("game", GAMES)
def test_one_move_may_be_hard_and_the_game_goes_on(game: str) -> None:
    base_s, increment_s = GAMES[game]
    left_ms = base_s * 1000
    for played in range(40):
        found = limit(left_ms, increment_s * 1000, moves_played=played)
        left_ms += increment_s * 1000 - 250 - (found.hard_ms if played % 10 == 9 else found.soft_ms)
        assert left_ms > 0, f"flagged at move {played + 1}"


@pytest.mark.parametrize(
    ("remaining_ms", "increment_ms", "low_ms", "high_ms"),
    [
        (180_000, 2_000, 6_500, 7_500),  # a thirtieth, and most of the increment
        (600_000, 0, 17_000, 20_000),
        (60_000, 0, 500, 2_000),
        (10_000, 5_000, 3_000, 4_000),
    ],
)
def test_a_usual_move_takes_about_a_thirtieth_and_most_of_the_increment(
    remaining_ms: int, increment_ms: int, low_ms: int, high_ms: int
) -> None:
    assert low_ms <= limit(remaining_ms, increment_ms).soft_ms <= high_ms


def test_the_time_is_spent_rather_than_kept() -> None:
    left_ms = 180_000
    for played in range(60):
        left_ms += 2_000 - 250 - limit(left_ms, 2_000, moves_played=played).soft_ms
    assert left_ms < 60_000


def test_more_overhead_leaves_less_time() -> None:
    soft = [limit(60_000, overhead_ms=overhead_ms).soft_ms for overhead_ms in (0, 100, 250, 1_000)]
    assert soft == sorted(soft, reverse=True)
    assert soft[0] == 2_000


@pytest.mark.parametrize("speed", SPEEDS)
def test_without_a_clock_it_is_unhurried(speed: str) -> None:
    assert limit(None, speed=speed) == UNHURRIED == TimeLimit(5_000, 15_000)


def test_correspondence_is_unhurried_until_the_days_run_out() -> None:
    assert limit(1_209_600_000, speed="correspondence") == UNHURRIED
    assert limit(10_000, speed="correspondence").hard_ms < 10_000 - 250


@pytest.mark.parametrize(("color", "soft_ms"), [("white", 1), ("black", 2_000)])
def test_each_side_has_its_own_clock(color: Side, soft_ms: int) -> None:
    clocks = Clocks(white_ms=10, black_ms=60_000)
    assert limits(clocks, color, overhead_ms=0, moves_played=0, speed="bullet").soft_ms == soft_ms
