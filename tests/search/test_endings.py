"""What the search takes for the end of a game is what python-chess takes for it."""

from __future__ import annotations

import random

import chess
import chess.variant
import pytest

from bot.search.endings import captures_are_forced, fifty_moves, settled, without_moves
from bot.search.scores import mate_in, mated_in

RULES = [chess.Board, *chess.variant.VARIANTS]


def score_of(board: chess.Board, ply: int) -> int | None:
    """As a search finds it: by the rules alone, or for want of moves. None: the game goes on."""
    over = settled(board, ply)
    if over is None and not any(board.legal_moves):
        over = without_moves(board, ply, in_check=board.is_check())
    return over


def expected(board: chess.Board, ply: int) -> int | None:
    outcome = board.outcome()
    if outcome is None or outcome.termination in (
        chess.Termination.SEVENTYFIVE_MOVES,
        chess.Termination.FIVEFOLD_REPETITION,
    ):
        return None
    if outcome.winner is None:
        return 0
    return mate_in(ply) if outcome.winner == board.turn else mated_in(ply)


@pytest.mark.parametrize("rules", RULES, ids=lambda rules: rules.uci_variant)
def test_every_position_of_whole_games(rules: type[chess.Board]) -> None:
    rng = random.Random(61)
    ended = 0
    for _ in range(12):
        board = rules()
        for ply in range(200):
            assert score_of(board, ply) == expected(board, ply), board.fen()
            if board.is_game_over():
                ended += 1
                break
            board.push(rng.choice(list(board.legal_moves)))
    assert ended


@pytest.mark.parametrize(
    ("rules", "fen", "score"),
    [
        (chess.Board, "R5k1/5ppp/8/8/8/8/8/6K1 b - - 0 1", mated_in(4)),
        (chess.Board, "7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", 0),
        (chess.Board, "7k/8/6K1/8/8/8/8/5B2 b - - 0 1", 0),
        (chess.Board, "7k/8/6K1/8/8/8/8/5R2 b - - 0 1", None),
        (chess.variant.KingOfTheHillBoard, "7k/8/8/8/3K4/8/8/8 b - - 0 1", mated_in(4)),
        (chess.variant.KingOfTheHillBoard, "7k/8/8/8/8/3K4/8/8 b - - 0 1", None),  # bare kings can still win
        (chess.variant.ThreeCheckBoard, "R3k3/8/8/8/8/8/8/4K3 b - - 0+3 0 1", mated_in(4)),
        (chess.variant.AtomicBoard, "8/8/8/8/8/8/8/3QK3 b - - 0 1", mated_in(4)),
        (chess.variant.RacingKingsBoard, "1K5k/8/8/8/8/8/8/8 w - - 0 1", 0),
        (chess.variant.HordeBoard, "8/8/8/8/8/8/8/k7 w - - 0 1", mated_in(4)),
        (chess.variant.AntichessBoard, "8/8/8/8/8/8/8/k7 w - - 0 1", mate_in(4)),  # all is lost: won
        (chess.variant.AntichessBoard, "8/8/8/8/8/p7/P7/8 w - - 0 1", mate_in(4)),  # and so is stalemate
    ],
)
def test_known_endings(rules: type[chess.Board], fen: str, score: int | None) -> None:
    board = rules(fen)
    assert score_of(board, 4) == expected(board, 4) == score


def test_mate_comes_before_the_fifty_moves() -> None:
    assert fifty_moves(chess.Board("7k/8/8/8/8/8/R7/K7 b - - 100 90"))
    assert not fifty_moves(chess.Board("7k/8/8/8/8/8/R7/K7 b - - 99 90"))
    assert not fifty_moves(chess.Board("R5k1/5ppp/8/8/8/8/8/6K1 b - - 100 90"))
    assert not fifty_moves(chess.variant.CrazyhouseBoard("7k/8/8/8/8/8/R7/K7[] b - - 120 90"))


def test_where_captures_are_forced() -> None:
    fen = "8/1p6/p7/8/8/3B4/8/8 w - - 0 1"
    assert captures_are_forced(chess.variant.AntichessBoard(fen))
    assert not captures_are_forced(chess.variant.AntichessBoard("8/1p6/8/8/8/3B4/8/8 w - - 0 1"))
    assert not captures_are_forced(chess.Board("7k/1p6/p7/8/8/3B4/8/K7 w - - 0 1"))
