"""Plain players, to compare with."""

from __future__ import annotations

import pytest

from bot.errors import StrategyNameError
from bot.strategies.registry import load, parse_spec
from bot.strategies.turn_tools import facts_from_fen, take_turn

#: A pawn that is protected: it costs the queen, which one ply does not see, and two do.
POISONED = "6k1/5ppp/4p3/3p4/8/8/3Q1PPP/6K1 w - - 0 30"
#: 1 Qh6+ Kxh6 2 Bxf6 mate.
MATE_IN_TWO = "r1bq2r1/b4pk1/p1pp1p2/1p2pP2/1P2P1PB/3P4/1PPQ2P1/R3K2R w KQ - 0 1"


def played(strategy: str, fen: str) -> str:
    return take_turn(load(parse_spec(strategy)), facts_from_fen(fen)).move


def test_one_ply_takes_what_it_sees_and_two_plies_see_more() -> None:
    assert played("greedy", POISONED) == played("fixed_depth:depth=1", POISONED) == "d2d5"
    assert played("fixed_depth", POISONED) == played("fixed_depth:depth=2", POISONED) != "d2d5"


def test_three_plies_see_a_mate_in_two() -> None:
    assert played("fixed_depth:depth=3", MATE_IN_TWO) == "d2h6"
    assert played("greedy", MATE_IN_TWO) != "d2h6"


def test_greedy_mates_when_it_can() -> None:
    assert played("greedy", "6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1") == "a1a8"


def test_a_depth_of_nothing_is_refused() -> None:
    with pytest.raises(StrategyNameError, match="fixed_depth: depth is 0; it must be from 1 to 20"):
        load(parse_spec("fixed_depth:depth=0"))
