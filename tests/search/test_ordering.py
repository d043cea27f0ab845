"""The likely best moves come first, and none is left out."""

from __future__ import annotations

import chess
import chess.variant
import pytest

from bot.search.ordering import QUIET, Ordering
from tests.search.kit import playouts


def order(board: chess.Board, ordering: Ordering | None = None, first: str | None = None) -> list[str]:
    ordering = ordering or Ordering(board)
    hash_move = None if first is None else chess.Move.from_uci(first)
    return [move.uci() for move in ordering.moves(board, hash_move, 3)]


@pytest.mark.parametrize("rules", [chess.Board, *chess.variant.VARIANTS], ids=lambda rules: rules.uci_variant)
def test_every_legal_move_comes_once(rules: type[chess.Board]) -> None:
    for board in playouts(31, 8, rules):
        legal = sorted(move.uci() for move in board.legal_moves)
        assert sorted(order(board)) == legal
        assert sorted(order(board, first=legal[-1])) == legal
        assert order(board, first=legal[-1])[0] == legal[-1]


#: White may take the queen with pawn, knight or queen, the rook with the knight, and a pawn with the queen.
MANY = chess.Board("7k/1p6/p3p3/3q4/Q1P3r1/4N3/8/4K3 w - - 0 1")


def test_the_greatest_victim_first_then_the_cheapest_capturer_and_losing_captures_last() -> None:
    assert order(MANY)[:3] == ["c4d5", "e3d5", "e3g4"]
    assert order(MANY)[-1] == "a4a6"
    free = chess.Board(MANY.fen().replace("1p6", "8"))
    assert order(free)[3] == "a4a6"


def test_where_pieces_are_not_traded_no_capture_is_called_losing() -> None:
    board = chess.variant.AtomicBoard("7k/1p6/p7/8/Q7/8/8/4K3 w - - 0 1")
    assert order(board)[0] == "a4a6"


def test_a_new_queen_comes_early_and_lesser_pieces_last() -> None:
    moves = order(chess.Board("7k/P7/8/8/8/8/8/K7 w - - 0 1"))
    assert moves[0] == "a7a8q"
    assert sorted(moves[-3:]) == ["a7a8b", "a7a8n", "a7a8r"]


def test_what_refuted_a_sister_comes_before_other_quiet_moves() -> None:
    board = chess.Board()
    ordering = Ordering(board)
    for move in ("a2a3", "h2h3", "g2g3"):  # two are kept
        ordering.refuted(board, chess.Move.from_uci(move), depth=1, ply=3)
    assert order(board, ordering)[:3] == ["g2g3", "h2h3", "a2a3"]  # the third by its history
    assert [move.uci() for move in ordering.moves(board, None, 5)][:3] != ["g2g3", "h2h3", "a2a3"]


def test_history_remembers_the_side() -> None:
    board = chess.Board()
    ordering = Ordering(board)
    ordering.refuted(board, chess.Move.from_uci("b1a3"), depth=4, ply=1)
    assert order(board, ordering)[0] == "b1a3"
    black = chess.Board("4k3/8/8/8/8/8/8/Kn6 b - - 0 1")
    assert ordering.rank(black, chess.Move.from_uci("b1a3"), 3) == QUIET


def test_captures_are_no_killers() -> None:
    ordering = Ordering(MANY)
    ordering.refuted(MANY, chess.Move.from_uci("a4a6"), depth=9, ply=3)
    assert order(MANY, ordering)[-1] == "a4a6"


def test_history_stays_in_its_band() -> None:
    board = chess.Board("4k3/8/8/8/8/8/1p6/K6R w - - 0 1")
    ordering = Ordering(board)
    for _ in range(50):
        ordering.refuted(board, chess.Move.from_uci("h1h2"), depth=1000, ply=1)
    assert order(board, ordering)[0] == "a1b2"
