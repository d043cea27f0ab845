"""What makes a search fast must not change what it finds."""

from __future__ import annotations

import chess
import chess.variant
import pytest

from bot.search.alphabeta import AlphaBeta, Features
from bot.search.leaf import Leaf
from bot.search.limits import Limits, Meter
from bot.search.line import position_key
from bot.search.plain import Plain
from bot.search.scores import INFINITY, mate_in
from bot.timing.clock import VirtualClock
from tests.search.kit import ENDINGS, NOTHING_CLEVER, after, look, material, noise, playouts

WITH_TABLE = Features(table=True, quiescence=False, check_extension=False, reductions=False)


def minimax(board: chess.Board, depth: int) -> int:
    """The score for the side to move, of the search that leaves nothing out."""
    _, score = Plain(board, noise, window="none").best(depth)
    return score if board.turn == chess.WHITE else -score


@pytest.mark.parametrize(("depth", "count", "plies"), [(1, 40, (4, 70)), (2, 12, (4, 70)), (3, 1, (90, 120))])
def test_it_finds_what_minimax_finds(depth: int, count: int, plies: tuple[int, int]) -> None:
    for board in playouts(depth, count, plies=plies):
        expected = minimax(board, depth)
        for features in (NOTHING_CLEVER, WITH_TABLE):
            assert look(board, depth, evaluate=noise, features=features).score == expected, board.fen()


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
    for board in map(chess.Board, ENDINGS):
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
    board = chess.Board(ENDINGS[1])
    full, reduced = look(board, 4, features=Features(reductions=False)), look(board, 4)
    assert reduced.nodes < 0.8 * full.nodes


def test_a_check_is_looked_at_one_ply_deeper() -> None:
    """1 Qxg6+ is not the end of it: hxg6 follows, which one ply without the extension does not see."""
    fen = "6k1/5p1p/6p1/8/8/6Q1/8/6K1 w - - 0 1"
    short = Features(quiescence=False, check_extension=False)
    extended = Features(quiescence=False)
    assert look(fen, 1, features=short).move == chess.Move.from_uci("g3g6")
    assert look(fen, 1, features=extended).move != chess.Move.from_uci("g3g6")


def test_a_line_of_checks_is_twice_as_long_and_no_longer() -> None:
    board = chess.Board("1Q1Q1Q2/7k/8/8/8/8/K7/2q1q1q1 w - - 0 1")
    lengths: set[int] = set()

    def worth(leaf: chess.Board) -> int:
        lengths.add(len(leaf.move_stack))
        return material(leaf)

    look(board, 2, evaluate=worth, features=Features(quiescence=False))
    assert max(lengths) == 4


def a_tree(board: chess.Board) -> AlphaBeta:
    """Searches `board` as if it were one ply away from a root."""
    return AlphaBeta(board, Leaf(material), Meter(Limits(), VirtualClock()), Features())


def test_where_a_shorter_mate_is_found_already_nothing_is_searched() -> None:
    tree = a_tree(chess.Board("r5rk/5p1p/5R2/4B3/8/8/7P/7K w - - 0 1"))
    assert tree.search(5, mate_in(2), INFINITY, 1, in_check=False) == mate_in(2)
    assert tree.meter.nodes == 1


def test_close_to_fifty_moves_the_table_only_helps_with_the_order() -> None:
    for clock, score in ((0, 777), (79, 777), (80, 500), (95, 500)):
        board = chess.Board(f"7k/8/8/8/8/8/R7/K7 w - - {clock} 90")
        tree = a_tree(board)
        tree.table.store(position_key(board), 9, 777, None, window=(-INFINITY, INFINITY), ply=1)
        assert tree.search(1, -INFINITY, INFINITY, 1, in_check=False) == score
