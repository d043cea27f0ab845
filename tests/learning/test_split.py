"""What is learnt from and what is held out: whole games, by lot."""

from __future__ import annotations

import numpy as np
import pytest

from bot.errors import UserError
from bot.learning.positions import POSITION, Positions
from bot.learning.split import MOST_VALIDATION, blocks, split


def games(lengths: list[int]) -> tuple[Positions, np.ndarray[tuple[int], np.dtype[np.int64]]]:
    """Positions with the plies of games so long (some plies left out), and the game of each."""
    rng = np.random.default_rng(1)
    plies = [np.sort(rng.choice(200, length, replace=False)) + 8 for length in lengths]
    found = np.zeros(sum(lengths), POSITION)
    found["ply"] = np.concatenate(plies)
    return found, np.repeat(np.arange(len(lengths)), lengths)


def test_no_game_is_in_both_and_none_in_neither() -> None:
    lengths = np.random.default_rng(2).integers(1, 120, 600).tolist()
    positions, game = games(lengths)

    learning, held_out = split(positions, 0.1, seed=7)
    assert np.array_equal(np.sort(np.concatenate([learning, held_out])), np.arange(len(positions)))
    # two games look like one where the second begins later than the first ended: then they go together
    assert not set(game[learning]) & set(game[held_out])
    assert 0.1 <= len(held_out) / len(positions) < 0.13
    assert len(np.flatnonzero(np.diff(held_out) > 1)) >= 8  # from many places


def test_the_seed_decides() -> None:
    positions, _ = games([50] * 200)
    assert np.array_equal(split(positions, 0.1, seed=1)[1], split(positions, 0.1, seed=1)[1])
    assert not np.array_equal(split(positions, 0.1, seed=1)[1], split(positions, 0.1, seed=2)[1])


def test_of_many_positions_a_smaller_share_is_held_out() -> None:
    positions = np.zeros(12_000_000, POSITION)
    positions["ply"] = np.tile(np.arange(100), 120_000)
    _, held_out = split(positions, 0.2, seed=1)
    assert MOST_VALIDATION <= len(held_out) <= MOST_VALIDATION + 4200


def test_a_block_is_whole_games_of_about_so_many_positions() -> None:
    positions = np.zeros(60, POSITION)
    positions["ply"] = [*range(25), *range(10), *range(5), *range(20)]  # games begin at 0, 25, 35, 40
    assert blocks(positions, 1).tolist() == [0, 25, 35, 40]
    assert blocks(positions, 20).tolist() == [0, 25, 40]
    assert blocks(positions, 1000).tolist() == [0]


def test_two_games_are_enough_and_one_is_not() -> None:
    positions, _ = games([5, 5])
    positions["ply"] = [1, 2, 3, 4, 5, 1, 2, 3, 4, 5]
    learning, held_out = split(positions, 0.01, seed=1)
    assert len(learning) == len(held_out) == 5
    with pytest.raises(UserError, match="5 positions of one game are too few"):
        split(positions[:5], 0.5, seed=1)
    with pytest.raises(UserError, match="0 positions"):
        split(positions[:0], 0.5, seed=1)
