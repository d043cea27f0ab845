"""King safety: the shield and the open files by the numbers of the course notes, and the attack."""

from __future__ import annotations

import chess
import pytest

from bot.evaluation import WEIGHTS
from tests.evaluation.kit import facts, term


@pytest.mark.parametrize(
    ("fen", "pawns"),
    [
        ("4k3/8/8/8/8/8/5PPP/6K1 w - - 0 1", 3),
        ("4k3/8/8/8/8/7P/5PP1/6K1 w - - 0 1", 2),
        ("4k3/8/8/8/8/8/6PP/7K w - - 0 1", 2),  # in the corner there are but two files
        ("4k3/8/8/8/8/8/P7/7K w - - 0 1", 0),  # not round the edge
        ("4k3/8/8/8/8/5PPP/6K1/8 w - - 0 1", 3),
        ("4k3/8/8/8/8/6K1/5PPP/8 w - - 0 1", 0),  # behind the king
        ("4k3/8/8/8/8/8/5ppp/6K1 w - - 0 1", 0),  # the enemy's
    ],
)
def test_each_pawn_of_the_shield_is_worth_10_in_the_middlegame(fen: str, pawns: int) -> None:
    assert term(fen, "king safety", "pawn shield") == (10 * pawns, 0)


@pytest.mark.parametrize("king", ["a8", "d8", "h8"])
def test_a_king_on_its_last_rank_has_no_shield_and_no_rank_in_front(king: str) -> None:
    board = chess.Board("8/PPPPPPPP/8/8/8/8/8/k7 w - - 0 1")
    board.set_piece_at(chess.parse_square(king), chess.Piece(chess.KING, chess.WHITE))
    assert term(board, "king safety", "pawn shield") == (0, 0)
    assert term(board.mirror(), "king safety", "pawn shield", chess.BLACK) == (0, 0)


def test_black_has_its_shield_below() -> None:
    fen = "6k1/5ppp/8/8/8/8/8/4K3 w - - 0 1"
    assert term(fen, "king safety", "pawn shield", chess.BLACK) == (30, 0)
    assert term(fen, "king safety", "pawn shield", chess.WHITE) == (0, 0)


@pytest.mark.parametrize(
    ("fen", "files"),
    [
        ("4k3/8/8/8/8/8/5PPP/6K1 w - - 0 1", 0),
        ("4k3/8/8/8/8/8/6PP/6K1 w - - 0 1", 1),
        ("4k3/5p2/8/8/8/8/6PP/6K1 w - - 0 1", 0),  # half open is not open
        ("4k3/8/8/8/8/8/8/6K1 w - - 0 1", 3),
        ("4k3/8/8/8/8/8/8/7K w - - 0 1", 2),
        ("4k3/8/8/8/8/8/PPPPP3/6K1 w - - 0 1", 3),
    ],
)
def test_each_open_file_near_the_king_costs_20_in_the_middlegame(fen: str, files: int) -> None:
    assert term(fen, "king safety", "open files") == (-20 * files, 0)


def test_one_attacker_is_no_attack_and_two_are() -> None:
    alone = "6k1/8/8/8/8/8/6q1/4K3 w - - 0 1"
    helped = "6k1/8/8/8/8/5n2/6q1/4K3 w - - 0 1"
    assert term(alone, "king safety", "under attack") == (0, 0)
    middlegame, endgame = term(helped, "king safety", "under attack")
    assert middlegame < endgame < 0


def test_an_attack_by_hand() -> None:
    # The zone of g1 is f1 to h3. The rook sees f1, f2 and f3: 3 x 3. The knight sees f3 and g2: 2 x 2.
    # 13 x 13 = 169; over 17 it is 9, over 93 it is 1.
    fen = "k4r2/8/8/8/7n/8/8/6K1 w - - 0 1"
    assert term(fen, "king safety", "under attack") == (-9, -1)


def test_no_attack_costs_more_than_the_limit() -> None:
    fen = "k4rrr/8/8/8/qqqqqqqq/8/8/6K1 w - - 0 1"
    assert term(fen, "king safety", "under attack") == (
        -WEIGHTS.king_attack_limit[0],
        -WEIGHTS.king_attack_limit[1],
    )


def test_enemies_weigh_more_the_nearer_they_come() -> None:
    far, near, nearest = (
        term(f"4k3/{ranks}/6K1 w - - 0 1", "king safety", "enemies near")[0]
        for ranks in ("q7/8/8/8/8/8", "8/8/8/6q1/8/8", "8/8/8/8/8/6q1")
    )
    assert nearest < near < far <= 0
    assert near == 4 * WEIGHTS.tropism[chess.QUEEN][0]  # from g4 to g1 there are three steps


def test_a_side_without_a_king_has_nothing_to_guard() -> None:
    board = chess.Board("4k3/8/8/8/8/8/PPPPPPPP/8 w - - 0 1")
    for name in ("pawn shield", "open files", "under attack", "enemies near"):
        assert term(board, "king safety", name) == (0, 0)
    assert facts(board).king == [chess.E8, None]
