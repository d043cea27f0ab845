"""The benchmark of the engine, and the signature of its search."""

from __future__ import annotations

import chess
import pytest

from bot.bench.engine import POSITIONS, engine_speed
from bot.engine.network_names import DEFAULT, NONE
from bot.timing.clock import SystemClock

#: Changes with every change of the search or the evaluation. `knightshift bench engine --depth 8` tells it.
DEPTH = 8
SIGNATURES = {DEFAULT: 130_787, NONE: 172_704}


@pytest.mark.parametrize("network", SIGNATURES)
def test_the_signature_of_the_search(network: str) -> None:
    assert engine_speed(SystemClock(), depth=DEPTH, network=network).nodes == SIGNATURES[network]


@pytest.mark.parametrize("fen", POSITIONS)
def test_its_positions_can_be_played(fen: str) -> None:
    board = chess.Board(fen, chess960=True)
    assert board.is_valid()
    assert not board.is_game_over()


def test_no_position_is_searched_twice() -> None:
    assert len({chess.Board(fen).epd() for fen in POSITIONS}) == len(POSITIONS)
