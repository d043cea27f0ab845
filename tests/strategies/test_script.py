"""A script as a strategy."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import chess
import pytest

from bot.errors import IllegalMoveError, NoMoveError, StrategyError, StrategyNameError
from bot.strategies.script import load_script
from bot.strategies.turn_tools import facts_from_fen, take_turn


@pytest.fixture(autouse=True)
def path_as_it_was(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    before = set(sys.modules)
    monkeypatch.setattr(sys, "path", list(sys.path))
    yield
    for name in set(sys.modules) - before:
        del sys.modules[name]


def write(folder: Path, source: str, name: str = "mine.py") -> Path:
    file = folder / name
    file.write_text(source, encoding="utf-8")
    return file


def played(script: Path, fen: str = chess.STARTING_FEN) -> str:
    return take_turn(load_script(script), facts_from_fen(fen)).move


def test_it_finds_its_tools_without_importing_anything(tmp_path: Path) -> None:
    script = write(
        tmp_path,
        "look = simulate_move(fen)\n"
        "after = simulate_move(fen, sorted(look['legal_moves'])[0])\n"
        "assert turn.fen == fen and chess.Board(after['fen']).turn == chess.BLACK\n"
        "play_move(max(look['legal_moves']))\n",
    )
    assert played(script) == "h2h4"


def test_the_house_procedure_as_a_script(tmp_path: Path) -> None:
    """Functions and comprehensions of a script see its own names, as in any module."""
    script = write(
        tmp_path,
        "values = {'p': 100, 'n': 320, 'b': 330, 'r': 500, 'q': 900, 'k': 0}\n"
        "def material(fen):\n"
        "    pieces = [c for c in fen.split()[0] if c.isalpha()]\n"
        "    return sum(values[c.lower()] * (1 if c.isupper() else -1) for c in pieces)\n"
        "def worst(move):\n"
        "    after = simulate_move(fen, move)\n"
        "    replies = after['legal_moves']\n"
        "    return min(material(simulate_move(after['fen'], reply)['fen']) for reply in replies)\n"
        "play_move(max(sorted(simulate_move(fen)['legal_moves']), key=worst))\n",
    )
    guarded, free = "4k3/8/3p4/4p3/8/5N2/8/4K3 w - - 0 30", "4k3/3p4/8/4p3/8/5N2/8/4K3 w - - 0 30"
    assert played(script, free) == "f3e5"
    assert played(script, guarded) == "e1d1"


def test_each_turn_has_a_fresh_namespace(tmp_path: Path) -> None:
    script = write(
        tmp_path,
        "assert 'seen' not in globals()\nseen = 1\nplay_move(simulate_move(fen)['legal_moves'][0])\n",
    )
    strategy = load_script(script)
    first = take_turn(strategy, facts_from_fen("startpos"))
    assert first.note is None
    assert take_turn(strategy, facts_from_fen("startpos")) == first


def test_it_is_compiled_once(tmp_path: Path) -> None:
    script = write(tmp_path, "play_move('e2e4')\n")
    strategy = load_script(script)
    script.write_text("play_move('d2d4')\n", encoding="utf-8")
    assert take_turn(strategy, facts_from_fen("startpos")).move == "e2e4"


def test_it_may_import_its_neighbours(tmp_path: Path) -> None:
    write(tmp_path, "BEST = 'c2c4'\n", "knightshift_test_neighbour.py")
    script = write(
        tmp_path, "import knightshift_test_neighbour\nplay_move(knightshift_test_neighbour.BEST)\n"
    )
    assert played(script) == "c2c4"


def test_main_guards_run_and_dataclasses_work(tmp_path: Path) -> None:
    script = write(
        tmp_path,
        "from __future__ import annotations\n"
        "from dataclasses import dataclass\n"
        "@dataclass\nclass Best:\n    move: str\n"
        "if __name__ == '__main__':\n    play_move(Best('b1c3').move)\n",
    )
    assert played(script) == "b1c3"


def test_the_projects_own_future_imports_do_not_leak_into_it(tmp_path: Path) -> None:
    script = write(tmp_path, "def f(x: int): ...\nassert f.__annotations__['x'] is int\nplay_move('e2e4')\n")
    assert take_turn(load_script(script), facts_from_fen("startpos")).note is None


@pytest.mark.parametrize(
    ("source", "error", "message"),
    [
        ("pass\n", NoMoveError, "returned without calling play_move"),
        ("play_move('e2e5')\n", IllegalMoveError, "'e2e5' is not legal"),
        ("\n\n{}['x']\n", StrategyError, "^mine.py:3: KeyError: 'x'$"),
        (
            "def score():\n    return 1 / 0\nscore()\n",
            StrategyError,
            "^mine.py:2 in score: ZeroDivisionError",
        ),
        ("raise SystemExit(3)\n", StrategyError, "^mine.py:1: SystemExit: 3$"),
    ],
)
def test_what_goes_wrong_is_told_with_its_line(
    tmp_path: Path, source: str, error: type[StrategyError], message: str
) -> None:
    with pytest.raises(error, match=message):
        played(write(tmp_path, source))


@pytest.mark.parametrize(
    ("source", "message"),
    [
        (b"fen = 1\nif fen\n", r"mine\.py:2: SyntaxError: "),
        (b"if True:\nplay_move('e2e4')\n", r"mine\.py:2: IndentationError: "),
        (b"x = '\xff'\n", r"mine\.py:.*SyntaxError: .*utf-8"),
        (b"x = 1\0\n", r"mine\.py.*null bytes"),
    ],
)
def test_what_is_not_python_is_refused_when_loaded(tmp_path: Path, source: bytes, message: str) -> None:
    script = tmp_path / "mine.py"
    script.write_bytes(source)
    with pytest.raises(StrategyNameError, match=message) as caught:
        load_script(script)
    assert "\n" not in str(caught.value)


def test_a_script_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(StrategyNameError, match=r"script '.*gone\.py' cannot be read: No such file"):
        load_script(tmp_path / "gone.py")
