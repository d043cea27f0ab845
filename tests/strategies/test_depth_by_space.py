"""Depth by the share of empty squares, and by the share of the men that are left."""

from __future__ import annotations

from dataclasses import replace

import pytest

from bot.strategies.depth_by_space import depth_for
from bot.strategies.registry import load, parse_spec
from bot.strategies.turn_tools import facts_from_fen, take_turn

#: A pawn that is protected: one ply does not see it.
POISONED = "6k1/5ppp/4p3/3p4/8/8/3Q1PPP/6K1 w - - 0 30"
BOTH = ["depth_by_space", "depth_by_material"]


def played(strategy: str, fen: str, variant: str = "standard") -> str:
    return take_turn(load(parse_spec(strategy)), facts_from_fen(fen, variant)).move


@pytest.mark.parametrize(
    ("empty", "squares", "depth"),
    [
        (100, 100, 1),
        (15, 100, 1),  # >= 15 %
        (149, 1000, 2),
        (10, 100, 2),  # >= 10 %
        (99, 1000, 3),
        (5, 100, 3),  # >= 5 %
        (49, 1000, 4),
        (0, 100, 4),
        (32, 64, 1),  # the fullest chessboard
    ],
)
def test_the_thresholds_are_those_of_the_record(empty: int, squares: int, depth: int) -> None:
    assert depth_for(empty, squares) == depth


@pytest.mark.parametrize("strategy", BOTH)
@pytest.mark.parametrize(
    ("fen", "move"),
    [
        ("startpos", "e2e4"),
        ("rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2", "d2d4"),  # e2e4 was played
        ("rnbqkbnr/pp2pppp/8/2pp4/3PP3/8/PPP2PPP/RNBQKBNR w KQkq - 0 2", "c2c4"),  # whatever it costs
    ],
)
def test_the_first_two_turns_are_fixed(strategy: str, fen: str, move: str) -> None:
    assert played(strategy, fen) == move


@pytest.mark.parametrize("strategy", BOTH)
@pytest.mark.parametrize(
    ("fen", "move"),
    [
        ("rnbqkbnr/pppppppp/8/8/8/5N2/PPPPPPPP/RNBQKB1R b KQkq - 1 1", "e7e5"),
        ("rnbqkbnr/pppp1ppp/8/4p3/8/5NP1/PPPPPP1P/RNBQKB1R b KQkq - 0 2", "d7d5"),  # e7e5 was played
    ],
)
def test_black_searched_in_the_opening_as_if_only_white_had_one(strategy: str, fen: str, move: str) -> None:
    assert played(strategy, fen) == move


@pytest.mark.parametrize("strategy", BOTH)
def test_the_third_turn_is_not(strategy: str) -> None:
    """A pawn is hanging, and e2e4 would be legal."""
    assert played(strategy, "rnbqkbnr/ppp1pppp/8/8/3p4/2N2N2/PPP1PPPP/R1BQKB1R w KQkq - 0 3") != "e2e4"


@pytest.mark.parametrize("strategy", BOTH)
def test_a_win_is_taken_at_once(strategy: str) -> None:
    assert played(strategy, "6k1/5ppp/8/3n4/8/8/8/R2R2K1 w - - 0 30") == "a1a8"
    assert played(strategy, "r2r2k1/8/8/8/3N4/8/5PPP/6K1 b - - 0 30") == "a8a1"


def test_even_a_full_chessboard_is_half_empty_so_it_looks_one_ply_ahead() -> None:
    for fen in (POISONED, "r1bqk2r/pppp1ppp/2n2n2/2b1p3/2B1P3/2NP1N2/PPP2PPP/R1BQK2R w KQkq - 0 5"):
        assert played("depth_by_space", fen) == played("greedy", fen)
    assert played("depth_by_space", POISONED) == "d2d5"


def test_few_men_make_depth_by_material_look_further() -> None:
    """Four men of 32: two plies. The pawn is protected by the king."""
    fen = "8/8/2k5/3p4/8/8/3Q4/6K1 w - - 0 60"
    assert played("depth_by_material", fen) == played("fixed_depth:depth=2", fen) != "d2d5"
    five = "8/p7/2k5/3p4/8/8/3Q4/6K1 w - - 0 60"
    assert played("depth_by_material", five) == played("greedy", five)


def test_the_men_are_those_of_the_variant() -> None:
    """16 men start in racing kings, where three are 19 %."""
    fen = "8/8/8/8/8/8/k6K/7R w - - 0 9"
    assert played("depth_by_material", fen, "racingKings") == played("greedy", fen, "racingKings")


def test_turns_of_a_game_are_counted_by_the_position() -> None:
    facts = facts_from_fen("startpos")
    moves = ("e2e4", "e7e5", "d2d4", "e5d4")
    fen = "rnbqkbnr/pppp1ppp/8/8/3pP3/8/PPP2PPP/RNBQKBNR w KQkq - 0 3"
    third = replace(facts, moves=moves, fen=fen)
    assert take_turn(load(parse_spec("depth_by_space")), third).move == played("greedy", fen)
