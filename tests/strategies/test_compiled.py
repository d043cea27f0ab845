"""The strategy on the compiled engine: what its options mean, and what it hands on."""

from __future__ import annotations

import importlib.util
import os
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import chess
import chess.variant
import pytest

from bot.engine.searcher import Searcher
from bot.errors import StrategyNameError
from bot.strategies.classical import Classical
from bot.strategies.compiled import Compiled, compiled
from bot.strategies.contract import Thought, TimeLimit, Turn, TurnFacts
from bot.strategies.registry import load, parse_spec
from bot.strategies.turn_tools import facts_from_fen, take_turn
from bot.timing.clock import SystemClock

MIDDLEGAME = "r1bqk2r/pppp1ppp/2n2n2/2b1p3/2B1P3/2NP1N2/PPP2PPP/R1BQK2R w KQkq - 0 5"


def facts(fen: str = MIDDLEGAME, *, soft_ms: int = 200, hard_ms: int = 20_000) -> TurnFacts:
    return replace(facts_from_fen(fen), limit=TimeLimit(soft_ms, hard_ms))


def not_asked(_: Turn) -> None:
    raise AssertionError("the engine can play this")


@pytest.mark.parametrize(
    "option",
    [
        "nodes=3000",
        "depth=6",
        "movetime=30",
        "threads=2,nodes=3000",
        "nodes=900,without=probcut+singular",
        "nodes=900,set=probcut=200+delta=150",
        "nodes=900,network=none",
    ],
)
def test_it_plays_and_tells_what_it_thinks(option: str) -> None:
    turn = facts()
    told: list[Thought] = []
    choice = take_turn(load(parse_spec(f"compiled:{option}")), turn, on_thought=told.append)
    assert chess.Move.from_uci(choice.move) in turn.board().legal_moves
    assert [thought.depth for thought in told] == list(range(1, len(told) + 1))
    assert choice.thought == told[-1]
    assert told[-1].pv[0] == choice.move or option != "depth=6"
    assert told[-1].nodes > 0
    assert told[-1].score_cp is not None


@pytest.mark.parametrize(
    ("option", "says"),
    [
        ("nodes=0", "nodes is 0; it must be at least 1"),
        ("hash=0", "hash is 0; it must be from 1 to 65536"),
        ("threads=65", "threads is 65; it must be from 1 to 64"),
        ("set=magic=3", "set: unknown name 'magic'; there are: reverse_futility, razoring_base"),
        ("set=delta=9000", "set: delta is 9000; it must be a whole number from 50 to 400"),
        ("without=probcut+magic", "without: unknown feature 'magic'; there are: table, null_move"),
        ("contempt=900", "contempt is 900; it must be from -200 to 200"),
        ("network=brain", "network: no network 'brain': neither a file nor one that ships"),
    ],
)
def test_what_cannot_be_is_refused(option: str, says: str) -> None:
    with pytest.raises(StrategyNameError, match=f"compiled: {says}"):
        load(parse_spec(f"compiled:{option}"))


def test_other_variants_are_for_classical() -> None:
    turn = replace(
        facts_from_fen(chess.variant.AtomicBoard().fen(), variant="atomic"), limit=TimeLimit(200, 2_000)
    )
    asked: list[str] = []

    def instead(turn: Turn) -> None:
        asked.append(turn.variant)
        turn.play_move("e2e4")

    assert take_turn(Compiled(Searcher(hash_mib=1), instead, nodes=500), turn).move == "e2e4"
    assert asked == ["atomic"]


def test_chess960_is_its_own() -> None:
    board = chess.Board.from_chess960_pos(5)
    turn = replace(facts_from_fen(board.fen(), variant="chess960"), limit=TimeLimit(200, 20_000))
    choice = take_turn(Compiled(Searcher(hash_mib=1), not_asked, nodes=2_000), turn)
    assert chess.Move.from_uci(choice.move) in board.legal_moves


def test_without_numba_classical_plays_and_that_is_said(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def find_spec(name: str) -> None:
        assert name == "numba"

    monkeypatch.setattr(importlib.util, "find_spec", find_spec)
    monkeypatch.delitem(
        sys.modules, "bot.engine.searcher", raising=False
    )  # as in a process that could not have it
    assert isinstance(compiled(nodes=10), Classical)
    assert capsys.readouterr().err == "compiled: numba is not installed; playing as classical\n"


def test_where_numba_does_not_load_classical_plays_and_that_is_said(tmp_path: Path) -> None:
    """numba was there, but for another numpy: the strategy's process ended with a traceback."""
    (tmp_path / "numba").mkdir()
    (tmp_path / "numba" / "__init__.py").write_text("raise ImportError('Numba needs NumPy 2.4 or less')\n")
    make = "from bot.strategies.compiled import compiled; print(type(compiled(nodes=10)).__name__)"
    ran = subprocess.run(
        [sys.executable, "-c", make],
        env={**os.environ, "PYTHONPATH": str(tmp_path), "NUMBA_CACHE_DIR": str(tmp_path / "cache")},
        cwd=Path(__file__).parents[2],
        capture_output=True,
        text=True,
        check=False,
    )
    assert ran.stdout == "Classical\n", ran.stderr
    assert ran.stderr == (
        "compiled: the engine cannot be loaded (Numba needs NumPy 2.4 or less); playing as classical\n"
    )


def test_the_hard_limit_is_kept() -> None:
    clock = SystemClock()
    player = Compiled(Searcher(hash_mib=1), not_asked, depth=100)
    began = clock.monotonic()
    take_turn(player, facts(hard_ms=120))
    assert clock.monotonic() - began < 30  # and not for ever


def test_one_legal_move_is_played_at_once() -> None:
    told: list[Thought] = []
    player = Compiled(Searcher(hash_mib=1), not_asked)
    turn = facts("7k/8/8/8/8/8/1r6/K7 w - - 0 1", soft_ms=60_000, hard_ms=120_000)
    assert take_turn(player, turn, on_thought=told.append).move == "a1b2"
    assert told == []


def test_pondering_goes_on_until_the_next_turn() -> None:
    player = Compiled(Searcher(hash_mib=4), not_asked, nodes=20_000, ponder=True)
    first = take_turn(player, facts())
    assert player._pondering is not None
    assert first.thought is not None
    reply = first.thought.pv[1]
    board = chess.Board(MIDDLEGAME)
    for uci in (first.move, reply):
        board.push_uci(uci)
    second = replace(facts(), fen=board.fen(), moves=(first.move, reply))
    choice = take_turn(player, second)
    assert chess.Move.from_uci(choice.move) in board.legal_moves
    player._stop_pondering()
    assert player._pondering is None


def test_the_game_so_far_counts() -> None:
    start = "7k/8/8/8/8/8/1P6/Q6K w - - 0 1"
    moves = ("a1b1", "h8g8", "b1a1", "g8h8") * 2 + ("a1b1", "h8g8")
    board = chess.Board(start)
    for move in moves:
        board.push_uci(move)
    turn = replace(facts(start), fen=board.fen(), moves=moves)
    board.push_uci(take_turn(Compiled(Searcher(hash_mib=1), not_asked, nodes=20_000), turn).move)
    assert not board.is_repetition(3)
