"""The textbook's search: right with every window, and slower with some."""

from __future__ import annotations

import chess
import pytest

from bot.search.plain import Plain, Window, by_uci, fixed_depth
from bot.search.scores import mate_in
from tests.search.kit import ENDINGS, MEN, after, material, noise, playouts

WINDOWS: tuple[Window, ...] = ("none", "faulty", "textbook")


def negamax(board: chess.Board, depth: int) -> int:
    """The score for the side to move, written once more, as briefly as can be."""
    if board.is_checkmate():
        return -mate_in(0) + len(board.move_stack)
    if board.is_stalemate() or board.is_insufficient_material():
        return 0
    if depth == 0:
        return noise(board) if board.turn == chess.WHITE else -noise(board)
    scores = []
    for move in list(board.legal_moves):
        board.push(move)
        scores.append(-negamax(board, depth - 1))
        board.pop()
    return max(scores)


@pytest.mark.parametrize("window", WINDOWS)
def test_every_window_finds_the_same(window: Window) -> None:
    for played in playouts(41, 4, plies=(10, 60)):
        board = chess.Board(played.fen().rsplit(" ", 2)[0] + " 0 1")
        move, score = Plain(board, noise, window=window).best(2)
        assert score == (negamax(board, 2) if board.turn == chess.WHITE else -negamax(board, 2))
        assert move == Plain(board, noise, window="none").best(2)[0]


def test_without_a_window_every_node_is_visited() -> None:
    search = Plain(chess.Board(), material, window="none")
    search.best(3)
    assert search.nodes == 20 + 400 + 8_902


def test_the_faulty_window_saves_next_to_nothing_and_the_textbook_one_a_lot() -> None:
    for board in map(chess.Board, ENDINGS):
        nodes: dict[Window, int] = {}
        for window in WINDOWS:
            search = Plain(board, material, window=window)
            search.best(3)
            nodes[window] = search.nodes
        assert 0.9 * nodes["none"] <= nodes["faulty"] <= nodes["none"]
        assert nodes["textbook"] < 0.5 * nodes["none"]


def test_the_faulty_window_closes_at_a_win_and_nowhere_else() -> None:
    """Depth 2: nothing is better than to mate at once, so the moves after Ra8 are left out."""
    nodes = []
    for fen in ("6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1", "6k1/6pp/8/8/8/8/8/R5K1 w - - 0 1"):
        for window in WINDOWS[:2]:
            search = Plain(chess.Board(fen), material, window=window)
            search.best(2)
            nodes.append(search.nodes)
    assert nodes[1] < nodes[0]
    assert nodes[3] == nodes[2]


def test_of_equals_the_first_by_its_text() -> None:
    board = chess.Board()
    assert by_uci(board, 0)[0].uci() == "a2a3"
    assert fixed_depth(board, 1, material)[0].uci() == "a2a3"
    assert fixed_depth(after("e2e4"), 2, lambda _: 0)[0].uci() == "a7a5"


@pytest.mark.parametrize("depth", [1, 2, 3])
def test_order_makes_no_difference_to_what_is_found(depth: int) -> None:
    for board in playouts(43, 2, plies=(90, 120)):
        assert fixed_depth(board, depth, noise) == Plain(board, noise).best(depth)


def test_mate_is_worth_more_the_nearer_it_is() -> None:
    fen = "6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1"
    assert fixed_depth(chess.Board(fen), 1, material) == (chess.Move.from_uci("a1a8"), mate_in(1))
    black = chess.Board(fen).mirror()
    assert fixed_depth(black, 3, material) == (chess.Move.from_uci("a8a1"), -mate_in(1))


def test_draws_of_the_game_count() -> None:
    shuffle = "g1f3 g8f6 f3g1 f6g8 "
    board = after(shuffle + "g1f3 g8f6 f3g1")  # the knight may bring the start about for the third time
    assert fixed_depth(board, 1, lambda _: 100) == (chess.Move.from_uci("f6g8"), 0)
    assert fixed_depth(chess.Board("7k/8/8/8/8/8/R7/K7 w - - 99 90"), 1, material)[1] == 0


def test_stalemate_at_its_last_ply_is_seen() -> None:
    move, score = fixed_depth(chess.Board("7k/8/8/p5K1/P7/8/8/5Q2 w - - 0 1"), 1, lambda _: -500)
    assert (move.uci(), score) == ("f1f7", 0)


def test_it_is_greedy_where_quiescence_is_not() -> None:
    assert (
        fixed_depth(chess.Board("4k3/8/4p3/3p4/8/8/3Q4/4K3 w - - 0 1"), 1, material)[1]
        == MEN[chess.QUEEN] - 100
    )


def test_without_a_move_it_is_refused() -> None:
    with pytest.raises(ValueError, match="no legal move in 7k/5Q2"):
        fixed_depth(chess.Board("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1"), 1, material)
