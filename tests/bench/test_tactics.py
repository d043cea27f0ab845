"""The command that solves suites, with fast players, end to end."""

from __future__ import annotations

import io
import json
from pathlib import Path

import pytest
from rich.console import Console
from typer.testing import CliRunner

from bot.bench.tactics import run_tactics
from bot.bench.tactics_suites import parse_suite
from bot.cli import app
from bot.errors import UserError
from bot.timing.clock import SystemClock

#: A mate in one, and a pawn that takes and promotes, which nobody promotes where it should.
TWO = """
6k1/5ppp/8/8/8/8/5PPP/R5K1 w - - bm Ra8+; id "mate";
r6k/1P6/8/8/8/8/8/2K5 w - - bm b8=N; id "odd";
"""
#: So generous that a busy machine makes no move too late.
TIME_MS = 30_000

#: `play` thinks aloud; `stumbles` mates in silence, and then has no idea.
PLAYERS = """
from bot.strategies.contract import Thought

def play(turn):
    move = "a1a8" if turn.game_id == "mate" else "b7a8q"
    for time_ms in 3, 5:
        turn.tell(Thought(depth=time_ms, nodes=1, time_ms=time_ms, pv=(move,)))
    turn.play_move(move)

def stumbles(turn):
    if turn.game_id != "mate":
        raise RuntimeError("no idea")
    turn.play_move("a1a8")
"""


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The working directory, with players in it."""
    (tmp_path / "solvers.py").write_text(PLAYERS, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def solved(player: str, *, at_least: int | None = None, as_json: bool = False) -> tuple[int, str, str]:
    """The exit code, what was printed, and what was told meanwhile."""
    out, told = io.StringIO(), io.StringIO()
    code = run_tactics(
        [parse_suite("two", TWO, "two.epd")],
        player=player,
        time_ms=TIME_MS,
        at_least=at_least,
        verbose=True,
        as_json=as_json,
        console=Console(file=out, width=100, color_system=None),
        errors=Console(file=told, width=100, color_system=None),
        clock=SystemClock(),
    )
    return code, out.getvalue(), told.getvalue()


def test_a_player_that_ships() -> None:
    code, out, told = solved("classical:nodes=300", at_least=1, as_json=True)
    found = json.loads(out)
    assert code == 0
    assert (found["solved"], found["of"], found["time"]) == (1, 2, "its own budget")
    mate, odd = found["suites"][0]["positions"]
    assert (mate["move"], mate["solved"], mate["failure"]) == ("a1a8", True, None)
    assert 0 <= mate["solved_after_ms"] <= mate["elapsed_ms"]
    assert (odd["solved"], odd["solved_after_ms"]) == (False, None)
    assert found["suites"][0]["median_ms"] == mate["solved_after_ms"]
    assert told.splitlines()[1::2] == ["positions: 1 of 2", "positions: 2 of 2"]


@pytest.mark.usefixtures("here")
def test_a_thought_on_the_way_tells_since_when() -> None:
    _, out, told = solved("solvers:play")
    assert told.splitlines()[::2] == [
        "mate: Ra8#, solved after 3 ms",
        "odd: not solved, bxa8=Q+ for b8=N",
    ]
    assert f"solvers:play, {TIME_MS} ms a position" in out
    (row,) = (line.split() for line in out.splitlines() if "two" in line)
    assert [*row[3:6], row[7], *row[9:11]] == ["1", "of", "2", "50.0%", "3", "ms"]


@pytest.mark.usefixtures("here")
def test_a_turn_that_fails_solves_nothing_and_says_why() -> None:
    code, out, told = solved("solvers:stumbles", at_least=2)
    assert code == 1
    assert "1 solved; at least 2 were asked for" in told
    (row,) = (line for line in out.splitlines() if "odd" in line)
    assert "no idea" in row
    assert "not told" in out
    assert "odd: not solved, no move (" in told


def test_a_player_that_there_is_not() -> None:
    with pytest.raises(UserError, match="random: unknown option 'sead'"):
        solved("random:sead=3")


def test_on_the_command_line(here: Path) -> None:
    (here / "two.epd").write_text(TWO, encoding="utf-8")
    words = ["--suite", "two.epd", "--player", "solvers:play", "--time-ms", str(TIME_MS), "--json"]
    found = CliRunner().invoke(app, ["bench", "tactics", *words])
    assert found.exit_code == 0, found.output
    assert json.loads(found.stdout)["solved"] == 1
