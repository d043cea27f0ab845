"""`lab positions`: what a file holds, in words and on boards."""

from __future__ import annotations

import io
from pathlib import Path

import chess
import numpy as np
import pytest
from rich.console import Console
from typer.testing import CliRunner

from bot.cli import app
from bot.learning.positions import LOSS, POSITION, PositionsError, encoded, from_board
from bot.learning.show_positions import run_positions
from tests.learning.test_positions import header, some_positions


def shown(path: Path, *, show: int = 3, seed: int = 1) -> str:
    stream = io.StringIO()
    assert run_positions(path, show=show, seed=seed, console=Console(file=stream, width=300)) == 0
    return stream.getvalue()


def test_one_position_as_it_is(tmp_path: Path) -> None:
    board = chess.Board("8/8/8/8/8/5k2/8/K6r b - - 0 30")
    path = tmp_path / "one.positions"
    path.write_bytes(encoded(header(1), np.array([from_board(board, score=-512, result=LOSS)])))
    text = shown(path)
    assert f"{path}: 1 positions of 0 games; seed 3, nodes 7, network none, engine e\n" in text
    assert "the side to move won 0.0%, drew 0.0%, lost 100.0%; White is to move in 0.0%" in text
    assert f"{board}\n0: {board.fen()}\nBlack to move, -512 cp for it; it lost\n" in text


def test_the_verb(tmp_path: Path) -> None:
    path = tmp_path / "some.positions"
    path.write_bytes(encoded(header(9), some_positions(9)))
    done = CliRunner().invoke(app, ["lab", "positions", str(path), "--show", "2"])
    assert done.exit_code == 0
    assert done.stdout.count(" cp for it; ") == 2


def test_the_seed_says_which_are_shown(tmp_path: Path) -> None:
    for name in "ab":
        (tmp_path / f"{name}.positions").write_bytes(encoded(header(40), some_positions(40)))
    assert "80 positions: " in shown(tmp_path)
    assert shown(tmp_path) == shown(tmp_path) != shown(tmp_path, seed=2)
    assert shown(tmp_path, show=99).count(" cp for it; ") == 80


def test_a_file_of_nothing(tmp_path: Path) -> None:
    path = tmp_path / "none.positions"
    path.write_bytes(encoded(header(0), np.empty(0, POSITION)))
    assert shown(path).splitlines()[1:] == ["No positions."]


def test_a_position_that_cannot_be_is_named(tmp_path: Path) -> None:
    damaged = some_positions(1)
    damaged["men"][0, 0] = 0xFF
    path = tmp_path / "damaged.positions"
    path.write_bytes(encoded(header(1), damaged))
    with pytest.raises(PositionsError, match=r"damaged\.positions: position 0: nobody is a 15"):
        shown(path)
