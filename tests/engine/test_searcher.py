"""One search for a player: its limits, its lines, its threads."""

from __future__ import annotations

import threading
from itertools import pairwise

import chess
import pytest

from bot.engine.found import Found, legal_line
from bot.engine.position import in_passing
from bot.engine.searcher import Searcher
from bot.engine.state import MAX_PLY
from bot.engine.table import new_table
from bot.engine.worker import Worker
from bot.search.limits import Limits
from bot.timing.clock import SystemClock

MIDDLEGAME = "r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10"
#: For what takes milliseconds, on a machine that has other things to do.
PATIENCE_S = 30.0


@pytest.fixture
def searcher() -> Searcher:
    return Searcher(hash_mib=1)


@pytest.mark.parametrize("nodes", [1, 2, 500, 1_025, 20_000])
def test_nodes_are_exact(searcher: Searcher, nodes: int) -> None:
    board = chess.Board(MIDDLEGAME)
    found = searcher.search(board, Limits(nodes=nodes))
    assert found.nodes == nodes
    assert found.move in board.legal_moves


def test_depth_is_exact(searcher: Searcher) -> None:
    told: list[Found] = []
    found = searcher.search(chess.Board(MIDDLEGAME), Limits(depth=7), report=told.append)
    assert [each.depth for each in told] == list(range(1, 8))
    assert found.depth == 7
    assert found.pv == told[-1].pv


def test_the_same_limits_find_the_same() -> None:
    def play() -> list[tuple[chess.Move, int | None, int]]:
        searcher, board = Searcher(hash_mib=2), chess.Board(MIDDLEGAME)
        moves = []
        for limits in (Limits(nodes=9_000), Limits(depth=8), Limits(nodes=5_000), Limits(depth=9)):
            found = searcher.search(board, limits)
            moves.append((found.move, found.score_cp, found.nodes))
            board.push(found.move)
        return moves

    assert play() == play()


def test_clear_forgets_everything(searcher: Searcher) -> None:
    board = chess.Board(MIDDLEGAME)
    first = searcher.search(board, Limits(depth=9))
    again = searcher.search(board, Limits(depth=9))
    assert again.nodes < first.nodes  # the table knows it all
    searcher.clear()
    fresh = searcher.search(board, Limits(depth=9))
    assert (fresh.nodes, fresh.pv) == (first.nodes, first.pv)


def test_it_ends_at_the_deadline(searcher: Searcher) -> None:
    found = searcher.search(chess.Board(MIDDLEGAME), Limits(hard_s=0.05))
    assert 0.02 < found.elapsed_s < PATIENCE_S
    assert found.depth >= 1


def test_stop_ends_it_from_another_thread(searcher: Searcher) -> None:
    running = threading.Event()
    found: list[Found] = []

    def search() -> None:
        found.append(searcher.search(chess.Board(MIDDLEGAME), report=lambda _: running.set()))

    thread = threading.Thread(target=search)
    thread.start()
    assert running.wait(PATIENCE_S)
    searcher.stop()
    thread.join(PATIENCE_S)
    assert not thread.is_alive()
    assert found[0].depth >= 1


def test_a_stop_before_the_search_counts_if_it_was_begun(searcher: Searcher) -> None:
    searcher.begin()
    searcher.stop()
    assert searcher.search(chess.Board(MIDDLEGAME)).depth == 1
    assert searcher.search(chess.Board(MIDDLEGAME), Limits(depth=6)).depth == 6  # and not for the next one


def test_time_may_be_limited_while_it_searches(searcher: Searcher) -> None:
    """As when the move that was pondered on has been played."""
    running = threading.Event()
    searcher.begin()
    thread = threading.Thread(
        target=searcher.search, args=(chess.Board(MIDDLEGAME),), kwargs={"report": lambda _: running.set()}
    )
    thread.start()
    assert running.wait(PATIENCE_S)
    searcher.limit_time(0.01, 0.02)
    thread.join(PATIENCE_S)
    assert not thread.is_alive()


def test_several_lines(searcher: Searcher) -> None:
    told: list[Found] = []
    board = chess.Board(MIDDLEGAME)
    best = searcher.search(board, Limits(depth=8), report=told.append, lines=4)
    last = told[-4:]
    assert [each.line for each in last] == [1, 2, 3, 4]
    assert len({each.move for each in last}) == 4
    assert last[0].move == best.move
    assert all(each.score_cp is not None for each in last)
    assert all((a.score_cp or 0) >= (b.score_cp or 0) - 40 for a, b in pairwise(last))


def test_more_lines_than_moves(searcher: Searcher) -> None:
    told: list[Found] = []
    board = chess.Board("7k/8/8/8/8/8/1r6/K7 w - - 0 1")
    searcher.search(board, Limits(depth=3), report=told.append, lines=5)
    assert {each.line for each in told} == set(range(1, board.legal_moves.count() + 1))


def test_among_the_moves_that_are_named(searcher: Searcher) -> None:
    board = chess.Board("6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1")
    named = (chess.Move.from_uci("g1f1"), chess.Move.from_uci("g1h1"))
    assert searcher.search(board, Limits(depth=5), among=named).move in named
    with pytest.raises(ValueError, match="none of the moves is legal"):
        searcher.search(board, Limits(depth=5), among=(chess.Move.from_uci("a1h8"),))


def test_two_threads_share_the_work() -> None:
    searcher = Searcher(hash_mib=2, threads=2)
    board = chess.Board(MIDDLEGAME)
    found = searcher.search(board, Limits(depth=11))
    assert found.depth == 11
    assert found.move in board.legal_moves
    searcher.configure(hash_mib=1, threads=1)
    alone = Searcher(hash_mib=1).search(board, Limits(depth=6))
    searcher.clear()
    assert searcher.search(board, Limits(depth=6)).nodes == alone.nodes


def test_castling_is_written_as_the_board_writes_it(searcher: Searcher) -> None:
    castles = "r3k2r/8/8/8/8/8/8/4K2R w K - 0 1"
    for chess960, uci in ((False, "e1g1"), (True, "e1h1")):
        board = chess.Board(castles, chess960=chess960)
        move = chess.Move.from_uci(uci)
        assert searcher.search(board, Limits(depth=3), among=(move,)).move == move


def test_its_lines_are_legal_in_chess960(searcher: Searcher) -> None:
    board = chess.Board.from_chess960_pos(321)
    found = searcher.search(board, Limits(depth=9))
    for move in found.pv:
        assert move in board.legal_moves
        board.push(move)
    assert len(found.pv) >= 4


@pytest.mark.parametrize("fen", ["7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", "7k/6Q1/6K1/8/8/8/8/8 b - - 0 1"])
def test_without_a_legal_move_there_is_nothing_to_search(searcher: Searcher, fen: str) -> None:
    with pytest.raises(ValueError, match="no legal move"):
        searcher.search(chess.Board(fen))


def test_it_releases_the_interpreter_while_it_searches(searcher: Searcher) -> None:
    clock = SystemClock()
    thread = threading.Thread(target=searcher.search, args=(chess.Board(MIDDLEGAME), Limits(nodes=3_000_000)))
    thread.start()
    began = clock.monotonic()
    rounds = 0
    while thread.is_alive() and clock.monotonic() - began < PATIENCE_S:
        rounds += 1
        thread.join(0.001)
    assert rounds > 5


#: Captures without end: a quiescence search of any of them takes minutes.
MANY_QUEENS = "1q1q1q1k/q1q1q1q1/1q1q1q1q/q6q/Q6Q/1Q1Q1Q1Q/Q1Q1Q1Q1/K1Q1Q1Q1 w - - 0 1"


@pytest.mark.timeout(60)
@pytest.mark.parametrize("lines", [1, 3])
@pytest.mark.parametrize("hard_s", [0.000_1, 0.05])
def test_the_deadline_counts_from_the_first_iteration_on(
    searcher: Searcher, hard_s: float, lines: int
) -> None:
    """The first iteration listened to nobody, and took more than a hundred seconds here."""
    board = chess.Board(MANY_QUEENS)
    found = searcher.search(board, Limits(hard_s=hard_s), lines=lines)
    assert found.elapsed_s < 5
    assert found.depth == 0
    assert found.move in board.legal_moves
    assert board.is_capture(found.move), "the move that a search would begin with"


@pytest.mark.timeout(60)
def test_a_stop_counts_from_the_first_iteration_on(searcher: Searcher) -> None:
    searcher.begin()
    searcher.stop()
    board = chess.Board(MANY_QUEENS)
    assert searcher.search(board).move in board.legal_moves


def test_where_nothing_is_searched_the_move_is_still_one_of_those_named(searcher: Searcher) -> None:
    board = chess.Board(MANY_QUEENS)
    named = tuple(board.legal_moves)[-2:]
    assert searcher.search(board, Limits(hard_s=0.001), among=named).move in named


def test_a_mate_ends_only_a_search_that_has_a_clock(searcher: Searcher) -> None:
    """The first mate that was found, in three, was told to be the shortest; there is one in two."""
    board = chess.Board("2br4/pn4k1/npppp3/5Q1p/2q2P1P/P1PP1R2/1PNB4/NR4K1 w - - 0 34")
    for limits in (Limits(nodes=100_000), Limits(depth=14), Limits(depth=14, hard_s=PATIENCE_S)):
        searcher.clear()
        assert searcher.search(board, limits).mate_in == 2
    searcher.clear()
    found = searcher.search(board, Limits(soft_s=PATIENCE_S, hard_s=PATIENCE_S))
    assert found.mate_in is not None
    assert found.elapsed_s < PATIENCE_S / 2


def test_a_mate_in_one_ends_every_search(searcher: Searcher) -> None:
    assert searcher.search(chess.Board("6k1/5ppp/8/8/8/8/8/R3K3 w - - 0 1")).mate_in == 1


def test_no_search_is_deeper_than_there_is_room_for(searcher: Searcher) -> None:
    found = searcher.search(chess.Board("7k/8/8/8/8/8/R7/1R2K3 w - - 0 1"), Limits(depth=1_000))
    assert found.depth == MAX_PLY - 1


def test_all_moves_but_one_of_a_position_with_very_many_are_left_out(searcher: Searcher) -> None:
    board = chess.Board("7k/1Q6/4Q3/2Q4Q/Q4Q2/3Q2Q1/1Q4Q1/1K2Q1QQ w - - 0 1")
    board.remove_piece_at(chess.H1)
    moves = list(board.legal_moves)
    assert len(moves) > 200
    for move in (moves[0], moves[-1]):
        assert searcher.search(board, Limits(nodes=3_000), among=(move,)).move == move


def test_nothing_is_taken_in_passing_where_no_pawn_came_by(searcher: Searcher) -> None:
    """A FEN may say so; the search took a man that was not there, and the record went astray."""
    board = chess.Board("4k3/8/8/3nP3/8/8/8/4K3 w - d6 0 1")
    told: list[Found] = []
    searcher.search(board, Limits(depth=8), report=told.append, lines=20)
    assert chess.Move.from_uci("e5d6") not in {found.move for found in told}
    assert in_passing(board) is None
    assert in_passing(chess.Board("4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1")) == chess.D6
    assert in_passing(chess.Board("4k3/8/8/8/3Pp3/8/8/4K3 b - d3 0 1")) == chess.D3


def test_counters_beyond_every_number_of_the_machine(searcher: Searcher) -> None:
    board = chess.Board(f"4k3/8/8/8/8/8/4P3/4K3 w - - {10**25} {10**30}")
    assert searcher.search(board, Limits(depth=4)).move in board.legal_moves


def test_a_move_that_was_better_than_expected_is_kept_when_time_runs_out() -> None:
    """The search with a wider window had not come to its first move yet, and there was no line any more."""
    worker, table, board = Worker(), new_table(1), chess.Board(MIDDLEGAME)
    worker.begin(board, node_limit=None, contempt=0, age=1)
    bounds: list[int] = []

    def stop(score: int) -> None:
        bounds.append(score)
        worker.stop()

    worker.iteration(table, 6, expected=-3_000, on_bound=stop)
    assert worker.stopped
    assert len(bounds) == 1
    assert bounds[0] > -3_000
    (better, *_) = legal_line(worker.best_line(), board)
    assert better in board.legal_moves
    worker.go_on()
    worker.begin(board, node_limit=None, contempt=0, age=2)
    worker.iteration(table, 6, expected=3_000, on_bound=stop)
    assert worker.best_line() == [], "what failed low says nothing about a move"
