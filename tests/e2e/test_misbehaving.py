"""Whatever a strategy does wrong, the game goes on to its end, and the log has one clear line for each fault."""

from __future__ import annotations

import re
import shutil
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from bot.local_lichess import GameSnapshot, LocalLichess
from tests.e2e import faulty_strategies
from tests.e2e.kit import (
    BotProcess,
    Shuffler,
    assert_posted_once,
    challenge_at_once,
    own_moves,
    serving,
    wait_all_over,
)

FALLS_BACK = "; the fallback plays$"

#: Fault → what the log says of it, every time.
SAID = {
    "raises": r"strategy: faulty\.py:\d+ in raises: ValueError: no idea what to play" + FALLS_BACK,
    "returns": r"strategy: the strategy returned without calling play_move" + FALLS_BACK,
    "plays_illegally": r"strategy: play_move: 'e1e8' is not legal in \S+ [wb] .*" + FALLS_BACK,
    "plays_nonsense": r"strategy: play_move: 'Nf3' is not a move in UCI notation, in .*" + FALLS_BACK,
    "plays_for_the_other_side": r"strategy: play_move: '\w{4}' is not legal in .*" + FALLS_BACK,
    "plays_twice": r"strategy: play_move\('\w{4}'\): \w{4} was played already in this turn" + FALLS_BACK,
    "hangs": r"strategy: no move after \d+\.\d s" + FALLS_BACK,
    "plays_and_hangs": r"strategy called play_move but did not return: stopped$",
    "plays_and_raises": r"strategy, after play_move: faulty\.py:\d+ in plays_and_raises: ValueError: too late.*",
    "exits": r"strategy: faulty\.py:\d+ in exits: SystemExit: enough" + FALLS_BACK,
    "dies": r"strategy: its process ended with exit code 7; last words: these are my last words" + FALLS_BACK,
    "plays_and_dies": r"strategy, after play_move: its process ended with exit code 8$",
    "aborts": r"strategy: its process was killed by signal 6 \(SIGABRT\).*" + FALLS_BACK,
    "closes_everything": r"strategy: .*" + FALLS_BACK,
    "prints_a_lot": r"strategy: faulty\.py:\d+ in prints_a_lot: ValueError: and then nothing" + FALLS_BACK,
}

#: A deadline comes soon where there is little time.
SHORT_CLOCK = {"limit_s": 30, "increment_s": 0}
LONG_CLOCK = {"limit_s": 300, "increment_s": 3}
HANGS = ("hangs", "plays_and_hangs")


@dataclass(frozen=True)
class Played:
    server: LocalLichess
    process: BotProcess
    games: dict[str, GameSnapshot]  # by fault


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Played]:
    """One bot has played a game with each fault, all at once; it went on serving and could be stopped."""
    folder = tmp_path_factory.mktemp("misbehaving")
    shutil.copy(faulty_strategies.__file__, folder / "faulty.py")
    with LocalLichess() as server:
        bot = server.add_account("Knight", title="BOT")
        challenges = []
        for number, fault in enumerate(faulty_strategies.FAULTS):
            person = server.add_account(fault)
            server.attach(person.name, Shuffler())
            clock = SHORT_CLOCK if fault in HANGS else LONG_CLOCK
            challenges.append((person, {**clock, "color": "white" if number % 2 == 0 else "black"}))
        # Those with the longest games are accepted first.
        challenges.sort(key=lambda challenge: challenge[0].name not in HANGS)
        settings = {"strategy": "faulty:faulty", "fallback": "faulty:fallback"}
        with serving(
            server, bot, folder, games={"max_simultaneous": len(challenges)}, **settings
        ) as process:
            ids = challenge_at_once(server, bot, challenges)
            wait_all_over(server, ids)
        games = {person.name: server.game(game_id) for (person, _), game_id in zip(challenges, ids, strict=True)}
        yield Played(server, process, games)


@pytest.mark.parametrize("fault", faulty_strategies.FAULTS)
def test_the_game_goes_on_to_its_end(played: Played, fault: str) -> None:
    game = played.games[fault]
    assert game.status == "draw", f"{game.status} after {game.ply} plies"  # by repetition
    assert len(own_moves(game, "knight")) > max(faulty_strategies.FAULTY_MOVES)
    assert_posted_once(played.server, game, "knight")


@pytest.mark.parametrize("fault", SAID)
def test_each_fault_is_one_clear_line(played: Played, fault: str) -> None:
    lines = said_of(played, fault)
    assert len(lines) == len(faulty_strategies.FAULTY_MOVES), lines
    for line in lines:
        assert re.search(SAID[fault], line), line


def test_when_the_fallback_fails_too_any_legal_move_is_played(played: Played) -> None:
    first, second, third, fourth = said_of(played, "all_fails")
    for line in (first, third):
        assert line.endswith(FALLS_BACK.strip("$")), line
    for line in (second, fourth):
        assert "fallback: faulty.py:" in line
        assert line.endswith("RuntimeError: the fallback is no better; playing any legal move")


def test_no_traceback_and_no_output_of_the_strategy_is_in_the_log(played: Played) -> None:
    assert "Traceback" not in played.process.stderr
    assert "noise" not in played.process.stderr


def said_of(played: Played, fault: str) -> list[str]:
    game_id = played.games[fault].id
    return [line for line in played.process.complaints() if f"[{game_id}" in line]


def test_every_fault_is_looked_at() -> None:
    assert {*SAID, "all_fails"} == set(faulty_strategies.FAULTS)
