"""Climbing by results of games: what is played, where the values go, and that nothing else decides it."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as some

from bot.engine.tunables import TUNABLES, Tunable
from bot.learning.spsa import Settings, Spsa

#: Where games are won most, in the parameters' own units.
BEST = {"a": 70.0, "b": 30.0, "c": 3.0}
TUNED = (
    Tunable("a", 40, 0, 100, 8, ""),
    Tunable("b", 45, 0, 200, 5, ""),
    Tunable("c", 7, 0, 12, 1, ""),
)


def worth(tuned: tuple[Tunable, ...], values: dict[str, float]) -> float:
    """In Elo: a step away from the best costs 4, two cost 16."""
    return -4 * sum(((values[each.name] - BEST[each.name]) / each.step) ** 2 for each in tuned)


def noisy_game(difference: float, rng: random.Random) -> int:
    """1, 0 or -1, by lot; 2 of 5 games are drawn between players who are as strong."""
    win = 1 / (1 + 10 ** ((85 - difference) / 400))
    loss = 1 / (1 + 10 ** ((85 + difference) / 400))
    thrown = rng.random()
    return 1 if thrown < win else -1 if thrown > 1 - loss else 0


def climbed(settings: Settings, rng: random.Random) -> Spsa:
    spsa = Spsa(settings)
    while spsa.iterations < settings.iterations:
        number = spsa.iterations + 1
        trial = spsa.trial(number)
        plus, minus = (worth(settings.tunables, dict(side)) for side in (trial.plus, trial.minus))
        games = 2 * len(settings.pairs_of(number))
        spsa.take(sum(noisy_game(plus - minus, rng) for _ in range(games)))
    return spsa


@pytest.mark.parametrize("lag", [1, 2, 5])
@pytest.mark.parametrize("seed", [1, 2, 3])
def test_the_best_of_a_noisy_quadratic_is_found(lag: int, seed: int) -> None:
    settings = Settings(TUNED, pairs=20_000, seed=seed, lag=lag, rate=0.01)
    spsa = climbed(settings, random.Random(seed))
    assert spsa.pairs == 20_000
    for tunable in TUNED:
        begun = abs(tunable.value - BEST[tunable.name]) / tunable.step
        missed = abs(spsa.values[tunable.name] - BEST[tunable.name]) / tunable.step
        assert missed < 1 < begun, tunable.name


def test_the_gains_are_those_of_fishtest() -> None:
    """At the end a parameter is played a step away, and a game moves it by `rate` steps."""
    settings = Settings(TUNED, pairs=1000)
    tunable = TUNED[0]
    assert settings.distance(tunable, 1000) == tunable.step
    assert settings.gain(tunable, 1000) == pytest.approx(settings.rate * tunable.step)
    # c_1 = c; R_1 = a / (A + 1)^alpha / c_1^2, with a = r * step^2 * (A + N)^alpha
    distance = 8 * 1000**0.101
    assert settings.distance(tunable, 1) == pytest.approx(distance)
    gain = 0.002 * 64 * 1100**0.602 / 101**0.602 / distance**2 * distance
    assert settings.gain(tunable, 1) == pytest.approx(gain)


def test_all_pairs_are_in_one_iteration_each() -> None:
    settings = Settings(TUNED, pairs=10, batch=4)
    assert settings.iterations == 3
    assert [list(settings.pairs_of(number)) for number in (1, 2, 3)] == [[1, 2, 3, 4], [5, 6, 7, 8], [9, 10]]


def test_what_is_played_follows_from_what_was_known_some_iterations_before() -> None:
    settings = Settings(TUNED, pairs=400, lag=2, rate=0.5)
    won, lost = Spsa(settings), Spsa(settings)
    assert won.last_known == 2
    with pytest.raises(ValueError, match="iteration 3 is not one of 1 to 2"):
        won.trial(3)
    second = won.trial(2)
    won.take(8)
    lost.take(-8)
    assert won.trial(2) == lost.trial(2) == second
    assert won.trial(3) != lost.trial(3)
    for tunable, up, down, sign in zip(
        TUNED, won.history[1], lost.history[1], Spsa(settings).trial(1).signs, strict=True
    ):
        assert (up - tunable.value) * sign > 0 > (down - tunable.value) * sign


def test_the_same_results_lead_to_the_same_values_exactly() -> None:
    settings = Settings(TUNABLES, pairs=400)
    results = [random.Random(3).randrange(-8, 9) for _ in range(settings.iterations)]
    first, second, other = Spsa(settings), Spsa(settings), Spsa(replace(settings, seed=2))
    for result in results:
        for spsa in (first, second, other):
            spsa.take(result)
    assert first.history == second.history
    assert first.history[-1] != other.history[-1]


bounds = some.builds(
    lambda least, width, where, step: Tunable(
        "x", least + round(where * width), least, least + width, step, ""
    ),
    least=some.integers(-500, 5000),
    width=some.integers(1, 5000),
    where=some.floats(0, 1),
    step=some.integers(1, 400),
)


@given(bounds, some.lists(some.integers(-8, 8), max_size=30), some.integers(0, 99))
def test_bounds_hold_and_both_sides_are_never_alike(tunable: Tunable, results: list[int], seed: int) -> None:
    spsa = Spsa(Settings((tunable,), pairs=160, seed=seed, rate=0.5))
    for result in results:
        spsa.take(result)
    for number in range(1, spsa.last_known + 1):
        trial = spsa.trial(number)
        plus, minus = trial.plus["x"], trial.minus["x"]
        assert tunable.least <= min(plus, minus) < max(plus, minus) <= tunable.most
        assert (plus > minus) == (trial.signs == (1,))
    assert all(tunable.least <= value <= tunable.most for (value,) in spsa.history)


def test_what_is_played_is_on_the_average_as_far_away_as_it_should_be() -> None:
    """With a step of 1 as well, although what is played is whole."""
    tunable = Tunable("x", 50, 0, 100, 1, "")
    settings = Settings((tunable,), pairs=8000, batch=1, lag=8000)
    spsa = Spsa(settings)
    apart = [abs(trial.plus["x"] - trial.minus["x"]) for trial in map(spsa.trial, range(7001, 8001))]
    assert sum(apart) / 1000 == pytest.approx(2 * settings.distance(tunable, 7500), abs=0.05)
