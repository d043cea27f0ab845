"""The erratic strategy: as good as its word, in either sense."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

import pytest

from bot.bench.erratic import Erratic, Mishap, mishap
from bot.errors import IllegalMoveError, NoMoveError, SecondMoveError, StrategyError
from bot.strategies.contract import TurnFacts
from bot.strategies.turn_tools import facts_from_fen, take_turn

FACTS = facts_from_fen("startpos")


def facts_of(wanted: Mishap) -> TurnFacts:
    """A turn in which that goes wrong."""
    names = (f"game{number}" for number in range(10_000))
    return replace(FACTS, game_id=next(name for name in names if mishap(1, 1.0, name, 0) is wanted))


def test_mishaps_are_as_frequent_as_they_should_be_and_of_every_kind() -> None:
    drawn = Counter(mishap(1, 0.25, "game0001", ply) for ply in range(4_000))
    assert 900 < 4_000 - drawn.pop(None) < 1_100
    assert drawn.keys() == set(Mishap)
    assert min(drawn.values()) > 80


def test_they_are_the_same_whoever_asks() -> None:
    assert [mishap(7, 0.5, "a", ply) for ply in range(50)] == [mishap(7, 0.5, "a", ply) for ply in range(50)]
    assert [mishap(7, 0.5, "a", ply) for ply in range(50)] != [mishap(8, 0.5, "a", ply) for ply in range(50)]


def test_without_mishaps_it_plays_a_legal_move() -> None:
    choice = take_turn(Erratic(), FACTS)
    assert choice.note is None
    assert choice.move in [move.uci() for move in FACTS.board().legal_moves]


@pytest.mark.parametrize(
    ("wanted", "error"),
    [
        (Mishap.ILLEGAL, IllegalMoveError),
        (Mishap.NO_MOVE, NoMoveError),
        (Mishap.TWO_MOVES, SecondMoveError),
        (Mishap.ERROR, StrategyError),
    ],
)
def test_a_breach_is_the_breach_that_was_drawn(wanted: Mishap, error: type[StrategyError]) -> None:
    with pytest.raises(error):
        take_turn(Erratic(seed=1, rate=1.0), facts_of(wanted))


def test_noise_does_not_keep_it_from_its_move(capfd: pytest.CaptureFixture[str]) -> None:
    assert take_turn(Erratic(seed=1, rate=1.0), facts_of(Mishap.NOISE)).move
    assert "bestmove" in capfd.readouterr().out
