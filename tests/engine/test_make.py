"""What a move changes is what the position after it says from nothing; taking it back restores everything."""

from __future__ import annotations

import random

import chess
import numpy as np
import pytest

from bot.engine import zobrist
from bot.engine.attacks import checkers, pinned
from bot.engine.generate import recall_move
from bot.engine.make import make, make_null, unmake, unmake_null
from bot.engine.moves import NAME
from bot.engine.position import load
from bot.engine.state import State, new_state
from tests.engine.kit import KIWIPETE, random_game

#: All that a move may change but for the past.
BOARD_FIELDS = (
    "men",
    "own",
    "occupied",
    "board",
    "turn",
    "castling",
    "en_passant",
    "halfmoves",
    "fullmove",
    "key",
    "pawn_key",
    "piece_keys",
    "placed",
)


@pytest.fixture(scope="module")
def state() -> State:
    return new_state()


def engine_move(state: State, board: chess.Board, move: chess.Move) -> int:
    """The engine's own move for one of python-chess."""
    plain = board._to_chess960(move)
    name = plain.from_square | plain.to_square << 6 | (plain.promotion or 0) << 12
    found = recall_move(state, name & NAME, checkers(state), pinned(state))
    assert found, (board.fen(), move)
    return int(found)


def board_of(state: State) -> dict[str, object]:
    return {name: np.array(state[name]).tolist() for name in BOARD_FIELDS}


def keys_of(state: State) -> tuple[int, int, tuple[int, int]]:
    """What `zobrist.keys` should say."""
    of_black, of_white = (int(key) for key in state["piece_keys"])
    return int(state["key"]), int(state["pawn_key"]), (of_black, of_white)


def test_a_whole_game_forth_and_back() -> None:
    rng = random.Random(3)
    state, fresh = new_state(), new_state()
    for _ in range(25):
        made: list[tuple[int, dict[str, object]]] = []
        for board, move in random_game(rng):
            if not made:
                load(state, board)
            load(fresh, board)
            assert board_of(state) == board_of(fresh), board.fen()
            assert zobrist.keys(state) == keys_of(state)
            played = engine_move(state, board, move)
            made.append((played, board_of(state)))
            make(state, played)
        for played, before in reversed(made):
            unmake(state, played)
            assert board_of(state) == before
        assert state["height"] == 0


def test_every_move_of_a_position_is_taken_back(state: State) -> None:
    for fen in (KIWIPETE, "4k3/P6P/8/2pP4/8/8/p6p/1N2K1N1 w - c6 0 1", "1k6/8/8/8/8/8/8/1RK1R3 w BE - 5 9"):
        board = chess.Board(fen, chess960=True)
        load(state, board)
        before = board_of(state)
        for move in board.legal_moves:
            played = engine_move(state, board, move)
            make(state, played)
            assert board_of(state) != before
            unmake(state, played)
            assert board_of(state) == before


def test_passing(state: State) -> None:
    board = chess.Board("rnbqkbnr/ppp1pppp/8/8/3pP3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 3")
    load(state, board)
    before = board_of(state)
    make_null(state)
    assert (state["turn"], state["en_passant"]) == (1, -1)
    assert zobrist.keys(state) == keys_of(state)
    unmake_null(state)
    assert board_of(state) == before
