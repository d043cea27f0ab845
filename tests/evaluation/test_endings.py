"""A finished game has its result; checkmate is decisive, and the nearer one more so."""

from __future__ import annotations

import chess
import pytest

from bot.evaluation import LIMIT, MATE, game_value
from bot.position import new_board

MATED_BLACK = "7k/5KQ1/8/8/8/8/8/8 b - - 0 1"


def test_a_game_that_goes_on_has_no_final_value() -> None:
    assert game_value(chess.Board()) is None
    assert game_value(chess.Board("7k/8/5KQ1/8/8/8/8/8 w - - 0 1")) is None


def test_checkmate_outweighs_every_evaluation_and_each_ply_until_it() -> None:
    assert game_value(chess.Board(MATED_BLACK)) == MATE > LIMIT + 1000
    assert game_value(chess.Board(MATED_BLACK), 3) == MATE - 3
    assert game_value(chess.Board(MATED_BLACK).mirror(), 3) == 3 - MATE


def test_fools_mate() -> None:
    board = chess.Board()
    for san in ("f3", "e5", "g4", "Qh4#"):
        assert game_value(board, len(board.move_stack)) is None
        board.push_san(san)
    assert game_value(board, 4) == 4 - MATE


@pytest.mark.parametrize(
    "fen",
    [
        "7k/5K2/6Q1/8/8/8/8/8 b - - 0 1",  # stalemate, a queen up
        "7k/8/8/8/8/8/8/KN6 w - - 0 1",  # a knight cannot mate
        "7k/8/8/8/8/8/8/KR6 w - - 150 99",  # 75 moves
    ],
)
def test_every_other_ending_is_a_draw(fen: str) -> None:
    assert game_value(chess.Board(fen)) == 0


def test_mate_on_the_last_of_75_moves_is_mate() -> None:
    assert game_value(chess.Board(MATED_BLACK.replace(" 0 1", " 150 99"))) == MATE


def test_the_fifth_time_is_a_draw() -> None:
    board = chess.Board()
    for _ in range(4):
        assert game_value(board) is None
        for san in ("Nf3", "Nf6", "Ng1", "Ng8"):
            board.push_san(san)
    assert game_value(board) == 0


@pytest.mark.parametrize(
    ("variant", "fen", "winner"),
    [
        ("kingOfTheHill", "7k/8/8/8/3K4/8/8/8 b - - 0 1", 1),
        ("threeCheck", "7k/8/8/8/8/8/8/K6R b - - 0 3 0 1", None),
        ("threeCheck", "7k/8/8/8/8/8/8/K6R b - - 0+3 0 1", 1),
        ("antichess", "8/8/8/8/8/8/8/7r w - - 0 1", 1),  # White has lost everything
        ("racingKings", "K7/8/8/8/8/8/7k/8 w - - 0 1", 1),
        ("horde", "4k3/8/8/8/8/8/8/8 w - - 0 1", -1),
    ],
)
def test_variants_end_by_their_own_rules(variant: str, fen: str, winner: int | None) -> None:
    if winner is None:
        fen = fen.replace(" 0 3 0 1", " 1+3 0 1")
    value = game_value(new_board(variant, fen), 5)
    assert value == (None if winner is None else winner * (MATE - 5))
