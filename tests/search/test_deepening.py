"""What a whole search finds, and that it stops where it should."""

from __future__ import annotations

import random

import chess
import pytest

from bot.evaluation import evaluate
from bot.search.alphabeta import Features
from bot.search.deepening import LAST_START, Found, deepen, is_shortest_mate
from bot.search.limits import POLL_EVERY, Limits
from bot.search.patience import LEAST_SHARE, MOST_SHARE, Patience
from bot.search.scores import DECISIVE, mate_in, mated_in, plies_to_mate
from bot.timing.clock import VirtualClock
from tests.search.kit import after, look, material, playouts

MIDDLEGAME = "r1bqk2r/pppp1ppp/2n2n2/2b1p3/2B1P3/2NP1N2/PPP2PPP/R1BQK2R w KQkq - 0 5"


# --- mate -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("fen", "move", "plies"),
    [
        ("6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1", "a1a8", 1),
        ("r5k1/8/8/8/8/8/5PPP/6K1 b - - 0 1", "a8a1", 1),
        ("r1bqkb1r/pppp1ppp/2n2n2/4p2Q/2B1P3/8/PPPP1PPP/RNB1K1NR w KQkq - 4 4", "h5f7", 1),
        ("6rk/6pp/7N/8/8/8/8/6K1 w - - 0 1", "h6f7", 1),  # smothered
        ("kbK5/pp6/1P6/8/8/8/8/R7 w - - 0 1", "a1a6", 3),  # by zugzwang, after a sacrifice
        ("r1bq2r1/b4pk1/p1pp1p2/1p2pP2/1P2P1PB/3P4/1PPQ2P1/R3K2R w KQ - 0 1", "d2h6", 3),
        ("r5rk/5p1p/5R2/4B3/8/8/7P/7K w - - 0 1", "f6a6", 5),
    ],
)
def test_mate_in_one_two_and_three_is_found(fen: str, move: str, plies: int) -> None:
    found = look(fen, plies + 2)
    assert found.move.uci() == move
    assert found.score == mate_in(plies)
    assert found.depth <= plies  # checks are looked at more deeply; and then there is no use in going on
    assert look(chess.Board(fen).mirror(), plies + 2).score == mate_in(plies)


@pytest.mark.parametrize("depth", [3, 4])
@pytest.mark.parametrize(
    "fen",
    [
        "8/8/8/6K1/3Q4/R7/8/1k6 w - - 0 1",
        "8/8/4R3/RQ6/8/3KB3/8/3Nk3 w - - 0 1",
        "6R1/8/k7/2RK4/8/PN6/8/1B6 w - - 0 1",
    ],
)
def test_a_mate_in_two_by_a_quiet_move_was_reduced_away_at_the_root(fen: str, depth: int) -> None:
    """Late quiet moves were looked at less deeply there, too."""
    assert look(fen, depth, evaluate=evaluate).score == mate_in(3)


def test_a_mate_ended_the_search_although_reductions_hid_a_shorter_one() -> None:
    assert is_shortest_mate(mate_in(1), 1)
    assert is_shortest_mate(mate_in(3), 3)
    assert not is_shortest_mate(mate_in(5), 4)
    assert is_shortest_mate(mate_in(5), 5)
    assert not is_shortest_mate(mate_in(7), 7)  # a mate in three may come to light with nine plies
    assert is_shortest_mate(mate_in(7), 9)
    assert not is_shortest_mate(900, 50)


def test_every_mate_that_ends_a_search_is_the_shortest() -> None:
    """Against a search that reduces nothing."""
    rng, ended = random.Random(5), 0
    while ended < 6:
        board = chess.Board(None)
        men = (chess.KING, chess.QUEEN, rng.choice((chess.ROOK, chess.KNIGHT, chess.BISHOP)))
        for man, square in zip(men, rng.sample(chess.SQUARES, 3), strict=True):
            board.set_piece_at(square, chess.Piece(man, chess.WHITE))
        edge = rng.choice([square for square in chess.SQUARES if chess.square_file(square) in (0, 7)])
        if board.piece_at(edge) is not None:
            continue
        board.set_piece_at(edge, chess.Piece(chess.KING, chess.BLACK))
        if not board.is_valid() or board.is_game_over():
            continue
        found = look(board, 9, nodes=6_000, evaluate=evaluate)
        plies = plies_to_mate(found.score)
        if plies is None or plies > 5 or not is_shortest_mate(found.score, found.depth):
            continue
        ended += 1
        if plies > 1:
            shorter = look(board, plies - 2, features=Features(reductions=False))
            assert shorter.score <= found.score, board.fen()


def test_a_promotion_to_a_queen_was_stalemate_at_the_last_ply() -> None:
    found = look("8/6P1/7k/8/6K1/8/8/8 w - - 0 61", 1, evaluate=evaluate)
    assert found.move.uci() == "g7g8r"


def test_the_nearer_mate_is_preferred_and_the_further_one_suffered() -> None:
    assert look("7k/5Q2/6K1/8/8/8/8/R7 w - - 0 1", 4).score == mate_in(1)
    lost = look("k7/2K5/8/8/8/8/8/1Q6 b - - 0 1", 6)  # one legal move, and then the end
    assert lost.score == mated_in(2)


def test_mate_on_the_board_comes_before_the_fifty_moves() -> None:
    assert look("6k1/5ppp/8/8/8/8/8/R5K1 w - - 99 80", 2).score == mate_in(1)
    assert look("6k1/8/6K1/8/8/8/8/7R w - - 99 80", 2).score == 0


def test_without_a_legal_move_it_is_refused() -> None:
    with pytest.raises(ValueError, match="no legal move in 7k/5Q2/6K1/8/8/8/8/8 b"):
        look("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", 1)


# --- draws ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("depth", [2, 3])
@pytest.mark.parametrize(("worth", "stalemates"), [(500, False), (-500, True)])
def test_stalemate_is_avoided_by_who_is_better_and_given_by_who_is_worse(
    depth: int, worth: int, stalemates: bool
) -> None:
    """White can stalemate by Qf7, or play on in a position that is worth so much, whatever happens."""
    found = look("7k/8/8/p5K1/P7/8/8/5Q2 w - - 0 1", depth, evaluate=lambda _: worth)
    assert (found.move.uci() == "f1f7") is stalemates
    assert found.score == (0 if stalemates else worth)


@pytest.mark.parametrize("depth", [1, 2, 3])
@pytest.mark.parametrize(("worth", "repeats"), [(300, False), (-300, True)])
def test_a_repetition_is_avoided_by_who_is_better_and_taken_by_who_is_worse(
    depth: int, worth: int, repeats: bool
) -> None:
    """Kg1-h1 brings the position about for the third time."""
    shuffle = "h1g1 h8g8 g1h1 g8h8 "
    board = after(shuffle * 2 + "h1g1 h8g8", "7k/pp6/8/8/8/8/PP6/7K w - - 0 1")
    found = look(board, depth, evaluate=lambda _: worth)
    assert (found.move.uci() == "g1h1") is repeats
    assert found.score == (0 if repeats else worth)
    board.push(found.move)
    assert board.is_repetition(3) is repeats


def test_without_the_game_there_is_nothing_to_repeat() -> None:
    fen = after("h1g1 h8g8", "7k/pp6/8/8/8/8/PP6/7K w - - 0 1").fen()
    assert look(fen, 1, evaluate=lambda _: -300).score == -300


def test_perpetual_check_saves_the_game() -> None:
    """White is a rook down, and checks on e8 and h5, or on d5 and h5, for ever."""
    found = look("6k1/6p1/8/7Q/8/8/1q4r1/7K w - - 0 1", 4)
    assert found.move.uci() in ("h5e8", "h5d5")
    assert found.score == 0


def test_so_does_one_that_begins_a_move_later() -> None:
    """What comes again is not the root."""
    found = look("6k1/6p1/8/8/8/8/rq6/4Q2K w - - 0 1", 5)
    assert (found.move.uci(), found.score) == ("e1e8", 0)


def test_the_fiftieth_move_without_progress_is_a_draw() -> None:
    assert look("7k/8/8/8/8/8/R7/K7 w - - 99 90", 1).score == 0
    assert look("7k/8/8/8/8/8/R7/K7 w - - 98 90", 1).score == 500
    assert look("7k/8/8/8/p7/8/R7/K7 w - - 99 90", 1).move.uci() == "a2a4"  # a capture starts again


# --- limits -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("nodes", [1, 2, 15, 16, 17, 100, 777, 1500])
def test_a_limit_of_nodes_is_exact(nodes: int) -> None:
    found = look(MIDDLEGAME, nodes=nodes)
    assert found.nodes == nodes
    assert found.move in chess.Board(MIDDLEGAME).legal_moves


@pytest.mark.parametrize("depth", [1, 2, 3])
def test_a_limit_of_depth_is_exact(depth: int) -> None:
    reports: list[Found] = []
    found = deepen(
        chess.Board(MIDDLEGAME),
        Limits(depth=depth),
        evaluate=material,
        clock=VirtualClock(),
        report=reports.append,
    )
    assert found.depth == depth
    assert [each.depth for each in reports] == list(range(1, depth + 1))
    assert reports[-1] == found
    assert [each.nodes for each in reports] == sorted(each.nodes for each in reports)


def test_the_same_search_is_the_same_again() -> None:
    for board in playouts(21, 5):
        assert look(board, nodes=400, evaluate=evaluate) == look(board, nodes=400, evaluate=evaluate)


def test_the_board_is_left_as_it_was() -> None:
    for board in playouts(22, 5):
        before = board.copy()
        look(board, nodes=150)
        assert board == before
        assert board.move_stack == before.move_stack


@pytest.mark.parametrize("kind", ["depth", "nodes"])
def test_a_limit_of_nothing_is_refused(kind: str) -> None:
    with pytest.raises(ValueError, match=f"{kind} must be at least 1, not 0"):
        Limits(**{kind: 0})


# --- time -------------------------------------------------------------------------------------------------

#: Looking at one position takes so long, on the virtual clock.
NODE_S = 0.001
#: A limit may be overstepped by what happens between two looks at the clock.
LATE_S = (POLL_EVERY + 1) * NODE_S


class Slow:
    """An evaluation that takes time, and a clock that shows it."""

    def __init__(self) -> None:
        self.clock = VirtualClock()

    def __call__(self, board: chess.Board) -> int:
        self.clock.advance(NODE_S)
        return material(board)


def timed(fen: str, *, soft_s: float | None = None, hard_s: float | None = None) -> tuple[Found, float]:
    """What is found, and how long it took."""
    slow = Slow()
    limits = Limits(soft_s=soft_s, hard_s=hard_s)
    found = deepen(chess.Board(fen), limits, evaluate=slow, clock=slow.clock)
    return found, slow.clock.monotonic()


@pytest.mark.parametrize("hard_s", [0.001, 0.01, 0.1, 1.0])
def test_the_hard_limit_is_kept_to_a_few_nodes(hard_s: float) -> None:
    found, took_s = timed(MIDDLEGAME, hard_s=hard_s)
    assert hard_s <= took_s <= hard_s + LATE_S
    assert found.move in chess.Board(MIDDLEGAME).legal_moves


@pytest.mark.parametrize("soft_s", [0.3, 1.0])
def test_the_soft_limit_is_aimed_at(soft_s: float) -> None:
    for board in playouts(23, 4, plies=(8, 30)):
        _, took_s = timed(board.fen(), soft_s=soft_s, hard_s=10.0)
        assert LAST_START * LEAST_SHARE * soft_s <= took_s <= MOST_SHARE * soft_s + LATE_S


def test_no_iteration_is_begun_that_could_hardly_be_finished() -> None:
    """Some searches end with a whole iteration, before their time is up."""
    ended_whole = 0
    for board in playouts(24, 6, plies=(20, 60)):
        slow, reports = Slow(), list[Found]()
        limits = Limits(soft_s=0.4, hard_s=10.0)
        found = deepen(board, limits, evaluate=slow, clock=slow.clock, report=reports.append)
        ended_whole += reports[-1].nodes == found.nodes
    assert 0 < ended_whole < 6


def test_a_score_that_falls_in_the_midst_of_an_iteration_gets_more_time() -> None:
    """After one ply Black has won a rook; the second shows what it costs."""
    fen = "rnbBk3/1p1p4/p1pb1p2/2r3P1/PPP5/1n5R/3NP2P/3K2NR b q - 0 28"
    first = look(fen, 1)
    without_warning_s = 0.2 * Patience().iteration(first.score, changed=True).share
    found, took_s = timed(fen, soft_s=0.2, hard_s=10.0)
    assert found.score < first.score
    assert took_s > without_warning_s + LATE_S


def test_soft_never_outlasts_hard() -> None:
    _, took_s = timed(MIDDLEGAME, soft_s=50.0, hard_s=0.2)
    assert took_s <= 0.2 + LATE_S


def test_a_mate_that_is_found_ends_the_search() -> None:
    found, took_s = timed("6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1", soft_s=5.0, hard_s=10.0)
    assert found.score == mate_in(1)
    assert took_s < 0.2


def test_an_iteration_that_is_stopped_counts_for_what_it_got_through() -> None:
    """With every limit of nodes the move is the best of the last iteration, or a better one of the next."""
    reports: list[Found] = []
    board = chess.Board("r1bqkbnr/ppp2ppp/2np4/4p2Q/2B1P3/8/PPPP1PPP/RNB1K1NR b KQkq - 3 4")
    full = deepen(board, Limits(depth=3), evaluate=material, clock=VirtualClock(), report=reports.append)
    assert abs(full.score) < DECISIVE
    for nodes in range(reports[1].nodes, full.nodes, 97):
        found = look(board, nodes=nodes)
        assert found.depth in (2, 3)
        assert found.move in board.legal_moves
