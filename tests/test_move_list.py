"""What is remembered of a move list is what a replay would give, and it spares the replay."""

from __future__ import annotations

import random

import chess
import pytest

from bot.errors import PositionError
from bot.move_list import FromMoves
from bot.position import BOARDS, new_board, position_after, replay, whole_game


def counting(games: int) -> tuple[FromMoves[tuple[str, ...]], list[str]]:
    """Collects the moves; the second value has every move that was worked on."""
    worked_on: list[str] = []

    def grow(value: tuple[str, ...], uci: str) -> tuple[str, ...]:
        worked_on.append(uci)
        if uci == "bad":
            raise PositionError("bad")
        return (*value, uci)

    return FromMoves(lambda variant, fen: (variant, fen), grow, games=games), worked_on


def test_only_the_new_plies_are_worked_on() -> None:
    function, worked_on = counting(games=2)
    assert function("standard", "fen", ("a", "b", "c")) == ("standard", "fen", "a", "b", "c")
    assert function("standard", "fen", ("a", "b", "c", "d", "e")) == ("standard", "fen", *"abcde")
    assert function("standard", "fen", ("a", "b", "c", "d", "e")) == ("standard", "fen", *"abcde")
    assert "".join(worked_on) == "abcde"


def test_another_past_is_worked_out_from_the_start() -> None:
    function, _ = counting(games=2)
    function("standard", "fen", ("a", "b", "c"))
    assert function("standard", "fen", ("a", "x", "c", "d")) == ("standard", "fen", *"axcd")
    assert function("standard", "fen", ("a", "b")) == ("standard", "fen", "a", "b")  # a takeback
    assert function("atomic", "fen", ("a", "b")) == ("atomic", "fen", "a", "b")
    assert function("standard", "other", ("a", "b")) == ("standard", "other", "a", "b")


def test_the_game_that_was_asked_for_longest_ago_is_forgotten() -> None:
    function, worked_on = counting(games=2)
    for fen in ("1", "2", "1", "3"):
        function("standard", fen, ("a", "b"))
    worked_on.clear()
    function("standard", "1", ("a", "b"))
    assert worked_on == []
    function("standard", "2", ("a", "b"))
    assert worked_on == ["a", "b"]


def test_a_bad_move_is_named_with_its_ply_and_spoils_nothing() -> None:
    function, _ = counting(games=2)
    function("standard", "fen", ("a", "b"))
    with pytest.raises(PositionError, match=r"^ply 3: bad$"):
        function("standard", "fen", ("a", "b", "bad"))
    assert function("standard", "fen", ("a", "b", "c")) == ("standard", "fen", *"abc")


@pytest.mark.parametrize("variant", tuple(BOARDS))
def test_a_position_is_that_of_a_replay(variant: str) -> None:
    rng = random.Random(variant)
    board, moves = new_board(variant, "startpos"), tuple[str, ...]()
    while len(moves) < 40 and not board.is_game_over():
        move = rng.choice(list(board.legal_moves))
        board.push(move)
        moves += (move.uci(),)
        found = position_after(variant, "startpos", moves)
        assert found.fen() == replay(variant, "startpos", moves).fen()
        assert found.move_stack == []
        whole, again = whole_game(variant, "startpos", moves), replay(variant, "startpos", moves)
        assert (whole.fen(), whole.move_stack) == (again.fen(), again.move_stack)
        assert whole.is_repetition(2) == again.is_repetition(2)
        whole.push(next(iter(whole.legal_moves), chess.Move.null()))  # it is ours, and nobody else's


def test_a_position_belongs_to_whoever_asked_for_it() -> None:
    position_after("standard", "startpos", ("e2e4",)).push_uci("e7e5")
    assert position_after("standard", "startpos", ("e2e4",)).turn == chess.BLACK
