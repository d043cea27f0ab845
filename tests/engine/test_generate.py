"""The engine's legal moves are python-chess's, in random games of chess and chess960."""

from __future__ import annotations

from typing import Any

import chess
import numba
import numpy as np
import pytest

from bot.engine.attacks import checkers, pinned
from bot.engine.generate import add_noisy, add_quiet, recall_move
from bot.engine.jit import UINT64, VOID, Bits, compiled
from bot.engine.moves import NAME, is_quiet
from bot.engine.position import load, to_chess
from bot.engine.state import STATE_T, State, new_state
from tests.engine.kit import KIWIPETE, random_positions

INT64_ARRAY = numba.int64[::1]
#: Rules that random games rarely meet.
RARE = [
    KIWIPETE,
    "8/8/8/K2pP2r/8/8/8/4k3 w - d6 0 1",  # both pawns would leave the rank
    "8/8/8/8/k2Pp2Q/8/8/3K4 b - d3 0 1",
    "8/5k2/8/2Pp4/2B5/1K6/8/8 w - d6 0 1",  # the pawn that gives no check is taken in check
    "4k3/8/8/3pP3/4K3/8/8/8 w - d6 0 1",  # the pawn that gives check is
    "k7/8/8/8/8/8/8/rR2K3 w B - 0 1",  # the rook shields the king only while it stands there
    "1r2k3/8/8/8/8/8/8/1R2K3 w B - 0 1",  # the rook may cross an attacked square, the king may not
    "2r1k3/8/8/8/8/8/8/1R2K3 w B - 0 1",
    "4k3/8/8/8/8/8/8/5RK1 w F - 0 1",
    "4k3/8/8/8/8/8/8/5KR1 w G - 0 1",  # the king goes where the rook stands
    "r3k2r/8/8/8/8/8/5p2/R3K2R w KQkq - 0 1",
    "4k3/P6P/8/8/8/8/p6p/1N2K1N1 b - - 0 1",
    "3qkq2/8/8/8/3b4/8/3P1P2/4K3 w - - 0 1",
]


@pytest.fixture(scope="module")
def state() -> State:
    return new_state()


def moves_of(state: State) -> tuple[list[int], list[int]]:
    """The noisy and the quiet moves of the position in the record."""
    checks, pins = checkers(state), pinned(state)
    middle = add_noisy(state, 0, checks, pins)
    end = add_quiet(state, middle, checks, pins)
    moves = [int(move) for move in state["moves"][:end]]
    return moves[:middle], moves[middle:]


def compare(state: State, board: chess.Board) -> None:
    load(state, board)
    noisy, quiet = moves_of(state)
    assert sorted(to_chess(move, board).uci() for move in noisy + quiet) == sorted(
        move.uci() for move in board.legal_moves
    ), board.fen()
    assert not any(is_quiet(move) for move in noisy)
    assert all(is_quiet(move) for move in quiet)
    expected = board.checkers()
    assert int(checkers(state)) == int(expected)


def test_random_games(state: State) -> None:
    for board in random_positions(4_000, seed=1):
        compare(state, board)


@pytest.mark.parametrize("fen", RARE)
def test_rare_rules(state: State, fen: str) -> None:
    board = chess.Board(fen, chess960=True)
    compare(state, board)
    for move in list(board.legal_moves):
        board.push(move)
        compare(state, board)
        board.pop()


@compiled(VOID(STATE_T, UINT64, UINT64, INT64_ARRAY))
def recall_all(S: State, checks: Bits, pins: Bits, found: Any) -> None:
    """Look up every name there is."""
    for name in range(len(found)):
        found[name] = recall_move(S, name, checks, pins)


def test_a_name_leads_to_its_move_where_that_is_legal_and_to_none_elsewhere(state: State) -> None:
    positions = [board.copy() for board in random_positions(500, seed=2)]
    found = np.zeros(NAME + 1, np.int64)
    for board in positions + [chess.Board(fen, chess960=True) for fen in RARE]:
        load(state, board)
        legal = {move & NAME: move for part in moves_of(state) for move in part}
        recall_all(state, checkers(state), pinned(state), found)
        assert {name: move for name, move in enumerate(found.tolist()) if move} == legal, board.fen()
