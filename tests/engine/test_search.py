"""The search, against minimax, against the rules, and against what everybody knows."""

from __future__ import annotations

from collections.abc import Callable

import chess
import pytest

from bot.engine import features
from bot.engine.attacks import checkers
from bot.engine.quiescence import quiesce
from bot.engine.scores import INFINITY, MATE
from bot.engine.searcher import Searcher
from bot.engine.state import BEFORE, State, new_state
from bot.engine.table import new_table
from bot.engine.worker import NO_LIMIT, Worker
from bot.evaluation import evaluate
from bot.search.limits import Limits
from tests.engine.kit import random_positions
from tests.engine.test_exchange import naive

TABLE = new_table(1)
#: Of a plain search: a fraction of a second.
MOST_NODES = 1_000
COMPARED = 12


class TooLarge(Exception):  # noqa: N818  nothing went wrong
    """A tree that takes too long without any pruning."""


class Plain:
    """Minimax, in so many words: no window, no order, no memory."""

    def __init__(self) -> None:
        self.nodes = 0

    def quiescence(self, board: chess.Board, ply: int) -> int:
        self.nodes += 1
        if self.nodes > MOST_NODES:
            raise TooLarge
        if board.is_insufficient_material():
            return 0
        if board.is_check():
            best = ply - MATE
            moves = list(board.legal_moves)
        else:
            best = evaluate(board) if board.turn else -evaluate(board)
            moves = [
                move
                for move in board.legal_moves
                if (board.is_capture(move) or move.promotion) and move.promotion in (None, chess.QUEEN)
                if naive(board, move) >= 0
            ]
        return self._best(board, moves, best, lambda after: self.quiescence(after, ply + 1))

    def search(self, board: chess.Board, depth: int, ply: int = 0) -> int:
        if ply and (board.is_insufficient_material() or board.is_fifty_moves()):
            return 0
        if depth == 0:
            return self.quiescence(board, ply)
        moves = list(board.legal_moves)
        if not moves:
            return ply - MATE if board.is_check() else 0
        return self._best(board, moves, -INFINITY, lambda after: self.search(after, depth - 1, ply + 1))

    def _best(
        self, board: chess.Board, moves: list[chess.Move], best: int, score: Callable[[chess.Board], int]
    ) -> int:
        for move in moves:
            board.push(move)
            best = max(best, -score(board))
            board.pop()
        return best


@pytest.mark.parametrize("depth", [1, 2])
def test_without_its_features_it_is_minimax(depth: int) -> None:
    worker = Worker(features=0)
    compared = 0
    for number, board in enumerate(random_positions(4_000, seed=6)):
        if number % 20 or compared == COMPARED:
            continue
        root = board.copy(stack=False)
        try:
            expected = Plain().search(root.copy(), depth)
        except TooLarge:
            continue
        worker.begin(root, node_limit=None, contempt=0, age=0)
        TABLE[:] = 0
        assert worker.iteration(TABLE, depth, expected=0) == expected, root.fen()
        compared += 1
    assert compared == COMPARED


def test_quiescence_is_a_bound_outside_of_its_window() -> None:
    state = new_state()
    state["features"] = 0
    for number, board in enumerate(random_positions(1_500, seed=7)):
        if number % 30:
            continue
        worker = Worker(features=0)
        worker.begin(board.copy(stack=False), node_limit=None, contempt=0, age=0)
        state = worker.state
        exact = quiet_score(state, -INFINITY, INFINITY)
        for bound in (exact - 40, exact, exact + 1, exact + 60):
            assert (quiet_score(state, bound - 1, bound) >= bound) == (exact >= bound)


def quiet_score(state: State, alpha: int, beta: int) -> int:
    state["poll_at"] = NO_LIMIT
    state["plies"][BEFORE - 1]["end"] = 0
    return int(quiesce(state, TABLE, alpha, beta, 0, checkers(state), 0))


@pytest.mark.parametrize(
    ("fen", "mate_in", "move"),
    [
        ("6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1", 1, "a1a8"),
        ("r1bqkbnr/pppp1ppp/2n5/4p2Q/2B1P3/8/PPPP1PPP/RNB1K1NR w KQkq - 0 4", 1, "h5f7"),
        ("r1bq2r1/b4pk1/p1pp1p2/1p2pP2/1P2P1PB/3P4/1PPQ2P1/R3K2R w KQ - 0 1", 2, "d2h6"),
        ("r1b1kb1r/pppp1ppp/5q2/4n3/3KP3/2N3PN/PPP4P/R1BQ1B1R b kq - 0 1", 3, "f8c5"),
        ("8/8/8/8/8/5k2/8/4K2r w - - 0 1", -1, "e1d2"),
        ("4k3/8/8/8/8/8/R7/4K2R w K - 0 1", 2, None),
    ],
)
def test_mate_and_its_distance(fen: str, mate_in: int, move: str | None) -> None:
    board = chess.Board(fen)
    found = Searcher(hash_mib=1).search(board, Limits(depth=14))
    if mate_in < 0:
        assert found.mate_in is None or found.mate_in < 0
        return
    assert found.mate_in == mate_in
    if move is not None:
        assert found.move.uci() == move
    for each in found.pv:
        board.push(each)
    assert board.is_checkmate()


def test_who_is_winning_does_not_repeat_and_who_is_losing_does() -> None:
    winning = chess.Board("7k/8/8/8/8/8/1P6/Q6K w - - 0 1")
    for uci in ("a1b1", "h8g8", "b1a1", "g8h8") * 2 + ("a1b1", "h8g8"):
        winning.push_uci(uci)
    found = Searcher(hash_mib=1).search(winning, Limits(depth=8))
    winning.push(found.move)
    assert not winning.is_repetition(3)
    assert found.mate_in is not None or (found.score_cp or 0) > 500

    perpetual = chess.Board("5rk1/5p1p/5Q2/8/8/7P/q5PK/1r6 w - - 0 1")
    assert Searcher(hash_mib=1).search(perpetual, Limits(depth=10)).score_cp == 0


def test_contempt_is_what_a_draw_costs() -> None:
    """Bare kings with a knight: nobody can win, so every line is a draw."""
    board = chess.Board("8/8/4k3/8/8/3NK3/8/8 w - - 0 1")
    for side in (chess.WHITE, chess.BLACK):
        board.turn = side
        assert Searcher(hash_mib=1, contempt=30).search(board, Limits(depth=4)).score_cp == -30
        assert Searcher(hash_mib=1).search(board, Limits(depth=4)).score_cp == 0


def test_the_fifty_move_rule_counts_but_mate_comes_first() -> None:
    far = chess.Board("7k/8/8/8/8/8/1R6/K7 w - - 97 120")
    assert Searcher(hash_mib=1).search(far, Limits(depth=8)).score_cp == 0
    mate = chess.Board("7k/8/6K1/8/8/8/1R6/8 w - - 99 120")
    assert Searcher(hash_mib=1).search(mate, Limits(depth=6)).mate_in == 1


@pytest.mark.parametrize("name", features.NAMES)
def test_every_feature_makes_a_difference(name: str) -> None:
    """And nothing depends on any of them: without it the search still finds its moves."""
    fens = (
        "r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10",
        "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
        "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
    )
    searchers = (Searcher(hash_mib=1), Searcher(hash_mib=1, features=features.without([name])))
    nodes = []
    for searcher in searchers:
        found = [searcher.search(chess.Board(fen), Limits(depth=10, nodes=400_000)) for fen in fens]
        assert all(each.move in chess.Board(fen).legal_moves for each, fen in zip(found, fens, strict=True))
        nodes.append(sum(each.nodes for each in found))
    assert nodes[0] != nodes[1]


def test_an_unknown_feature_is_told_with_those_there_are() -> None:
    with pytest.raises(ValueError, match="unknown feature 'magic'; there are: table, null_move"):
        features.without(["magic"])
