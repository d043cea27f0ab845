"""`knightshift demo`: two whole games on this machine, to look at."""

from __future__ import annotations

import io
import re
import signal
from pathlib import Path

import chess.pgn
import pytest

from tests.e2e.kit import Program, run_to_end


def test_two_games_with_both_colours(tmp_path: Path) -> None:
    ended = run_to_end("demo", "--games", "2", "--seed", "1", cwd=tmp_path)
    assert ended.exit_code() == 0, ended.stderr
    assert re.findall(r"Game (\d) of 2: Knight has the (\w+) pieces", ended.stdout) == [
        ("1", "white"),
        ("2", "black"),
    ]
    assert "ended with exit code 0" in ended.printed[-1]
    assert ended.logged == []
    games = list(pgns(ended.stdout))
    assert [(game.headers["White"], game.headers["Black"]) for game in games] == [
        ("Knight", "Guest"),
        ("Guest", "Knight"),
    ]
    for game in games:
        assert game.errors == []
        final = game.end().board()
        assert final.ply() > 5
        assert final.result(claim_draw=True) == game.headers["Result"]
        assert game.headers["Termination"] == "Normal"


def pgns(text: str) -> list[chess.pgn.Game]:
    """The games whose PGN stands in `text`, each from its first tag to the end of its moves."""
    found = []
    for block in re.findall(r"^\[Event .*?\n\n.*?(?=\n\n|\Z)", text, re.MULTILINE | re.DOTALL):
        game = chess.pgn.read_game(io.StringIO(block))
        assert game is not None
        found.append(game)
    return found


def test_an_unknown_strategy_is_said_before_anything_starts(tmp_path: Path) -> None:
    ended = run_to_end("demo", "--strategy", "selectmove", cwd=tmp_path)
    assert ended.exit_code() == 2
    (line,) = ended.logged
    assert "did you mean 'select_move'?" in line
    assert ended.printed == []


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_demo_that_is_stopped_leaves_nobody_behind(tmp_path: Path, number: signal.Signals) -> None:
    with Program("demo", "--games", "50", cwd=tmp_path) as demo:
        demo.wait_for("Knight has the white pieces")
        demo.signal(number)
        assert demo.exit_code() == 128 + number
        demo.leaves_nobody()
        assert "Traceback" not in demo.stderr
