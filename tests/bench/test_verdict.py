"""Who is to blame for the end of a game."""

from __future__ import annotations

from dataclasses import replace

import pytest

from bot.bench.verdict import lost_to_plumbing
from bot.local_lichess import GameSnapshot

WHITE_TO_MOVE = "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2"
GAME = GameSnapshot(
    id="game0001",
    white="knight",
    black="guest",
    variant="standard",
    speed="blitz",
    rated=False,
    status="mate",
    winner="white",
    moves=("e2e4", "e7e5"),
    fen=WHITE_TO_MOVE,
    white_ms=1,
    black_ms=1,
    draw_offered_by=None,
    takeback_proposed_by=None,
    chat=(),
)


@pytest.mark.parametrize("status", ["mate", "stalemate", "draw", "variantEnd"])
@pytest.mark.parametrize("winner", ["white", "black", None])
def test_the_rules_of_chess_are_nobodys_fault(status: str, winner: str | None) -> None:
    assert lost_to_plumbing(replace(GAME, status=status, winner=winner), "knight") is None  # type: ignore[arg-type]  # parametrized


@pytest.mark.parametrize("status", ["started", "created"])
def test_a_game_must_come_to_an_end(status: str) -> None:
    assert lost_to_plumbing(replace(GAME, status=status, winner=None), "knight") == "not finished"


def test_a_fallen_flag_is_the_fault_of_whose_turn_it_is() -> None:
    game = replace(GAME, status="outoftime", winner="black")
    assert lost_to_plumbing(game, "knight") == "our flag fell"
    assert lost_to_plumbing(replace(game, winner=None), "knight") == "our flag fell", "and nobody could mate"
    assert lost_to_plumbing(replace(game, winner="white"), "guest") is None


def test_only_our_own_resignation_counts() -> None:
    game = replace(GAME, status="resign", winner="black")
    assert lost_to_plumbing(game, "knight") == "we resigned"
    assert lost_to_plumbing(game, "guest") is None


@pytest.mark.parametrize("status", ["aborted", "noStart", "timeout"])
def test_nobody_but_us_ends_a_game_in_these_ways(status: str) -> None:
    assert lost_to_plumbing(replace(GAME, status=status, winner=None), "knight") == status
