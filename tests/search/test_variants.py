"""Every variant that python-chess knows plays, and wins as its own rules have it."""

from __future__ import annotations

import chess
import chess.variant
import pytest

from bot.evaluation import evaluate
from bot.search.scores import DECISIVE, mate_in
from tests.search.kit import look, playouts


@pytest.mark.parametrize("rules", chess.variant.VARIANTS, ids=lambda rules: rules.uci_variant)
def test_a_legal_move_is_found_within_the_limit(rules: type[chess.Board]) -> None:
    for board in playouts(51, 4, rules):
        found = look(board, nodes=120, evaluate=evaluate)
        assert found.move in board.legal_moves
        assert found.nodes <= 120


@pytest.mark.parametrize(
    ("rules", "fen", "moves"),
    [
        (chess.variant.KingOfTheHillBoard, "7k/8/8/8/8/3K4/8/8 w - - 0 1", {"d3d4", "d3e4"}),
        (chess.variant.AtomicBoard, "3qk3/8/8/8/8/8/8/3QK3 w - - 0 1", {"d1d8"}),  # the king explodes
        (chess.variant.ThreeCheckBoard, "4k3/8/8/8/8/8/8/R3K3 w - - 1+3 0 1", {"a1a8"}),
        (chess.variant.RacingKingsBoard, "8/2K5/8/8/8/8/7k/8 w - - 0 1", {"c7b8", "c7c8", "c7d8"}),
        (chess.variant.CrazyhouseBoard, "6rk/6pp/8/8/8/8/8/6K1[N] w - - 0 1", {"N@f7"}),
        (chess.variant.HordeBoard, "8/8/8/8/8/8/1k6/P7 b - - 0 1", {"b2a1"}),  # the last of the pawns
        (chess.variant.AntichessBoard, "8/8/8/1p6/P7/8/8/8 b - - 0 1", None),
        (chess.variant.AntichessBoard, "8/8/8/1p6/8/P7/8/8 w - - 0 1", {"a3a4"}),  # and Black must take
    ],
)
def test_a_win_is_found(rules: type[chess.Board], fen: str, moves: set[str] | None) -> None:
    board = rules(fen)
    found = look(board, 3, evaluate=evaluate)
    if moves is None:
        assert found.score < -DECISIVE  # by taking it loses: it was the other side that wanted to be taken
    else:
        assert found.move.uci() in moves
        assert found.score in (mate_in(1), mate_in(2))


def test_a_loss_by_the_variants_rules_is_avoided() -> None:
    """Black keeps the king off the hill, instead of taking the queen."""
    fen = "r6Q/8/8/8/8/4K3/8/6k1 b - - 0 1"
    assert look(fen, 2).move.uci() == "a8h8"
    assert look(chess.variant.KingOfTheHillBoard(fen), 2).move.uci() == "a8a4"
