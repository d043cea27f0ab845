"""A bare king is driven to where it can be mated, and mated."""

from __future__ import annotations

import chess
import pytest

from bot.evaluation import WEIGHTS, evaluate
from bot.position import new_board
from bot.search import Limits, deepen
from bot.timing.clock import VirtualClock
from tests.evaluation.kit import term

FAMILY = "bare king"
ROOK = "8/8/8/3k4/8/8/8/R3K3 w - - 0 1"


@pytest.mark.parametrize(
    ("fen", "steps", "corner", "close"),
    [
        (ROOK, 0, 0, 3),
        ("k7/8/1K6/8/8/8/8/7R w - - 0 1", 6, 0, 5),
        ("k7/8/1K6/8/8/8/8/6QP w - - 0 1", 6, 0, 5),  # pawns do not matter
        ("k7/8/1K6/8/8/8/8/5BB1 w - - 0 1", 6, 0, 5),
        ("k7/8/1K6/8/8/8/8/4N1B1 w - - 0 1", 6, 0, 5),  # the wrong corner
        ("k7/8/1K6/8/8/8/8/4NB2 w - - 0 1", 6, 7, 5),  # the right one
        ("7k/8/1K6/8/8/8/8/4N1B1 w - - 0 1", 6, 7, 1),
        ("k7/8/1K6/8/8/8/8/7P w - - 0 1", 0, 0, 0),  # nothing to mate with, yet
        ("k7/8/1K6/8/8/8/8/3NN3 w - - 0 1", 0, 0, 0),
        ("k7/8/1K6/8/8/8/3B4/6B1 w - - 0 1", 0, 0, 0),  # both on dark squares
        ("k7/p7/1K6/8/8/8/8/7R w - - 0 1", 0, 0, 0),  # not bare
    ],
)
def test_the_terms_count_steps(fen: str, steps: int, corner: int, close: int) -> None:
    for board, color in ((chess.Board(fen), chess.WHITE), (chess.Board(fen).mirror(), chess.BLACK)):
        assert term(board, FAMILY, "driven to the edge", color)[1] == steps * WEIGHTS.bare_king_step[1]
        assert (
            term(board, FAMILY, "driven to the corner", color)[1] == corner * WEIGHTS.bare_king_to_corner[1]
        )
        assert term(board, FAMILY, "kings close", color)[1] == close * WEIGHTS.kings_close[1]
        assert term(board, FAMILY, "kings close", not color) == (0, 0)


def test_where_kings_can_be_dropped_on_it_is_not_asked() -> None:
    with pytest.raises(ValueError, match="not enough values"):
        term(new_board("crazyhouse", "startpos"), FAMILY, "kings close")


@pytest.mark.parametrize(
    ("fen", "nodes"),
    [
        ("8/8/8/5K2/8/8/5R2/2k5 w - - 0 1", 600),
        ("8/6R1/2k5/8/8/8/7K/8 w - - 0 1", 600),
        ("8/8/8/3k4/8/8/4K3/7R b - - 0 1", 600),
        ("6k1/8/8/8/8/8/4K3/3Q4 w - - 0 1", 600),
        ("8/8/8/8/5k2/8/B7/2B1K3 w - - 0 1", 1500),
    ],
)
def test_a_rook_or_two_bishops_did_not_mate_a_bare_king(fen: str, nodes: int) -> None:
    """They went round in circles until it was a draw."""
    board = chess.Board(fen)
    while not board.is_game_over() and not board.is_repetition(3) and not board.is_fifty_moves():
        few = Limits(nodes=nodes if board.turn == chess.WHITE else 100)
        board.push(deepen(board, few, evaluate=evaluate, clock=VirtualClock()).move)
    assert board.is_checkmate()
