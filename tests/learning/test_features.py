"""Which inputs a position sets: against the plainest reckoning, and by what must not matter."""

from __future__ import annotations

from collections.abc import Callable

import chess
import numpy as np
import pytest

from bot.engine.network import INPUTS
from bot.learning.features import MAX_MEN, NO_INPUT, active, boards, outputs
from bot.learning.positions import DRAW, POSITION, Positions, from_board
from tests.engine.kit import KIWIPETE
from tests.learning.training_kit import inputs_of, sample_boards


def packed(*found: chess.Board) -> Positions:
    return np.array([from_board(board, score=0, result=DRAW) for board in found], POSITION)


def sets(positions: Positions) -> list[tuple[set[int], set[int]]]:
    """By position: the mover's inputs, and the other side's."""
    return [(set(row[0]) - {NO_INPUT}, set(row[1]) - {NO_INPUT}) for row in active(positions).tolist()]


def test_the_inputs_are_those_that_the_words_of_the_format_give() -> None:
    found = sample_boards(500, seed=11)

    expected = [(inputs_of(board, board.turn), inputs_of(board, not board.turn)) for board in found]
    assert sets(packed(*found)) == expected
    assert len({len(mine) for mine, _ in expected}) > 5  # of many numbers of men
    assert {board.turn for board in found} == {chess.WHITE, chess.BLACK}


def test_one_man_by_hand() -> None:
    board = chess.Board("4k3/8/8/8/8/8/4P3/1K6 w - - 0 1")

    mine, theirs = sets(packed(board))[0]
    # White's king is on b1: nothing is mirrored
    assert mine == {0 * 64 + chess.E2, 5 * 64 + chess.B1, 384 + 5 * 64 + chess.E8}
    # Black's king is on e8, so Black sees itself on d1, and the pawn on d7
    assert theirs == {5 * 64 + chess.D1, 384 + 0 * 64 + chess.D7, 384 + 5 * 64 + chess.G8}


@pytest.mark.parametrize(
    "turn_round", [chess.flip_horizontal, lambda bits: bits], ids=["mirrored", "as it is"]
)
def test_a_position_left_to_right_or_with_colours_swapped_is_the_same(
    turn_round: Callable[[chess.Bitboard], chess.Bitboard],
) -> None:
    for board in sample_boards(100, seed=12):
        bare = chess.Board(None)
        bare.set_piece_map(board.piece_map())
        bare.turn = board.turn
        same = bare.transform(turn_round)
        assert sets(packed(bare)) == sets(packed(same)) == sets(packed(bare.mirror())), bare.fen()


def test_each_input_is_in_range_and_nothing_is_left_out() -> None:
    found = sample_boards(200, seed=13)
    inputs = active(packed(*found))

    assert inputs.shape == (200, 2, MAX_MEN)
    assert inputs.max() < INPUTS
    counts = (inputs != NO_INPUT).sum(axis=2)
    assert (counts == np.array([[len(board.piece_map())] * 2 for board in found])).all()
    assert ((inputs == NO_INPUT) == (np.arange(MAX_MEN) >= counts[:, :, None])).all()  # behind the last one


def test_a_board_has_its_men_where_they_are() -> None:
    board = chess.Board(KIWIPETE)
    expected = [
        0 if (piece := board.piece_at(square)) is None else piece.piece_type + 8 * piece.color
        for square in chess.SQUARES
    ]
    assert boards(packed(board))[0].tolist() == expected


@pytest.mark.parametrize(("men", "chosen"), [(2, 0), (5, 0), (6, 1), (29, 6), (30, 7), (32, 7)])
def test_the_output_goes_by_the_number_of_men(men: int, chosen: int) -> None:
    board = chess.Board()
    for square in list(chess.scan_forward(board.occupied & ~board.kings))[: 32 - men]:
        board.remove_piece_at(square)
    assert outputs(packed(board)).tolist() == [chosen]


def test_what_is_no_position_is_refused() -> None:
    crowd = packed(chess.Board())
    crowd["occupied"] |= np.uint64(1 << chess.E4)
    with pytest.raises(ValueError, match="more than 32 men"):
        active(crowd)
    for fen in ("8/8/8/8/8/8/8/K7 w - - 0 1", "k7/8/8/8/8/8/8/KK6 w - - 0 1"):
        with pytest.raises(ValueError, match="not one king on each side"):
            active(packed(chess.Board(fen)))
