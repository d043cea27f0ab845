"""The phase over the game's material, and both ends of the taper."""

from __future__ import annotations

import chess
import chess.variant
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.evaluation import breakdown, evaluate, game_phase, taper

SCORES = st.integers(-20_000, 20_000)
PHASES = st.integers(0, 256)


@pytest.mark.parametrize(
    ("fen", "phase"),
    [
        (chess.STARTING_FEN, 256),
        ("4k3/pppppppp/8/8/8/8/PPPPPPPP/4K3 w - - 0 1", 0),
        # A single knight is 320 of 6400 centipawns: the last of the endgame, not an opening.
        ("4k3/8/8/8/8/8/8/4K1N1 w - - 0 1", 12),
        ("rnb1kbnr/pppppppp/8/8/8/8/PPPPPPPP/RNB1KBNR w KQkq - 0 1", 184),
        ("r3k2r/8/8/8/8/8/8/R3K2R w - - 0 1", 80),
        ("QQQQk3/QQQQ4/8/8/8/8/8/4K3 w - - 0 1", 256),
    ],
)
def test_the_phase_is_the_share_of_the_pieces_that_is_left(fen: str, phase: int) -> None:
    assert game_phase(chess.Board(fen)) == phase


def test_every_piece_that_goes_lowers_the_phase() -> None:
    board = chess.Board()
    phases = [game_phase(board)]
    for square in [*chess.SquareSet(chess.BB_RANK_1 | chess.BB_RANK_8)]:
        if board.piece_type_at(square) != chess.KING:
            board.remove_piece_at(square)
            phases.append(game_phase(board))
    assert phases == sorted(set(phases), reverse=True)
    assert (phases[0], phases[-1], len(phases)) == (256, 0, 15)


def test_pieces_in_hand_are_not_gone() -> None:
    board = chess.variant.CrazyhouseBoard("rnb1kbnr/pppppppp/8/8/8/8/PPPPPPPP/RNB1KBNR[Qq] w KQkq - 0 1")
    assert game_phase(board) == 256


@given(middlegame=SCORES, endgame=SCORES, phase=PHASES)
def test_taper_is_a_weighted_mean_that_treats_both_sides_alike(
    middlegame: int, endgame: int, phase: int
) -> None:
    score = taper(middlegame, endgame, phase)
    assert min(middlegame, endgame) <= score <= max(middlegame, endgame)
    assert abs(score - (middlegame * phase + endgame * (256 - phase)) / 256) < 1
    assert taper(-middlegame, -endgame, phase) == -score


@given(middlegame=SCORES, endgame=SCORES)
def test_the_ends_of_the_taper(middlegame: int, endgame: int) -> None:
    assert taper(middlegame, endgame, 256) == middlegame
    assert taper(middlegame, endgame, 0) == endgame


def test_rounding_is_towards_zero() -> None:
    assert (taper(1, 0, 255), taper(-1, 0, 255)) == (0, 0)
    assert (taper(3, 2, 128), taper(-3, -2, 128)) == (2, -2)


@pytest.mark.parametrize(
    ("fen", "end"),
    [
        ("r1bqkbnr/pppp1ppp/2n5/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R w KQkq - 2 3", 0),
        ("8/2p2k2/1p6/8/4P3/8/PP3K2/8 b - - 0 1", 1),
    ],
)
def test_an_evaluation_at_either_end_is_one_of_its_two_sums(fen: str, end: int) -> None:
    board = chess.Board(fen)
    sums = [sum(row.white[i] - row.black[i] for row in breakdown(board)) for i in (0, 1)]
    assert sums[0] != sums[1]
    assert evaluate(board) == sums[end]
