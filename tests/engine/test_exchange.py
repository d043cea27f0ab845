"""Exchanges, against a plain reckoning of every way in which they can go."""

from __future__ import annotations

import random

import chess
import pytest

from bot.engine.attacks import checkers, pinned
from bot.engine.exchange import wins_at_least
from bot.engine.generate import recall_move
from bot.engine.position import load, name_of
from bot.engine.state import State, new_state
from bot.evaluation.weights import PIECE_VALUES
from tests.engine.kit import random_positions


@pytest.fixture(scope="module")
def state() -> State:
    return new_state()


def worth(board: chess.Board, square: chess.Square) -> int:
    """What the man there is worth; 0 for none."""
    piece_type = board.piece_type_at(square)
    return 0 if piece_type is None else PIECE_VALUES[piece_type]


def best_reply(board: chess.Board, square: chess.Square, colour: chess.Color) -> int:
    """What `colour` gains by taking on `square` with its cheapest man, or not.

    Nobody looks at pins or checks, but no king takes what is defended."""
    takers = board.attackers(colour, square)
    if not takers:
        return 0
    taker = min(takers, key=lambda each: worth(board, each))
    after = board.copy(stack=False)
    gain = worth(board, square)
    man = after.remove_piece_at(taker)
    assert man is not None
    after.set_piece_at(square, man)
    if man.piece_type == chess.KING and after.attackers(not colour, square):
        return 0
    return max(0, gain - best_reply(after, square, not colour))


def naive(board: chess.Board, move: chess.Move) -> int:
    """What `move` is worth after all that may follow on its square."""
    after = board.copy(stack=False)
    gain = PIECE_VALUES[chess.PAWN] if board.is_en_passant(move) else worth(board, move.to_square)
    after.push(move)
    if move.promotion:
        gain += PIECE_VALUES[move.promotion] - PIECE_VALUES[chess.PAWN]
    return gain - best_reply(after, move.to_square, not board.turn)


def test_as_a_plain_reckoning(state: State) -> None:
    rng = random.Random(5)
    seen = 0
    for board in random_positions(600, seed=4):
        load(state, board)
        captures = [move for move in board.legal_moves if not board.is_castling(move)]
        for move in rng.sample(captures, min(6, len(captures))):
            engine_move = recall_move(state, name_of(move, board), checkers(state), pinned(state))
            expected = naive(board, move)
            assert wins_at_least(state, engine_move, expected), (board.fen(), move, expected)
            assert not wins_at_least(state, engine_move, expected + 1), (board.fen(), move, expected)
            seen += expected != 0
    assert seen > 500


@pytest.mark.parametrize(
    ("fen", "move", "value"),
    [
        ("4k3/8/3p4/4n3/8/8/4R3/4K3 w - - 0 1", "e2e5", 320 - 500),
        ("4k3/8/8/4n3/8/8/4R3/4K3 w - - 0 1", "e2e5", 320),
        ("4k3/4r3/8/4p3/8/8/4R3/4RK2 w - - 0 1", "e2e5", 100),  # the rook behind takes part
        ("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", "e1g1", 0),
        ("4k3/8/8/2pP4/8/8/8/4K3 w - c6 0 1", "d5c6", 100),
        ("4k2r/6P1/8/8/8/8/8/4K3 w - - 0 1", "g7h8q", 500 + 900 - 100),
    ],
)
def test_by_hand(state: State, fen: str, move: str, value: int) -> None:
    board = chess.Board(fen)
    load(state, board)
    name = name_of(chess.Move.from_uci(move), board)
    engine_move = recall_move(state, name, checkers(state), pinned(state))
    assert wins_at_least(state, engine_move, value)
    assert not wins_at_least(state, engine_move, value + 1)
