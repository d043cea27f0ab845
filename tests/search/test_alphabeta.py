"""What makes a search fast must not change what it finds."""

from __future__ import annotations

import chess
import chess.variant
import pytest

from bot.search.alphabeta import Features
from bot.search.plain import Plain
from tests.search.kit import NOTHING_CLEVER, after, look, material, noise, playouts

WITH_TABLE = Features(table=True, quiescence=False, check_extension=False, reductions=False)


def minimax(board: chess.Board, depth: int) -> int:
    """The score for the side to move, of the search that leaves nothing out."""
    _, score = Plain(board, noise, window="none").best(depth)
    return score if board.turn == chess.WHITE else -score


@pytest.mark.parametrize("features", [NOTHING_CLEVER, WITH_TABLE], ids=["window alone", "with table"])
@pytest.mark.parametrize("depth", [1, 2, 3])
def test_it_finds_what_minimax_finds(features: Features, depth: int) -> None:
    count, plies = [(40, (4, 70)), (12, (4, 70)), (2, (50, 80))][depth - 1]
    for board in playouts(depth, count, plies=plies):
        found = look(board, depth, evaluate=noise, features=features)
        assert found.score == minimax(board, depth), board.fen()


@pytest.mark.parametrize(
    "fen",
    [
        "8/8/8/4k3/8/8/3P4/4K3 w - - 0 1",
        "8/8/4k3/8/4p3/8/8/2R1K3 b - - 0 1",
        "8/5k2/8/1p6/8/4P3/2K5/8 b - - 96 90",
        "3k4/8/8/8/8/8/1R6/4K2r w - - 97 90",
    ],
)
def test_it_finds_what_minimax_finds_four_plies_deep(fen: str) -> None:
    """With few men, so that lines run into each other; on the brink of the fifty moves, too."""
    board = chess.Board(fen)
    found = look(board, 4, evaluate=noise, features=WITH_TABLE)
    assert found.score == minimax(board, 4)


@pytest.mark.parametrize("rules", chess.variant.VARIANTS, ids=lambda rules: rules.uci_variant)
def test_it_finds_what_minimax_finds_in_every_variant(rules: type[chess.Board]) -> None:
    for board in playouts(7, 4, rules, plies=(4, 40)):
        found = look(board, 2, evaluate=noise, features=WITH_TABLE)
        assert found.score == minimax(board, 2), board.fen()


def test_positions_of_the_game_count_in_every_search() -> None:
    """The same position with and without a game before it, in which it has been on the board twice."""
    shuffle = "g1f3 g8f6 f3g1 f6g8 "
    with_game = after(shuffle + "g1f3 g8f6 f3g1")  # the knight may go home now, for the third time
    without = chess.Board(with_game.fen())
    scores = [
        look(board, 1, evaluate=lambda _: 100, features=features).score
        for board in (with_game, without)
        for features in (NOTHING_CLEVER, WITH_TABLE)
    ]
    assert scores == [0, 0, -100, -100]


def test_the_window_and_the_order_save_nodes() -> None:
    saved = []
    for board in playouts(3, 2, plies=(40, 60)):
        everything = Plain(board, material, window="none")
        everything.best(3)
        saved.append(look(board, 3, features=NOTHING_CLEVER).nodes / everything.nodes)
    assert max(saved) < 0.5


def test_the_table_saves_nodes() -> None:
    board = chess.Board("8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1")
    without = look(board, 5, features=Features(table=False, reductions=False))
    with_it = look(board, 5, features=Features(reductions=False))
    assert with_it.score == without.score
    assert with_it.nodes < 0.8 * without.nodes


def test_reductions_save_nodes() -> None:
    board = chess.Board("r1bqk2r/pppp1ppp/2n2n2/2b1p3/2B1P3/2NP1N2/PPP2PPP/R1BQK2R w KQkq - 0 5")
    full, reduced = look(board, 4, features=Features(reductions=False)), look(board, 4)
    assert reduced.nodes < 0.8 * full.nodes


def test_a_check_is_looked_at_one_ply_deeper() -> None:
    """1 Qxg6+ is not the end of it: hxg6 follows, which one ply without the extension does not see."""
    fen = "6k1/5p1p/6p1/8/8/6Q1/8/6K1 w - - 0 1"
    short = Features(quiescence=False, check_extension=False)
    extended = Features(quiescence=False)
    assert look(fen, 1, features=short).move == chess.Move.from_uci("g3g6")
    assert look(fen, 1, features=extended).move != chess.Move.from_uci("g3g6")


def test_checks_that_follow_each_other_do_not_go_on_for_ever() -> None:
    queens = "1Q1Q1Q2/7k/8/8/8/8/K7/2q1q1q1 w - - 0 1"
    assert look(queens, 2, nodes=60_000).depth == 2
