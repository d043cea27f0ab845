"""What is remembered, for how long, and what it is good for."""

from __future__ import annotations

import chess
import pytest

from bot.search.scores import mate_in, mated_in
from bot.search.table import Generations, Table, settles

MOVE = chess.Move.from_uci("e2e4")


def test_it_never_grows_out_of_its_size() -> None:
    table = Generations[int](100)
    for number in range(10_000):
        table.put(number, number)
        assert len(table) <= 100
    assert table.get(9_999) == 9_999
    assert table.get(0) is None


def test_what_is_asked_for_is_kept() -> None:
    table = Generations[str](20)
    table.put("kept", "kept")
    for number in range(1_000):
        table.put(number, "x")
        assert table.get("kept") == "kept"


def test_a_newer_value_replaces_an_older_one() -> None:
    table = Generations[int](4)
    for number in range(6):
        table.put("a", number)
        table.put(number, -1)
        assert table.get("a") == number


@pytest.mark.parametrize(
    ("score", "window", "asked", "answer"),
    [
        (30, (0, 100), (0, 100), 30),  # inside of its window: exact
        (30, (0, 100), (40, 50), 30),
        (120, (0, 100), (0, 110), 120),  # at least 120
        (120, (0, 100), (0, 130), None),
        (-20, (0, 100), (-10, 50), -20),  # at most -20
        (-20, (0, 100), (-30, 50), None),
        (100, (0, 100), (0, 110), None),  # at least 100
        (0, (0, 100), (-10, 10), None),  # at most 0
    ],
)
def test_a_score_is_good_for_the_windows_that_it_settles(
    score: int, window: tuple[int, int], asked: tuple[int, int], answer: int | None
) -> None:
    table = Table(10)
    table.store("position", 3, score, MOVE, window=window, ply=2)
    entry = table.get("position")
    assert entry is not None
    assert entry.move == MOVE
    assert settles(entry, 3, *asked, ply=2) == answer
    assert settles(entry, 2, *asked, ply=2) == answer
    assert settles(entry, 4, *asked, ply=2) is None


def test_mate_is_counted_from_the_position_and_not_from_the_root() -> None:
    table = Table(10)
    table.store("wins", 3, mate_in(5), MOVE, window=(-200_000, 200_000), ply=2)
    table.store("loses", 3, mated_in(6), None, window=(-200_000, 200_000), ply=2)
    wins, loses = table.get("wins"), table.get("loses")
    assert wins is not None
    assert loses is not None
    assert settles(wins, 3, -200_000, 200_000, ply=4) == mate_in(7)
    assert settles(loses, 3, -200_000, 200_000, ply=0) == mated_in(4)
