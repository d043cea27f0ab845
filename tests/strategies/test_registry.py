"""From the text that names a strategy to the strategy."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from bot.errors import StrategyNameError, UserError
from bot.strategies.contract import StrategySpec
from bot.strategies.registry import describe, find, get, load, names, parse_spec
from bot.strategies.select_move import select_move
from bot.strategies.turn_tools import facts_from_fen, take_turn

MODULE = """
from bot.errors import UserError

number = 7

def play(turn):
    turn.play_move("e2e4")

def play_with(turn, move="d2d4", *, times: int = 1):
    turn.play_move(move)

def make(*, move: str = "c2c4"):
    return lambda turn: turn.play_move(move)

class Player:
    def __init__(self, move="g1f3", depth: int = 2):
        self.move = move
    def __call__(self, turn):
        turn.play_move(self.move)

player = Player("b1c3")

class Mute:
    pass

class Deaf:
    def __call__(self):
        pass

def two(turn, other): ...

def make_nothing(): ...

class Fussy:
    def __init__(self, *, depth: int = 0):
        raise UserError(f"no engine at depth {depth}")

class Broken:
    def __init__(self):
        {}["x"]
"""


@pytest.fixture(autouse=True)
def imports_as_they_were(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    before = set(sys.modules)
    monkeypatch.setattr(sys, "path", list(sys.path))
    yield
    for name in set(sys.modules) - before:
        del sys.modules[name]


@pytest.fixture
def folder(tmp_path: Path) -> str:
    (tmp_path / "own_strategies.py").write_text(MODULE, encoding="utf-8")
    package = tmp_path / "own_package"
    package.mkdir()
    (package / "__init__.py").touch()
    (package / "player.py").write_text(MODULE, encoding="utf-8")
    (tmp_path / "needs.py").write_text("import own_package\n\nimport not_installed_here\n", encoding="utf-8")
    (tmp_path / "breaks.py").write_text("def setup():\n    return 1 / 0\n\nsetup()\n", encoding="utf-8")
    (tmp_path / "exits.py").write_text("raise SystemExit(2)\n", encoding="utf-8")
    (tmp_path / "unfinished.py").write_text("def play(turn)\n    pass\n", encoding="utf-8")
    return str(tmp_path)


def played(text: str, *search_path: str) -> str:
    return take_turn(load(parse_spec(text, search_path=search_path)), facts_from_fen("startpos")).move


# --- names ------------------------------------------------------------------------------------------------


def test_the_registered_strategies_are_found_and_described() -> None:
    assert {"select_move", "random"} <= set(names())
    for name in names():
        assert find(name) == get(name)
        assert describe(name)
        assert "\n" not in describe(name)
        if name != "uci":  # needs to be told which engine
            assert callable(load(StrategySpec(name)))


def test_find_is_silent_and_get_is_helpful() -> None:
    assert find("selectmove") is None
    with pytest.raises(
        StrategyNameError,
        match=r"unknown strategy 'selectmove' \(did you mean 'select_move'\?\); known: .*random",
    ):
        get("selectmove")


def test_listing_and_checking_names_imports_no_strategy() -> None:
    code = (
        "import sys\n"
        "from bot.strategies import registry\n"
        "for name in registry.names(): registry.describe(name); registry.parse_spec(name)\n"
        "loaded = [m for m in sys.modules if m.startswith('bot.strategies.')]\n"
        "print(*loaded, 'numba' in sys.modules, 'numpy' in sys.modules)\n"
    )
    out = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=60
    ).stdout
    assert set(out.split()) == {
        "bot.strategies.registry",
        "bot.strategies.contract",
        "bot.strategies.options",
        "bot.strategies.blame",
        "False",
    }


# --- text to spec -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "spec"),
    [
        ("select_move", StrategySpec("select_move")),
        (" random:seed=7 ", StrategySpec("random", (("seed", 7),))),
        ("my.module:play", StrategySpec("my.module:play")),
        ("mine:Player:depth=3,style=calm", StrategySpec("mine:Player", (("depth", 3), ("style", "calm")))),
        ("path/to/script.py", StrategySpec("path/to/script.py")),
        ("script.py", StrategySpec("script.py")),
        ("C:\\bots\\mine.py", StrategySpec("C:\\bots\\mine.py")),
        ("m:p:a=0.5,b=true,c=false", StrategySpec("m:p", (("a", 0.5), ("b", True), ("c", False)))),
        (
            "m:p:a=007,b=1e3,c=True,d=1.50",
            StrategySpec("m:p", (("a", "007"), ("b", "1e3"), ("c", "True"), ("d", "1.50"))),
        ),
        ("m:p:command=/opt/x:y --z,w,n=3", StrategySpec("m:p", (("command", "/opt/x:y --z,w"), ("n", 3)))),
        ("m:p:a=b=c", StrategySpec("m:p", (("a", "b=c"),))),
        ("m:p:a=", StrategySpec("m:p", (("a", ""),))),
        ("m:p:a=-4,b=nan", StrategySpec("m:p", (("a", -4), ("b", "nan")))),
    ],
)
def test_text_is_read_in_one_way(text: str, spec: StrategySpec) -> None:
    assert parse_spec(text) == spec


def test_the_search_path_is_carried_along() -> None:
    assert parse_spec("m:p", search_path=["a", "b"]).search_path == ("a", "b")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "no strategy is named; known: "),
        ("randm", r"unknown strategy 'randm' \(did you mean 'random'\?\)"),
        ("my.module", r"'my.module' is not a strategy's name; your own: package.module:name"),
        ("./script", "'./script' is not a strategy's name"),
        ("random:7", r"'random:7': after random: there must be option=value"),
        ("select_move:", "after select_move: there must be option=value"),
        ("my.module:", "'my.module:' is not package.module:name"),
        ("my-module:play", "'my-module:play' is not package.module:name"),
        (":play", "':play' is not package.module:name"),
        ("..up:play", "'..up:play' is not package.module:name"),
        ("m:p:x", "'m:p:x' is not package.module:name, nor are there options"),
        ("random:seed=1,seed=2", "the option 'seed' is given twice"),
    ],
)
def test_text_that_leads_nowhere_is_refused(text: str, message: str) -> None:
    with pytest.raises(StrategyNameError, match=message):
        parse_spec(text)


# --- spec to strategy -------------------------------------------------------------------------------------


def test_a_registered_function_is_the_strategy_itself() -> None:
    assert load(StrategySpec("select_move")) is select_move


def test_registered_options_reach_the_factory() -> None:
    games = {played(f"random:seed={seed}") for seed in range(20)}
    assert len(games) > 5
    assert played("random:seed=3") == played("random:seed=3")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("random:sed=7", r"random: unknown option 'sed'; allowed: seed"),
        ("random:seed=x", "random: option 'seed' must be int, not 'x'"),
        ("select_move:depth=3", "select_move: unknown option 'depth'; it takes none"),
    ],
)
def test_a_bad_option_is_refused(text: str, message: str) -> None:
    with pytest.raises(StrategyNameError, match=message):
        load(parse_spec(text))


@pytest.mark.parametrize(
    ("text", "move"),
    [
        ("own_strategies:play", "e2e4"),
        ("own_package.player:play", "e2e4"),
        ("own_strategies:play_with", "d2d4"),
        ("own_strategies:play_with:move=a2a3,times=2", "a2a3"),
        ("own_strategies:make", "c2c4"),
        ("own_strategies:make:move=a2a4", "a2a4"),
        ("own_strategies:Player", "g1f3"),
        ("own_package.player:Player:move=h2h3,depth=3", "h2h3"),
        ("own_strategies:player", "b1c3"),
    ],
)
def test_a_strategy_of_ones_own(folder: str, text: str, move: str) -> None:
    assert played(text, folder) == move


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("gone:play", r"^gone:play: no module 'gone'; looked in: {folder}$"),
        ("own_package.gone:play", r"no module 'own_package.gone'; looked in: {folder}"),
        ("gone.player:play", r"no module 'gone'; looked in"),
        ("needs:play", r"importing needs failed: needs.py:3: ModuleNotFoundError: .*not_installed_here"),
        (
            "breaks:play",
            r"importing breaks failed: breaks.py:2 in setup: ZeroDivisionError: division by zero",
        ),
        ("exits:play", r"importing exits failed: exits.py:1: SystemExit: 2"),
        ("unfinished:play", r"importing unfinished failed: SyntaxError: .*\(unfinished.py, line 1\)"),
        ("own_strategies:plya", r"module 'own_strategies' has no 'plya' \(did you mean 'play'\?\)"),
        ("own_strategies:number", "own_strategies:number is no function or class but a value of type int"),
        ("own_strategies:Mute", "own_strategies:Mute made no function of one turn but a value of type Mute"),
        ("own_strategies:Deaf", r"own_strategies:Deaf must take one argument, the turn; it takes \(\)"),
        (
            "own_strategies:two",
            r"own_strategies:two must take one argument, the turn; it takes \(turn, other\)",
        ),
        ("own_strategies:make_nothing", "made no function of one turn but a value of type NoneType"),
        ("own_strategies:Player:size=3", "unknown option 'size'; allowed: move, depth"),
        ("own_strategies:Player:depth=x", "option 'depth' must be int, not 'x'"),
        ("own_strategies:Broken", r"making it failed: own_strategies.py:\d+ in __init__: KeyError: 'x'"),
    ],
)
def test_a_strategy_that_cannot_be_had_says_why(folder: str, text: str, message: str) -> None:
    with pytest.raises(StrategyNameError, match=message.replace("{folder}", folder)) as caught:
        load(parse_spec(text, search_path=[folder]))
    assert "\n" not in str(caught.value)


def test_a_user_error_of_the_factory_is_left_as_it_is(folder: str) -> None:
    with pytest.raises(UserError, match=r"^no engine at depth 3$"):
        load(parse_spec("own_strategies:Fussy:depth=3", search_path=[folder]))


def test_without_a_search_path_the_message_says_so() -> None:
    with pytest.raises(StrategyNameError, match="looked in: Python's own path only"):
        load(StrategySpec("gone_for_good:play"))


def test_the_search_path_goes_in_front_in_its_order(folder: str, tmp_path: Path) -> None:
    other = tmp_path / "other"
    other.mkdir()
    load(StrategySpec("own_strategies:play", (), (str(other), folder)))
    assert sys.path[:2] == [str(other), folder]


def test_a_script_is_loaded_by_its_path(tmp_path: Path) -> None:
    script = tmp_path / "mine.py"
    script.write_text("play_move('a2a3')\n", encoding="utf-8")
    assert played(str(script)) == "a2a3"
    with pytest.raises(StrategyNameError, match="a script takes no options, found depth"):
        load(parse_spec(f"{script}:depth=3"))


def test_a_spec_from_elsewhere_is_checked_just_the_same() -> None:
    for name in ("", "randm", "m:p:x", "my.module"):
        with pytest.raises(StrategyNameError):
            load(StrategySpec(name))


def test_names_of_an_engines_options_may_have_spaces() -> None:
    """`uci:stockfish:Skill Level=3` was taken for a command with a colon."""
    spec = parse_spec("uci:stockfish -x:Skill Level=3,UCI_Elo=2000,Debug Log File=a b,c")
    assert spec.name == "uci"
    assert spec.options == (
        ("command", "stockfish -x"),
        ("Skill Level", 3),
        ("UCI_Elo", 2000),
        ("Debug Log File", "a b,c"),
    )
    assert parse_spec("uci:an engine hash=3").options == (("command", "an engine hash=3"),)
