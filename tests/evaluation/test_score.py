"""The whole evaluation: one sum, one taper, and the same for both sides."""

from __future__ import annotations

from dataclasses import replace

import chess
import pytest
from hypothesis import given, settings

from bot.evaluation import LIMIT, WEIGHTS, breakdown, evaluate, game_phase, taper
from bot.evaluation.families import families_of
from bot.position import BOARDS, new_board
from tests.evaluation.kit import facts, placements, random_game


def mirrored(board: chess.Board) -> chess.Board:
    """The same position for the other side. In racing kings both sides run the same way."""
    mirror = board.mirror()
    if board.uci_variant == "racingkings":
        mirror.apply_transform(chess.flip_vertical)
    return mirror


def assert_symmetric(board: chess.Board) -> None:
    mirror = mirrored(board)
    here, there = facts(board), facts(mirror)
    for family in families_of(board):
        for color in chess.COLORS:
            mine, theirs = family.score(here, color), family.score(there, not color)
            assert dict(zip(family.terms, mine, strict=True)) == dict(zip(family.terms, theirs, strict=True))
    assert evaluate(board) == -evaluate(mirror)


def assert_sum_of_its_terms(board: chess.Board) -> None:
    rows = breakdown(board)
    middlegame = sum(row.white[0] - row.black[0] for row in rows)
    endgame = sum(row.white[1] - row.black[1] for row in rows)
    score = taper(middlegame, endgame, game_phase(board))
    assert evaluate(board) == max(-LIMIT, min(LIMIT, score))


@settings(max_examples=800)
@given(board=placements())
def test_each_family_and_the_sum_are_the_same_for_both_sides(board: chess.Board) -> None:
    assert_symmetric(board)
    assert_sum_of_its_terms(board)


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("variant", BOARDS)
def test_so_they_are_along_random_games_of_every_variant(variant: str, seed: int) -> None:
    start = new_board(variant, "startpos")
    if variant == "chess960":
        start = chess.Board.from_chess960_pos(137 + seed)
    played = 0
    for board in random_game(start, seed, plies=120):
        assert_symmetric(board)
        assert_sum_of_its_terms(board)
        played += 1
    assert played > 15


def test_every_name_stands_once() -> None:
    for variant in BOARDS:
        rows = breakdown(new_board(variant, "startpos"))
        names = [(row.family, row.term) for row in rows]
        assert len(set(names)) == len(names) >= 5


def test_the_first_position_is_worth_the_first_move() -> None:
    assert evaluate(chess.Board()) == WEIGHTS.tempo[0]
    assert (
        evaluate(chess.Board("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR b KQkq - 0 1")) == -WEIGHTS.tempo[0]
    )


def test_it_reads_the_board_and_changes_nothing() -> None:
    board = chess.Board()
    board.push_san("e4")
    before = (board.fen(), list(board.move_stack), board.castling_rights)
    evaluate(board)
    breakdown(board)
    assert (board.fen(), list(board.move_stack), board.castling_rights) == before


def test_the_weights_can_be_varied() -> None:
    board = chess.Board("4k3/8/8/8/8/8/8/2B1KB2 w - - 0 1")
    generous = replace(WEIGHTS, bishop_pair=(150, 150))
    assert evaluate(board, generous) == evaluate(board) + 100


@pytest.mark.parametrize(
    ("better", "worse"),
    [
        # a knight in the middle, and one in the corner
        ("4k3/pppp4/8/8/3N4/8/PPPP4/4K3 w - - 0 1", "4k3/pppp4/8/8/8/8/PPPP4/N3K3 w - - 0 1"),
        # castled, and stuck in the middle
        (
            "r1bq1rk1/ppp2ppp/2np1n2/2b1p3/2B1P3/2NP1N2/PPP2PPP/R1BQ1RK1 w - - 0 1",
            "r1bq1rk1/ppp2ppp/2np1n2/2b1p3/2B1P3/2NP1N2/PPP2PPP/R1BQK2R w - - 0 1",
        ),
        # the endgame king in front of its pawn, and at home
        ("8/8/4k3/8/4K3/4P3/8/8 w - - 0 1", "8/8/4k3/8/8/4P3/8/4K3 w - - 0 1"),
        # a passed pawn two steps from promotion, and one at home
        ("8/5k2/1P6/8/8/8/5K2/8 w - - 0 1", "8/5k2/8/8/8/8/1P3K2/8 w - - 0 1"),
        # a rook up, and a pawn up
        ("4k3/pppp4/8/8/8/8/PPPP4/R3K3 w - - 0 1", "4k3/ppp5/8/8/8/8/PPPP4/4K3 w - - 0 1"),
    ],
)
def test_what_any_player_would_prefer(better: str, worse: str) -> None:
    assert evaluate(chess.Board(better)) > evaluate(chess.Board(worse)) + 10


def test_no_evaluation_reaches_what_a_king_is_worth() -> None:
    board = chess.Board("QQQQQQQQ/QQQQQQQQ/QQQQQQQQ/8/8/7k/8/K7 w - - 0 1")
    assert evaluate(board) == LIMIT == 19_999
    assert evaluate(board.mirror()) == -LIMIT
