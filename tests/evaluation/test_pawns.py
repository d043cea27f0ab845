"""Pawn structure by the numbers of the course notes, on positions small enough to count by hand."""

from __future__ import annotations

import chess
import pytest
from hypothesis import given, settings

from tests.evaluation.kit import placements, term

KINGS = ("4k3", "4K3")


def pawns(placement: str, name: str, color: chess.Color = chess.WHITE) -> tuple[int, int]:
    """The term on a board with the six middle ranks of `placement`, the seventh first."""
    return term(f"{KINGS[0]}/{placement}/{KINGS[1]} w - - 0 1", "pawns", name, color)


@pytest.mark.parametrize(
    ("placement", "isolated", "doubled"),
    [
        ("8/8/8/8/8/8", 0, 0),
        ("8/8/8/8/8/P7", -20, 0),
        ("8/8/8/8/8/PP6", 0, 0),
        ("8/8/8/8/8/P1P5", -40, 0),
        ("8/8/8/8/P7/P7", -20, -10),  # a file counts once, however many pawns it holds
        ("8/8/8/P7/P7/P7", -20, -10),
        ("8/8/8/8/P7/PP6", 0, -10),
        ("8/8/8/8/PP6/PP6", 0, -20),
        ("8/8/8/8/7P/P6P", -40, -10),
        ("8/8/8/8/8/P6P", -40, 0),  # the a-file and the h-file are no neighbours
        ("8/8/8/8/8/PPPPPPPP", 0, 0),
    ],
)
def test_isolated_and_doubled(placement: str, isolated: int, doubled: int) -> None:
    assert pawns(placement, "isolated") == (isolated, isolated)
    assert pawns(placement, "doubled") == (doubled, doubled)


def sketch(board: chess.Board, color: chess.Color) -> int:
    """Isolated and doubled pawns as the course notes count them."""
    files = [chess.square_file(pawn) for pawn in board.pieces(chess.PAWN, color)]
    score = 0
    for file in range(8):
        if file in files:
            score -= 20 * (file - 1 not in files and file + 1 not in files)
            score -= 10 * (files.count(file) > 1)
    return score


@settings(max_examples=200)
@given(board=placements())
def test_isolated_and_doubled_are_counted_as_the_course_notes_do(board: chess.Board) -> None:
    for color in chess.COLORS:
        both = sum(term(board, "pawns", name, color)[0] for name in ("isolated", "doubled"))
        assert both == sketch(board, color)


@pytest.mark.parametrize(
    ("placement", "backward"),
    [
        ("8/8/4p3/2P5/3P4/8", -15),  # d3 behind c4, and e5 attacks d4
        ("8/4p3/8/2P5/3P4/8", 0),  # nobody attacks d4
        ("8/4p3/8/2PP4/8/8", 0),  # abreast
        ("8/4p3/3P4/2P5/8/8", 0),  # in front
        ("8/8/8/2P1p3/8/3P4", -15),
        ("8/8/8/2P1p3/2P5/3P4", -15),
        ("8/8/8/2P1p3/8/2PP4", 0),  # c2 can still help it on
        ("8/8/8/4p3/8/3P4", 0),  # isolated, not backward
    ],
)
def test_backward(placement: str, backward: int) -> None:
    assert pawns(placement, "backward") == (backward, backward)


@pytest.mark.parametrize(
    ("placement", "is_passed"),
    [
        ("8/8/8/8/3P4/8", True),
        ("3p4/8/8/8/3P4/8", False),
        ("2p5/8/8/8/3P4/8", False),
        ("4p3/8/8/8/3P4/8", False),
        ("1p6/8/8/8/3P4/8", True),
        ("8/8/8/8/2pP4/8", True),  # abreast: it cannot stop it any more
        ("8/8/8/2p5/3P4/8", False),
        ("8/8/8/8/3P4/2p5", True),
    ],
)
def test_passed(placement: str, is_passed: bool) -> None:
    assert (pawns(placement, "passed") != (0, 0)) == is_passed


def test_a_passed_pawn_is_worth_20_at_home_and_more_with_every_rank_later() -> None:
    ranks = [["8"] * 6 for _ in range(6)]
    for number, rows in enumerate(ranks):
        rows[5 - number] = "P7"
    worth = [pawns("/".join(rows), "passed") for rows in ranks]
    assert worth[0] == (20, 20)
    for end in (0, 1):
        assert [pair[end] for pair in worth] == sorted({pair[end] for pair in worth})


def test_of_doubled_passed_pawns_the_front_one_counts() -> None:
    assert pawns("8/8/P7/8/8/P7", "passed") == pawns("8/8/P7/8/8/8", "passed")


@pytest.mark.parametrize(
    ("placement", "connected"),
    [
        ("8/8/8/8/PP6/8", 40),
        ("8/P7/8/8/1P6/8", 40),
        ("8/8/8/8/PPP5/8", 80),
        ("8/8/8/8/P1P5/8", 0),
        ("1p6/8/8/8/PP6/8", 0),
        ("2p5/8/8/8/PP6/8", 0),  # only one of the two is passed
        ("8/8/8/8/P6P/8", 0),
    ],
)
def test_connected_passed_pawns_are_worth_40_a_pair(placement: str, connected: int) -> None:
    assert pawns(placement, "connected passed") == (connected, connected)


def test_a_chain_counts_its_defended_pawns() -> None:
    one = pawns("8/8/8/3P4/2P5/8", "chain")
    assert pawns("8/8/4P3/3P4/2P5/8", "chain") == (2 * one[0], 2 * one[1])
    assert min(one) > 0
    assert pawns("8/8/8/2PP4/8/8", "chain") == (0, 0)
    assert pawns("8/8/8/P7/7P/8", "chain") == (0, 0)  # not round the edge


def test_islands_beyond_the_first() -> None:
    one = pawns("8/8/8/8/8/PP2P3", "islands")
    assert max(one) < 0
    assert pawns("8/8/8/8/8/PPPPPPPP", "islands") == (0, 0)
    assert pawns("8/8/8/8/8/P1P1P2P", "islands") == (3 * one[0], 3 * one[1])
    assert pawns("8/8/8/8/8/8", "islands") == (0, 0)


def test_black_pawns_march_the_other_way() -> None:
    assert pawns("8/8/8/8/p7/8", "passed", chess.BLACK) > pawns("8/p7/8/8/8/8", "passed", chess.BLACK)
    assert pawns("3p4/8/2p1P3/8/8/8", "backward", chess.BLACK) == (-15, -15)
    assert pawns("3p4/8/8/2p1P3/8/8", "backward", chess.BLACK) == (0, 0)
