"""The list of a node's moves: all of them, once, and the likely best first."""

from __future__ import annotations

import chess
import numpy as np
import pytest

from bot.engine.attacks import checkers, pinned
from bot.engine.history import quiet_history
from bot.engine.moves import NO_MOVE, is_quiet
from bot.engine.ordering import begin_list, next_move
from bot.engine.position import load, to_chess
from bot.engine.state import State, new_state
from tests.engine.kit import KIWIPETE, random_positions

#: The most moves that a game can have: 218.
MANY = "R6R/3Q4/1Q4Q1/4Q3/2Q4Q/Q4Q2/pp1Q4/kBNN1KB1 w - - 0 1"


@pytest.fixture(scope="module")
def state() -> State:
    """Whose histories hold anything."""
    made = new_state()
    rng = np.random.default_rng(5)
    for name in ("history", "continuation", "capture_history"):
        made[name] = rng.integers(-16_000, 16_000, made[name].shape)
    return made


def listed(state: State, board: chess.Board) -> list[int]:
    load(state, board)
    begin_list(state, 0, NO_MOVE, checkers(state), pinned(state))
    found = []
    while (move := next_move(state, 0)) != NO_MOVE:
        found.append(int(move))
    return found


def test_every_move_comes_once(state: State) -> None:
    for board in [chess.Board(KIWIPETE), chess.Board(MANY), *random_positions(300, seed=3)]:
        found = [to_chess(move, board).uci() for move in listed(state, board)]
        assert sorted(found) == sorted(move.uci() for move in board.legal_moves), board.fen()


def test_quiet_moves_come_by_their_history(state: State) -> None:
    for board in [chess.Board(MANY), *random_positions(100, seed=4)]:
        values = [int(quiet_history(state, move, 0)) for move in listed(state, board) if is_quiet(move)]
        assert values == sorted(values, reverse=True), board.fen()
