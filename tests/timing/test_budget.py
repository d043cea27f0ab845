"""Time budgets, replayed on a virtual clock over whole games."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass, replace
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bot.events import Side
from bot.search.patience import LEAST_SHARE, MOST_SHARE
from bot.strategies.contract import Clocks, TimeLimit
from bot.timing.budget import LEAST_SOFT_MS, LONG_GAME_MOVES, UNHURRIED, limits
from bot.timing.overhead import Overhead

SPEEDS = ("ultraBullet", "bullet", "blitz", "rapid", "classical", "correspondence")


@dataclass(frozen=True)
class Situation:
    """Everything that a limit depends on."""

    ours_ms: int
    theirs_ms: int | None
    our_increment_ms: int
    their_increment_ms: int
    overhead_ms: int
    usual_overhead_ms: int
    moves_played: int
    speed: str

    def limit(self, color: Side = "white") -> TimeLimit:
        ours, theirs = (self.ours_ms, self.our_increment_ms), (self.theirs_ms, self.their_increment_ms)
        white, black = (ours, theirs) if color == "white" else (theirs, ours)
        return limits(
            Clocks(white[0], black[0], white[1], black[1]),
            color,
            overhead_ms=self.overhead_ms,
            usual_overhead_ms=self.usual_overhead_ms,
            moves_played=self.moves_played,
            speed=self.speed,
        )


clocks_ms, increments_ms = st.integers(-1_000, 20_000_000), st.integers(0, 180_000)
situations = st.builds(
    Situation,
    clocks_ms,
    st.none() | clocks_ms,
    increments_ms,
    increments_ms,
    st.integers(0, 10_000),
    st.integers(0, 10_000),
    st.integers(0, 600),
    st.sampled_from(SPEEDS),
)


def limit(
    remaining_ms: int | None,
    increment_ms: int = 0,
    *,
    opponent_ms: int | None = None,
    overhead_ms: int = 250,
    moves_played: int = 10,
    speed: str = "blitz",
) -> TimeLimit:
    """White's limit; both sides have the same increment."""
    clocks = Clocks(remaining_ms, opponent_ms, increment_ms, increment_ms)
    return limits(clocks, "white", overhead_ms=overhead_ms, moves_played=moves_played, speed=speed)


# --- every input ------------------------------------------------------------------------------------------


@settings(deadline=None)
@given(situations)
def test_a_limit_is_positive_and_never_runs_into_the_flag(at: Situation) -> None:
    found = at.limit()
    assert 1 <= found.soft_ms <= found.hard_ms
    if at.ours_ms > max(2 * at.overhead_ms, 1):
        assert found.hard_ms + at.overhead_ms < at.ours_ms


@settings(deadline=None)
@given(situations, st.integers(0, 1_000_000))
def test_more_time_never_makes_a_move_shorter(at: Situation, more_ms: int) -> None:
    less, more = at.limit(), replace(at, ours_ms=at.ours_ms + more_ms).limit()
    assert less.soft_ms <= more.soft_ms
    assert less.hard_ms <= more.hard_ms


@settings(deadline=None)
@given(situations)
def test_the_colours_are_the_same_to_it(at: Situation) -> None:
    assert at.limit("white") == at.limit("black")


# --- whole games ------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Game:
    base_s: int  # a base of nothing starts at the increment, 3 s at least
    increment_s: int
    speed: str


GAMES = {
    "1+0": Game(60, 0, "bullet"),
    "3+2": Game(180, 2, "blitz"),
    "3+0": Game(180, 0, "blitz"),
    "10+0": Game(600, 0, "rapid"),
    "15+10": Game(900, 10, "rapid"),
    "0+1": Game(3, 1, "bullet"),
    "0+1, from 1 s": Game(1, 1, "bullet"),
    "30+20": Game(1800, 20, "classical"),
}

#: What part of the soft limit a strategy takes: a number for each move.
Share = Callable[[int], float]
#: What a move really costs besides, in milliseconds.
Costs = Callable[[int], int]


def replay(
    game: Game, moves: int, *, overhead_ms: int | Costs, share: Share = lambda _move: 1.0
) -> list[int]:
    """Our clock in milliseconds after each of our moves, the increment added. Fails when it runs out.

    Each move costs the share of its soft limit, cut at the hard one, and the overhead. A constant one is
    known from the start; any other is learned. The opponent's clock goes as ours does.
    """
    left_ms, course = game.base_s * 1000, list[int]()
    learned = (
        Overhead(250) if callable(overhead_ms) else Overhead(overhead_ms, overhead_ms, 0.0, overhead_ms, 32)
    )
    for played in range(moves):
        clocks = Clocks(left_ms, left_ms, game.increment_s * 1000, game.increment_s * 1000)
        found = limits(
            clocks,
            "white",
            overhead_ms=learned.ms,
            usual_overhead_ms=learned.usual_ms,
            moves_played=played,
            speed=game.speed,
        )
        cost_ms = overhead_ms(played) if callable(overhead_ms) else overhead_ms
        learned = learned.observe(cost_ms)
        left_ms -= min(found.hard_ms, int(found.soft_ms * share(played))) + cost_ms
        assert left_ms > 0, f"flagged at move {played + 1}"
        left_ms += game.increment_s * 1000
        course.append(left_ms)
    return course


def moody(seed: int) -> Share:
    """Most moves a little under the soft limit, some far over it: as a search that changes its mind."""
    rng = random.Random(seed)
    return lambda _move: rng.choice([LEAST_SHARE, 0.7, 0.8, 0.8, 1.0, 1.3, MOST_SHARE])


def calm(_move: int) -> float:
    """A search that hardly ever changes its mind."""
    return 0.7


def between(seed: int, least_ms: int, most_ms: int) -> Costs:
    rng = random.Random(seed)
    return lambda _move: rng.randint(least_ms, most_ms)


@pytest.mark.parametrize("game", GAMES.values(), ids=GAMES)
@pytest.mark.parametrize("overhead_ms", [0, 100, 250])
def test_a_strategy_that_uses_soft_never_flags_in_130_moves(game: Game, overhead_ms: int) -> None:
    replay(game, 130, overhead_ms=overhead_ms)


@pytest.mark.parametrize(
    ("name", "overhead_ms", "moves"),
    [
        ("1+0", 20, 340),
        ("1+0", 60, 340),
        ("3+0", 20, 340),
        ("3+0", 60, 340),
        ("3+0", 150, 340),
        ("3+0", 300, 300),
        ("10+0", 20, 400),
        ("10+0", 60, 360),
        ("10+0", 300, 340),
        ("3+2", 300, 600),
        ("15+10", 60, 600),
    ],
)
@pytest.mark.parametrize("share", [calm, lambda _move: 1.0], ids=["calm", "all of soft"])
def test_a_game_that_went_on_after_move_150_did_not_flag(
    name: str, overhead_ms: int, moves: int, share: Share
) -> None:
    replay(GAMES[name], moves, overhead_ms=overhead_ms, share=share)


def test_where_overheads_alone_would_flag_at_move_200_thinking_does_not_halve_that() -> None:
    """One minute, 300 ms a move."""
    replay(GAMES["1+0"], 125, overhead_ms=300)


@settings(deadline=None, max_examples=300)
@given(
    base_s=st.integers(20, 1_800),
    increment_s=st.sampled_from([0, 0, 0, 1, 2, 5, 10]),
    load=st.floats(0.0, 0.6),
    jitter=st.floats(0.0, 0.5),
    moves=st.integers(1, LONG_GAME_MOVES),
    speed=st.sampled_from(["bullet", "blitz", "rapid"]),
    hard_share=st.sampled_from([0.0, 0.02, 0.05]),
    seed=st.integers(0, 2**32),
)
def test_no_game_flags_whose_clock_could_pay_the_overheads_of_a_long_one(
    *,
    base_s: int,
    increment_s: int,
    load: float,
    jitter: float,
    moves: int,
    speed: str,
    hard_share: float,
    seed: int,
) -> None:
    """`load`: the part of the clock that the overheads of a long game take, less half of its increments.

    The strategy thinks for anything up to soft, and now and then for anything up to hard.
    """
    usual_ms = int(load * base_s * 1000 / LONG_GAME_MOVES + 500 * increment_s)
    rng = random.Random(seed)
    left_ms, learned = base_s * 1000, Overhead(250)
    for played in range(moves):
        found = limits(
            Clocks(left_ms, left_ms, increment_s * 1000, increment_s * 1000),
            "white",
            overhead_ms=learned.ms,
            usual_overhead_ms=learned.usual_ms,
            moves_played=played,
            speed=speed,
        )
        most_ms = found.hard_ms if rng.random() < hard_share else found.soft_ms
        cost_ms = round(usual_ms * rng.uniform(1 - jitter, 1 + jitter))
        left_ms -= rng.randint(0, most_ms) + cost_ms
        assert left_ms > 0, f"flagged at move {played + 1}"
        left_ms += increment_s * 1000
        learned = learned.observe(cost_ms)


@pytest.mark.parametrize("game", GAMES.values(), ids=GAMES)
@pytest.mark.parametrize("seed", range(10))
def test_nor_does_one_that_changes_its_mind(game: Game, seed: int) -> None:
    replay(game, 120, overhead_ms=100, share=moody(seed))


@pytest.mark.parametrize("game", GAMES.values(), ids=GAMES)
def test_every_tenth_move_may_take_all_of_hard(game: Game) -> None:
    replay(game, 60, overhead_ms=250, share=lambda move: 1000.0 if move % 10 == 9 else 1.0)


@pytest.mark.parametrize("name", ["1+0", "3+0", "3+2", "10+0", "15+10", "30+20"])
@pytest.mark.parametrize("seed", range(3))
def test_the_time_is_used_unless_the_game_is_short(name: str, seed: int) -> None:
    """After 40 moves, a usual game, less than 40 % of the clock is left; after 60 less than a quarter."""
    game = GAMES[name]
    course = replay(game, 60, overhead_ms=20, share=moody(seed))
    assert course[39] < 0.40 * game.base_s * 1000
    assert course[59] < 0.25 * game.base_s * 1000


@pytest.mark.parametrize(
    "costs", [between(1, 20, 60), between(2, 100, 500), between(3, 0, 3000)], ids=["steady", "far", "jittery"]
)
@pytest.mark.parametrize("share", [calm, lambda _move: 1.0], ids=["calm", "all of soft"])
def test_a_clock_of_3_and_2_was_not_used_when_the_overhead_jittered(costs: Costs, share: Share) -> None:
    """More was left at move 30 than at the first: a bound for one move was put aside for a hundred."""
    course = replay(GAMES["3+2"], 200, overhead_ms=costs, share=share)
    assert course[29] < 0.56 * 180_000
    assert max(course[41:]) < 0.40 * 180_000


@pytest.mark.parametrize("seed", range(3))
def test_a_minute_with_a_jittery_road_left_a_millisecond_a_move(seed: int) -> None:
    learned = Overhead(250)
    for cost in range(20):
        learned = learned.observe(between(seed + cost, 100, 500)(0))
    found = limits(
        Clocks(50_000, 50_000),
        "white",
        overhead_ms=learned.ms,
        usual_overhead_ms=learned.usual_ms,
        moves_played=10,
        speed="bullet",
    )
    assert found.soft_ms > 300


@pytest.mark.parametrize("name", ["1+0", "3+2", "10+0", "15+10", "30+20"])
def test_the_curve_is_sensible(name: str) -> None:
    """The middlegame gets the most; no move takes a tenth of the clock, and no early one is dashed off."""
    game = GAMES[name]
    increment_ms = game.increment_s * 1000
    course = [game.base_s * 1000, *replay(game, 80, overhead_ms=20)]
    spent = [before - after + increment_ms for before, after in pairwise(course)]
    assert sum(spent[10:40]) > 2 * sum(spent[:10])
    assert sum(spent[10:40]) > sum(spent[40:80])
    assert max(spent) < 0.1 * game.base_s * 1000
    assert min(spent[1:40]) > 0.3 * spent[1]


# --- single moves -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("remaining_ms", "increment_ms", "low_ms", "high_ms"),
    [
        (180_000, 2_000, 7_000, 8_000),  # a thirtieth, and nine tenths of the increment
        (600_000, 0, 15_000, 18_000),
        (60_000, 0, 500, 2_000),
        (10_000, 5_000, 2_000, 4_000),
    ],
)
def test_a_usual_move_takes_its_part_and_most_of_the_increment(
    remaining_ms: int, increment_ms: int, low_ms: int, high_ms: int
) -> None:
    assert low_ms <= limit(remaining_ms, increment_ms).soft_ms <= high_ms


def test_the_first_move_is_quick_but_may_take_as_long_as_another() -> None:
    first, second = limit(1_800_000, moves_played=0), limit(1_800_000, moves_played=1)
    assert first.soft_ms == 3_000 < second.soft_ms
    assert first.hard_ms > 0.9 * second.hard_ms


def test_a_strategy_that_took_half_a_second_to_load_was_not_waited_for_though_no_clock_ran() -> None:
    """On Lichess the clocks start after both first moves."""
    fast = Clocks(10_000, 10_000, 100, 100)
    first, second = (
        limits(fast, "white", overhead_ms=60, moves_played=played, speed="bullet", first_is_free=True)
        for played in (0, 1)
    )
    assert first.soft_ms <= 1.1 * second.soft_ms
    assert second.hard_ms < 2_000 < first.hard_ms == 10_000


def test_the_same_clock_late_in_the_game_means_longer_moves() -> None:
    soft = [limit(60_000, overhead_ms=0, moves_played=played).soft_ms for played in (1, 10, 20, 30, 40)]
    assert soft == sorted(set(soft))


@pytest.mark.parametrize("increment_ms", [0, 2_000])
def test_a_hard_limit_of_a_millisecond_would_have_the_strategy_killed(increment_ms: int) -> None:
    """The time that is left is put aside for overheads; but it is no use to stop every search at once."""
    found = limit(5_000, increment_ms, overhead_ms=60, moves_played=200)
    assert found.soft_ms >= LEAST_SOFT_MS
    assert found.hard_ms >= 200


def test_more_overhead_leaves_less_time() -> None:
    soft = [limit(60_000, overhead_ms=overhead_ms).soft_ms for overhead_ms in (0, 100, 250, 1_000)]
    assert soft == sorted(soft, reverse=True)
    assert soft[0] > soft[-1]


def test_an_opponent_in_time_trouble_has_to_think_on_our_time() -> None:
    level = limit(120_000, opponent_ms=120_000, overhead_ms=0).soft_ms
    assert limit(120_000, opponent_ms=60_000, overhead_ms=0).soft_ms == level  # hardly trouble
    assert limit(120_000, opponent_ms=40_000, overhead_ms=0).soft_ms < level
    hurried = limit(120_000, opponent_ms=5_000, overhead_ms=0).soft_ms
    assert hurried == pytest.approx(level / 2, rel=0.01)
    assert limit(120_000, opponent_ms=-500, overhead_ms=0).soft_ms == hurried


def test_with_an_increment_there_is_less_trouble() -> None:
    assert limit(60_000, 5_000, opponent_ms=5_000) == limit(60_000, 5_000, opponent_ms=60_000)


def test_an_opponent_with_more_time_changes_nothing() -> None:
    assert limit(60_000, opponent_ms=600_000) == limit(60_000, opponent_ms=60_000)


@pytest.mark.parametrize("speed", ["ultraBullet", "bullet"])
def test_no_move_of_a_fast_game_may_take_very_long(speed: str) -> None:
    fast, other = limit(40_000, speed=speed, overhead_ms=0), limit(40_000, speed="blitz", overhead_ms=0)
    assert fast.soft_ms == other.soft_ms
    assert fast.hard_ms < other.hard_ms


@pytest.mark.parametrize("speed", SPEEDS)
def test_without_a_clock_it_is_unhurried(speed: str) -> None:
    assert limit(None, speed=speed) == UNHURRIED == TimeLimit(5_000, 15_000)


def test_correspondence_is_unhurried_until_the_days_run_out() -> None:
    assert limit(1_209_600_000, speed="correspondence") == UNHURRIED
    assert limit(10_000, speed="correspondence").hard_ms < 10_000 - 250


@pytest.mark.parametrize(("color", "soft_ms"), [("white", 5), ("black", 945)])
def test_each_side_has_its_own_clock(color: Side, soft_ms: int) -> None:
    clocks = Clocks(white_ms=10, black_ms=60_000)
    assert limits(clocks, color, overhead_ms=0, moves_played=10, speed="bullet").soft_ms == soft_ms
