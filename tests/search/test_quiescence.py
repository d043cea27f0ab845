"""No position is judged in the midst of an exchange."""

from __future__ import annotations

import random

import chess
import chess.variant
import pytest

from bot.search.leaf import Leaf
from bot.search.limits import Limits, Meter
from bot.search.ordering import Ordering
from bot.search.plain import fixed_depth
from bot.search.quiescence import Quiescence
from bot.search.scores import INFINITY, mate_in, mated_in
from bot.timing.clock import VirtualClock
from tests.search.kit import look, material, noise, playouts


def quiet_score(board: chess.Board, alpha: int = -INFINITY, beta: int = INFINITY) -> tuple[int, int]:
    """The score of `board` for the side to move, and how many nodes it took."""
    meter = Meter(Limits(), VirtualClock())
    quiescence = Quiescence(board, Leaf(material), Ordering(board), meter)
    before = board.copy()
    score = quiescence.search(alpha, beta, 1, in_check=board.is_check())
    assert board == before
    assert board.move_stack == before.move_stack
    return score, meter.nodes


@pytest.mark.parametrize(
    ("fen", "score"),
    [
        ("4k3/8/8/3q4/8/4N3/P7/4K3 w - - 0 1", 420),  # a queen for nothing
        ("4k3/8/4p3/3q4/8/4N3/8/4K3 w - - 0 1", -100),  # a queen for a knight
        ("4k3/8/4p3/3p4/8/8/3Q4/4K3 w - - 0 1", 700),  # a pawn that is protected: better not
        ("4k3/P7/8/8/8/8/8/4K3 w - - 0 1", 900),  # a pawn that is about to be a queen
        ("1r2k3/P7/8/8/8/8/8/4K3 w - - 0 1", 900),  # by capturing
        ("4k3/8/8/8/8/8/8/4K3 w - - 0 1", 0),
        ("4k3/8/8/2pP4/8/8/8/4K3 w - c6 0 2", 100),  # en passant
    ],
)
def test_what_it_sees(fen: str, score: int) -> None:
    board = chess.Board(fen)
    assert quiet_score(board)[0] == score
    assert quiet_score(board.mirror())[0] == score


def test_in_check_every_way_out_counts() -> None:
    mate = chess.Board("R5k1/5ppp/8/8/8/8/8/6K1 b - - 0 1")
    assert quiet_score(mate)[0] == mated_in(1)
    check_costs_the_queen = chess.Board("4k3/8/8/8/8/8/4q3/3QK2n w - - 0 1")
    assert quiet_score(check_costs_the_queen)[0] == 900 - 320


def test_a_window_only_cuts_short() -> None:
    """Inside of the window the score is that without one; outside it lies on the right side of it."""
    rng = random.Random(5)
    cut = 0
    for board in playouts(5, 60, plies=(10, 60)):
        score, nodes = quiet_score(board)
        alpha = score + rng.randint(-400, 300)
        beta = alpha + rng.randint(1, 300)
        found, fewer = quiet_score(board, alpha, beta)
        assert fewer <= nodes
        cut += fewer < nodes
        if alpha < score < beta:
            assert found == score
        elif score <= alpha:
            assert score <= found <= alpha
        else:
            assert beta <= found <= score
    assert cut


def test_material_is_not_hung() -> None:
    """One ply deep, plain search takes what is protected, and this one does not."""
    for fen, greedy, careful_not in [
        ("4k3/8/4p3/3p4/8/8/3Q4/4K3 w - - 0 1", "d2d5", "d2d5"),
        ("r3k3/1p6/p7/8/8/8/R7/4K3 w - - 0 1", "a2a6", "a2a6"),
    ]:
        assert fixed_depth(chess.Board(fen), 1, material)[0].uci() == greedy
        assert look(fen, 1).move.uci() != careful_not


def test_what_it_leaves_is_never_worse_than_standing_still() -> None:
    for board in playouts(6, 40):
        if not board.is_check():
            worth = material(board) if board.turn == chess.WHITE else -material(board)
            assert quiet_score(board)[0] >= worth


def test_in_antichess_nobody_may_stand_still_who_can_capture() -> None:
    """The bishop has to take, and Black has to take it: White has lost everything, and won."""
    board = chess.variant.AntichessBoard("8/1p6/p7/8/8/3B4/8/8 w - - 0 1")
    assert [move.uci() for move in board.legal_moves] == ["d3a6"]
    assert quiet_score(board)[0] == mate_in(3)


@pytest.mark.parametrize("rules", chess.variant.VARIANTS, ids=lambda rules: rules.uci_variant)
def test_it_ends_in_every_variant(rules: type[chess.Board]) -> None:
    for board in playouts(8, 5, rules, plies=(10, 50)):
        leaf, meter = Leaf(noise), Meter(Limits(nodes=200_000), VirtualClock())
        quiescence = Quiescence(board, leaf, Ordering(board), meter)
        quiescence.search(-INFINITY, INFINITY, 1, in_check=board.is_check())


@pytest.mark.parametrize(
    ("fen", "score"),
    [
        ("6Q1/8/7k/8/6K1/8/8/8 b - - 0 61", 0),  # a bare king
        ("7k/p4Q2/P7/8/8/8/8/6K1 b - - 0 1", 0),  # beside a pawn that is stopped
        ("8/8/8/8/8/6k1/7p/7K w - - 0 1", 0),
        ("k7/p1K5/P7/8/8/8/8/6R1 b - - 0 1", 0),
        ("7k/8/5KQ1/8/8/8/8/8 b - - 0 1", 0),
    ],
)
def test_stalemate_was_not_seen_at_a_leaf(fen: str, score: int) -> None:
    assert quiet_score(chess.Board(fen))[0] == score
