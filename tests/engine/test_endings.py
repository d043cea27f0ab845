"""Endings that more material does not win: which they are, and that a search keeps away from them."""

from __future__ import annotations

import chess
import pytest

from bot.engine.endings import WHOLE, winnable
from bot.engine.features import ALL, without
from bot.engine.leaf import worth
from bot.engine.learned import use
from bot.engine.network import chosen
from bot.engine.position import load
from bot.engine.searcher import Searcher
from bot.engine.state import State, new_state
from bot.search import Limits
from tests.engine.kit import random_positions

#: What White's advantage is worth, of WHOLE: by hand, from what books on the endgame say.
KNOWN = [
    ("a bishop", "8/8/3k4/8/8/3K4/8/6B1 w - - 0 1", 0),
    ("two knights", "8/8/3k4/8/8/3KNN2/8/8 w - - 0 1", 0),
    ("two bishops", "8/8/3k4/8/8/3KBB2/8/8 w - - 0 1", WHOLE),
    ("... on squares of one colour", "8/8/3k4/8/8/3K4/8/B1B5 w - - 0 1", 0),
    ("... against a knight", "8/8/3kn3/8/8/3KBB2/8/8 w - - 0 1", WHOLE),
    ("... against a bishop", "8/8/3kb3/8/8/3KBB2/8/8 w - - 0 1", 8),
    ("a queen against bishop and knight", "8/8/3kbn2/8/8/3KQ3/8/8 w - - 0 1", WHOLE),
    ("a queen against two knights", "8/8/3knn2/8/8/3KQ3/8/8 w - - 0 1", 8),
    ("bishop and knight", "8/8/3k4/8/8/3KBN2/8/8 w - - 0 1", WHOLE),
    ("a rook", "8/8/3k4/8/8/3KR3/8/8 w - - 0 1", WHOLE),
    ("a rook against a bishop", "8/8/3kb3/8/8/3KR3/8/8 w - - 0 1", 8),
    ("a queen against a rook", "8/8/3kr3/8/8/3KQ3/8/8 w - - 0 1", WHOLE),
    ("bishop and a-pawn, the king in the wrong corner", "k7/8/8/P7/8/3K4/8/2B5 w - - 0 1", 0),
    ("... two pawns", "k7/8/P7/P7/8/3K4/8/2B5 w - - 0 1", 0),
    ("... two steps away", "2k5/8/8/P7/8/3K4/8/2B5 w - - 0 1", 8),
    ("... far away", "4k3/8/8/P7/8/3K4/8/2B5 w - - 0 1", WHOLE),
    ("... in the right corner", "k7/8/8/P7/8/3K4/8/5B2 w - - 0 1", WHOLE),
    ("... Black has a pawn as well", "k7/8/8/P7/7p/3K4/8/2B5 w - - 0 1", 8),
    ("... a b-pawn as well", "k7/8/1P6/P7/8/3K4/8/2B5 w - - 0 1", WHOLE),
    ("... against a knight", "k7/8/8/P5n1/8/3K4/8/2B5 w - - 0 1", 8),
    ("... and a king far away", "8/8/8/1K6/P7/8/6n1/2B4k w - - 0 1", 28),
    ("the h-pawn", "7k/8/8/7P/8/3K4/8/5B2 w - - 0 1", 0),
    ("the h-pawn, the right bishop", "7k/8/8/7P/8/3K4/8/2B5 w - - 0 1", WHOLE),
    ("an a-pawn alone, the king in its corner", "k7/8/8/P7/8/3K4/8/8 w - - 0 1", 0),
    ("an e-pawn alone", "4k3/8/8/4P3/8/3K4/8/8 w - - 0 1", WHOLE),
    ("a knight, and an a-pawn on the seventh rank", "k7/P7/8/3K4/8/2N5/8/8 w - - 0 1", 0),
    ("... and a second one", "k7/P7/2K5/P7/8/2N5/8/8 w - - 0 1", WHOLE),
    ("... and Black a pawn", "k7/P6p/1K6/8/8/8/4N3/8 w - - 0 1", WHOLE),
    ("... the right bishop", "k7/P7/8/3K4/4B3/8/8/8 w - - 0 1", WHOLE),
    ("... on the sixth", "k7/8/P7/3K4/8/2N5/8/8 w - - 0 1", WHOLE),
    ("bishops of the same colour, a pawn", "8/3kb3/8/8/3PK3/8/3B4/8 w - - 0 1", 28),
    ("of opposite colours", "8/3k1b2/8/8/3PK3/8/3B4/8 w - - 0 1", 4),
    ("... two pawns", "8/3k1b2/8/8/2PPK3/8/3B4/8 w - - 0 1", 14),
    ("... rooks as well", "8/3k1b1r/8/8/2PPK3/8/3B3R/8 w - - 0 1", WHOLE),
    ("a pawn, knight against bishop", "8/3k1b2/8/8/3PK3/8/3N4/8 w - - 0 1", 28),
    ("a pawn, rooks", "8/3k1r2/8/8/3PK3/8/3R4/8 w - - 0 1", 48),
    ("an a-pawn, rooks, the king before it", "k7/5r2/8/8/P3K3/8/3R4/8 w - - 0 1", 16),
    ("too many men", "4k3/pppppp2/8/8/8/8/PPPPP3/3KNN2 w - - 0 1", WHOLE),
]


def of(state: State, board: chess.Board, strong: chess.Color) -> int:
    load(state, board)
    return int(winnable(state, int(strong)))


@pytest.fixture(scope="module")
def state() -> State:
    return new_state()


@pytest.mark.parametrize(("fen", "part"), [pytest.param(fen, part, id=name) for name, fen, part in KNOWN])
def test_what_is_known(state: State, fen: str, part: int) -> None:
    board = chess.Board(fen)
    assert of(state, board, chess.WHITE) == part
    assert of(state, board.transform(chess.flip_horizontal), chess.WHITE) == part
    assert of(state, board.mirror(), chess.BLACK) == part


def test_a_part_is_never_less_than_nothing_nor_more_than_all(state: State) -> None:
    boards = random_positions(3_000, seed=91)
    parts = {of(state, board, colour) for board in boards for colour in chess.COLORS}
    assert min(parts) >= 0
    assert max(parts) == WHOLE
    assert len(parts) > 1


@pytest.mark.parametrize("network", ["default", "none"])
def test_either_evaluation_shrinks(state: State, network: str) -> None:
    """The network takes two pawns more for won: it learnt from searches that did."""
    use(state, chosen(network))
    told = []
    for word in (ALL, without(["endings"])):
        state["features"] = word
        state["evaluation_keys"] = 0
        load(state, chess.Board("8/3k1b2/8/8/2PPK3/8/3B4/8 b - - 0 1"))
        told.append(int(worth(state)))

    assert told[1] < -60
    assert told[0] == -(-told[1] * 14 // WHOLE)


def test_bishops_of_opposite_colours_are_not_sought() -> None:
    """In a game it changed into them with two pawns more: a draw, which it took for won."""
    board = chess.Board("8/5k2/3Bb1p1/2p1Pp2/p4P2/3K4/8/8 b - - 1 56")
    found = Searcher(network=chosen("default")).search(board, Limits(nodes=400_000))
    assert found.move != chess.Move.from_uci("g6g5")
