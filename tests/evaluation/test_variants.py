"""Evaluations that the rules of a variant call for."""

from __future__ import annotations

import chess
import chess.variant
import pytest

from bot.evaluation import breakdown, evaluate
from bot.position import BOARDS, new_board


def worth(variant: str, fen: str) -> int:
    return evaluate(new_board(variant, fen))


@pytest.mark.parametrize("variant", BOARDS)
def test_material_or_what_stands_for_it_and_mobility_count_everywhere(variant: str) -> None:
    families = {row.family for row in breakdown(new_board(variant, "startpos"))}
    assert "mobility" in families
    assert families & {"material", "antichess"}


@pytest.mark.parametrize("board_type", chess.variant.VARIANTS)
def test_there_is_a_number_for_every_variant_that_python_chess_knows(board_type: type[chess.Board]) -> None:
    board = board_type()
    assert abs(evaluate(board)) < 1000


@pytest.mark.parametrize(
    "variant", ["standard", "crazyhouse", "atomic", "horde", "kingOfTheHill", "racingKings", "threeCheck"]
)
def test_a_queen_more_is_better_where_pieces_are_an_asset(variant: str) -> None:
    fens = {
        "racingKings": "8/8/8/8/8/8/k6K/4R{}N1 w - - 0 1",
        "horde": "4k3/8/8/8/8/8/PPPPPPPP/{}PPPPPPP w - - 0 1",
    }
    fen = fens.get(variant, "4k3/8/8/8/8/8/8/{}K6 w - - 0 1")
    assert worth(variant, fen.format("Q")) > worth(variant, fen.format("1")) + 500


def test_men_in_hand_count_in_crazyhouse() -> None:
    nothing, knight, pawn, blacks = (
        worth("crazyhouse", f"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR[{hand}] w KQkq - 0 1")
        for hand in ("", "N", "P", "n")
    )
    assert (knight - nothing, pawn - nothing, blacks - nothing) == (320, 100, -320)


def test_fewer_men_are_better_in_antichess() -> None:
    full = worth("antichess", "4k3/8/8/8/8/8/8/4K3 w - - 0 1")
    more = worth("antichess", "4k3/8/8/8/8/8/PPP5/4K3 w - - 0 1")
    assert (full, more) == (0, -300)


def test_each_check_given_is_worth_more_than_the_one_before() -> None:
    none, one, two = (worth("threeCheck", f"4k3/8/8/8/8/8/8/R3K3 w - - {left}+3 0 1") for left in (3, 2, 1))
    assert 0 < one - none < two - one


def test_the_king_is_drawn_to_the_hill() -> None:
    far, near = (worth("kingOfTheHill", f"4k3/8/8/8/8/8/{ranks} w - - 0 1") for ranks in ("8/4K3", "4K3/8"))
    assert near > far
    as_in_chess = worth("standard", "4k3/8/8/8/8/8/4K3/8 w - - 0 1") - worth(
        "standard", "4k3/8/8/8/8/8/8/4K3 w - - 0 1"
    )
    assert near - far > as_in_chess


def test_the_race_goes_to_the_eighth_rank_for_both() -> None:
    even = worth("racingKings", "8/8/8/8/8/1k4K1/8/8 w - - 0 1")
    white_ahead = worth("racingKings", "8/8/6K1/8/8/1k6/8/8 w - - 0 1")
    black_ahead = worth("racingKings", "8/8/1k6/8/8/6K1/8/8 w - - 0 1")
    assert even == 0 < white_ahead == -black_ahead


def test_the_horde_is_not_told_that_its_pawns_are_doubled() -> None:
    assert not {"pawns", "patterns"} & {row.family for row in breakdown(new_board("horde", "startpos"))}
