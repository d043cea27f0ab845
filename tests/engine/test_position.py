"""Boards of python-chess in the engine's record."""

from __future__ import annotations

import chess
import chess.variant
import pytest

from bot.engine.position import load, playable
from bot.engine.state import MAX_GAME, new_state


def test_the_past_is_there_as_far_as_it_can_come_again() -> None:
    board = chess.Board()
    for uci in ("e2e4", "e7e5", "g1f3", "g8f6", "f3g1", "f6g8"):
        board.push_uci(uci)
    state = new_state()
    load(state, board)
    assert state["height"] == 4
    assert state["halfmoves"] == 4
    assert state["key"] == state["past"][0]["key"]
    assert len({int(key) for key in state["past"]["key"][:4]}) == 4


def test_of_a_very_long_game_the_last_part() -> None:
    board = chess.Board("4k3/8/8/8/8/8/8/R3K3 w - - 600 400")
    for _ in range(200):
        for uci in ("a1a2", "e8e7", "a2a1", "e7e8"):
            board.push_uci(uci)
    state = new_state()
    load(state, board)
    assert state["height"] == MAX_GAME - 1
    assert board.ply() == 800 + board.copy(stack=0).ply() - 800  # the board is left as it was


def test_taking_in_passing_counts_where_a_pawn_could_do_it() -> None:
    state = new_state()
    load(state, chess.Board("rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1"))
    assert state["en_passant"] == -1
    load(state, chess.Board("rnbqkbnr/ppp1pppp/8/8/3pP3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1"))
    assert state["en_passant"] == chess.E3


def test_what_it_cannot_play_is_refused() -> None:
    assert not playable(chess.variant.AtomicBoard())
    crowd = chess.Board("qqqqkqqq/qqqqqqqq/q7/8/8/8/8/4K3 w - - 0 1")
    assert not playable(crowd)
    with pytest.raises(ValueError, match="the engine cannot play qqqq"):
        load(new_state(), crowd)
    assert playable(chess.Board.from_chess960_pos(17))
