"""The benchmark of the engine, and the signature of its search."""

from __future__ import annotations

import io
import json

import chess
import pytest
from rich.console import Console

from bot.bench.engine import POSITIONS, engine_speed, run_engine
from bot.engine.network_names import DEFAULT, NONE
from bot.timing.clock import SystemClock

#: Changes with every change of the search or the evaluation. `knightshift bench engine --depth 8` tells it.
DEPTH = 8
SIGNATURES = {DEFAULT: 140_845, NONE: 175_241}


@pytest.mark.parametrize("network", SIGNATURES)
def test_the_signature_of_the_search(network: str) -> None:
    assert engine_speed(SystemClock(), depth=DEPTH, network=network).nodes == SIGNATURES[network]


@pytest.mark.parametrize("fen", POSITIONS)
def test_its_positions_can_be_played(fen: str) -> None:
    board = chess.Board(fen, chess960=True)
    assert board.is_valid()
    assert not board.is_game_over()


@pytest.mark.parametrize("threads", [1, 2])
def test_what_threads_are_worth_is_told_beside_the_rest(threads: int) -> None:
    stream, steps = io.StringIO(), list[str]()
    run_engine(
        depth=2,
        threads=threads,
        as_json=True,
        console=Console(file=stream),
        clock=SystemClock(),
        progress=steps.append,
    )
    said = json.loads(stream.getvalue())
    assert said["nodes"] == engine_speed(SystemClock(), depth=2).nodes
    assert ("threads_times_as_soon" in said) == (threads == 2)
    assert said.get("threads", 1) == threads
    assert any(step.startswith("2 threads: ") for step in steps) == (threads == 2)
    assert said["ratio"] > 1  # of machine code to Python


def test_no_position_is_searched_twice() -> None:
    assert len({chess.Board(fen).epd() for fen in POSITIONS}) == len(POSITIONS)
