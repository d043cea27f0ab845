"""UCI engines as strategies: a small one written here, and Stockfish where it is installed."""

from __future__ import annotations

import shlex
import shutil
import sys
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from bot.config import parse
from bot.errors import IllegalMoveError, NoMoveError, StrategyError, StrategyNameError
from bot.nursery import Nursery
from bot.strategies.contract import Clocks, Strategy, StrategySpec, Thought, TimeLimit, TurnFacts
from bot.strategies.registry import load, parse_spec
from bot.strategies.turn_tools import facts_from_fen, take_turn
from bot.strategies.uci import UciEngine
from bot.thinker import Thinker
from tests.hosting import is_running, wait_until, warm_nursery

Load = Callable[[StrategySpec], Strategy]

#: Plays what its option `Plays` says, and writes down what it hears.
ENGINE = r"""
import os, sys
log = open(sys.argv[1], "a", buffering=1)
print(f"pid {os.getpid()}", file=log)
plays = "e2e4"
for line in sys.stdin:
    line = line.strip()
    print(line, file=log)
    if line == "uci":
        print("id name Small\nid author Nobody")
        print("option name Plays type string default e2e4")
        print("option name Skill Level type spin default 20 min 0 max 20")
        print("option name UCI_LimitStrength type check default false")
        print("option name UCI_Elo type spin default 1500 min 1350 max 2850")
        print("option name Threads type spin default 1 min 1 max 4")
        print("option name Hash type spin default 16 min 1 max 64")
        print("uciok")
    elif line == "isready":
        print("readyok")
    elif line.startswith("setoption name Plays value "):
        plays = line.rpartition(" ")[2]
    elif line.startswith("go"):
        if plays == "die":
            sys.exit(7)
        print("info depth 3 score cp 25 nodes 77 time 12 pv e2e4 e7e5")
        print("bestmove", plays)
    elif line == "quit":
        break
    sys.stdout.flush()
"""


class Engine:
    """The engine's file, and what it has heard."""

    def __init__(self, folder: Path) -> None:
        self._script = folder / "engine.py"
        self._script.write_text(ENGINE)
        self._log = folder / "heard.txt"
        self.command = shlex.join([sys.executable, str(self._script), str(self._log)])

    def heard(self) -> list[str]:
        return self._log.read_text().splitlines()

    def pids(self) -> list[int]:
        return [int(line.split()[1]) for line in self.heard() if line.startswith("pid ")]

    def spec(self, **options: str | int | bool) -> StrategySpec:
        return StrategySpec("uci", (("command", self.command), *options.items()))


@pytest.fixture
def engine(tmp_path: Path) -> Engine:
    return Engine(tmp_path)


@pytest.fixture
def loaded() -> Iterator[Load]:
    """Loads strategies in this process, and ends their engines."""
    made: list[Strategy] = []

    def load_and_keep(spec: StrategySpec) -> Strategy:
        made.append(load(spec))
        return made[-1]

    yield load_and_keep
    for strategy in made:
        assert isinstance(strategy, UciEngine)
        strategy.close()


@pytest.fixture(scope="module")
def nursery() -> Iterator[Nursery]:
    with warm_nursery() as nursery:
        yield nursery


def turn(**changed: object) -> TurnFacts:
    return replace(facts_from_fen("startpos"), **changed)  # type: ignore[arg-type]  # by name


def test_it_plays_in_a_process_like_any_other_and_ends_with_it(engine: Engine, nursery: Nursery) -> None:
    with Thinker(engine.spec(nodes=500), nursery) as thinker:
        thinker.load()
        chose = thinker.play(turn())
        assert chose.move == "e2e4"
        assert chose.thought == Thought(3, 77, 12, score_cp=25, pv=("e2e4", "e7e5"))
        thinker.play(turn(moves=("d2d4", "d7d5"), game_id="next"))
    heard = engine.heard()
    assert heard.count("go nodes 500") == 2
    assert heard.count("ucinewgame") == 2
    assert "position startpos moves d2d4 d7d5" in heard
    wait_until(lambda: not any(map(is_running, engine.pids())), "the engine ends")


def test_an_engine_with_large_tables_lost_on_time_at_its_first_move(engine: Engine, nursery: Nursery) -> None:
    """What it does for a new game comes before its first turn, which the clock runs in."""
    with Thinker(engine.spec(nodes=500), nursery) as thinker:
        thinker.load()
        before = engine.heard()
        assert before[before.index("ucinewgame") :] == ["ucinewgame", "isready"]
        thinker.play(turn())
        assert engine.heard().count("ucinewgame") == 1


@pytest.mark.parametrize(
    ("options", "facts", "go"),
    [
        ({"depth": 4}, {}, "go depth 4"),
        ({"movetime": 250}, {}, "go movetime 250"),
        ({"nodes": 9, "depth": 2}, {}, "go depth 2 nodes 9"),
        ({"nodes": 9}, {"clocks": Clocks(5000, 4000, 100, 200)}, "go nodes 9"),
        ({}, {"clocks": Clocks(5000, 4000, 100, 200)}, "go wtime 5000 btime 4000 winc 100 binc 200"),
        ({}, {"limit": TimeLimit(700, 2000)}, "go movetime 700"),
    ],
)
def test_it_gets_its_limit_or_the_clocks_or_what_the_turn_allows(
    engine: Engine, loaded: Load, options: dict[str, int], facts: dict[str, object], go: str
) -> None:
    take_turn(loaded(engine.spec(**options)), turn(**facts))
    assert [line for line in engine.heard() if line.startswith("go")] == [go]


def test_options_reach_the_engine_under_its_own_names(engine: Engine, loaded: Load) -> None:
    take_turn(loaded(engine.spec(skill_level=5, threads=2, hash=32)), turn())
    heard = engine.heard()
    for line in ("Skill Level value 5", "Threads value 2", "Hash value 32"):
        assert f"setoption name {line}" in heard


def test_a_strength_is_limited_when_it_is_given(engine: Engine, loaded: Load) -> None:
    take_turn(loaded(engine.spec(UCI_Elo=2000)), turn())
    assert [line for line in engine.heard() if "UCI_" in line] == [
        "setoption name UCI_LimitStrength value true",
        "setoption name UCI_Elo value 2000",
    ]


@pytest.mark.parametrize(
    ("options", "told"),
    [
        ({"Skil": 3}, r"the engine has no option 'Skil'; it has Hash, Plays, Skill Level, Threads, UCI_Elo"),
        ({"UCI_Elo": 200}, r"UCI_Elo.* at least 1350"),
        ({"nodes": 0}, r"uci: nodes is 0"),
    ],
)
def test_an_option_that_it_does_not_take_is_named(engine: Engine, options: dict[str, int], told: str) -> None:
    with pytest.raises(StrategyNameError, match=told):
        load(engine.spec(**options))


@pytest.mark.parametrize(
    ("command", "told"),
    [
        ("no-such-engine", "there is no program 'no-such-engine'"),
        ("", "must name a program"),
        ("/etc/passwd", "is not a program that may be run"),
        (f"{sys.executable} -c pass", "is no UCI engine"),
    ],
)
def test_what_is_no_engine_is_told(command: str, told: str) -> None:
    with pytest.raises(StrategyNameError, match=told):
        load(StrategySpec("uci", (("command", command),)))


def test_an_engine_that_dies_fails_its_turn_and_is_started_again(engine: Engine, loaded: Load) -> None:
    strategy = loaded(engine.spec(Plays="die"))
    for _ in range(2):
        with pytest.raises(StrategyError, match=r"the engine .* died"):
            take_turn(strategy, turn())
    assert len(engine.pids()) == 2


def test_its_illegal_move_is_an_illegal_move(engine: Engine, loaded: Load) -> None:
    with pytest.raises(IllegalMoveError, match="'e2e5' is not legal"):
        take_turn(loaded(engine.spec(Plays="e2e5")), turn())


@pytest.mark.parametrize("none", ["(none)", "0000"])
def test_no_move_is_no_move(engine: Engine, loaded: Load, none: str) -> None:
    with pytest.raises(NoMoveError):
        take_turn(loaded(engine.spec(Plays=none)), turn())


def test_the_short_form_is_the_same_on_a_command_line_and_in_the_configuration() -> None:
    short = "uci:/opt/my engine --fast:Skill_Level=5,nodes=100"
    options: dict[str, str | int] = {"command": "/opt/my engine --fast", "Skill_Level": 5, "nodes": 100}
    assert parse_spec(short) == StrategySpec("uci", tuple(options.items()))
    written = parse(f"token: lip_abcdefgh\nstrategy: '{short}'\n").strategy
    assert (written.name, written.options) == ("uci", options)


@pytest.mark.skipif(shutil.which("stockfish") is None, reason="stockfish is not installed")
def test_stockfish_plays_at_the_strength_that_it_is_given(loaded: Load) -> None:
    strategy = loaded(parse_spec("uci:stockfish:UCI_Elo=1400,nodes=2000"))
    told: list[Thought] = []
    choice = take_turn(strategy, turn(), on_thought=told.append)
    assert choice.move in {move.uci() for move in turn().board().legal_moves}
    assert told[0].nodes > 0
