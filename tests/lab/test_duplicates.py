from __future__ import annotations

from dataclasses import replace

from bot.lab.duplicates import distinct, mirrored, repeated_games
from tests.lab.pair_kit import again, pair, pairs_of


def test_one_game_of_a_pair_can_be_a_repetition() -> None:
    first, second, third = pairs_of("a", "b", 2, 0, 1)
    half = replace(third, games=(second.games[0], third.games[1]))
    records = [first, second, half, again(first)]

    assert [number for _, number in repeated_games(records)] == [0, 0, 1, 2]
    assert distinct(records) == (first, second)


def test_the_same_moves_with_colours_swapped_are_no_repetition_but_said() -> None:
    records = [pair("a", "b", ("1-0", "1-0"), moves=()), *pairs_of("a", "b", 1)]

    assert [number for _, number in repeated_games(records)] == [0, 0]
    assert mirrored(records[:1]) == 1
