"""Whatever a strategy does wrong, the game goes on to its end, and the log has one clear line for each."""

from __future__ import annotations

import re
import shutil
from collections.abc import Iterator
from contextlib import AbstractContextManager, ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from bot.local_lichess import AccountHandle, GameSnapshot, LocalLichess
from tests.e2e import faulty_strategies
from tests.e2e.faulty_strategies import HANGING
from tests.e2e.kit import (
    BotProcess,
    Shuffler,
    assert_posted_once,
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
    "plays_and_raises": r"strategy, after play_move: faulty\.py:\d+ in \w+: ValueError: too late to matter$",
    "exits": r"strategy: faulty\.py:\d+ in exits: SystemExit: enough" + FALLS_BACK,
    "dies": r"strategy: its process ended with exit code 7; last words: these are my last words" + FALLS_BACK,
    "plays_and_dies": r"strategy, after play_move: its process ended with exit code 8$",
    "aborts": r"strategy: its process was killed by signal 6 \(SIGABRT\).*" + FALLS_BACK,
    "closes_everything": r"strategy: .*" + FALLS_BACK,
    "prints_a_lot": r"strategy: faulty\.py:\d+ in prints_a_lot: ValueError: and then nothing" + FALLS_BACK,
}

#: A deadline comes soon where there is little time.
SHORT_CLOCK, LONG_CLOCK = (30, 0), (300, 3)


#: Challenges are accepted at a pace, so two bots share the games.
BOTS = ("knight", "bishop")


@dataclass(frozen=True)
class Played:
    server: LocalLichess
    bots: dict[str, BotProcess]
    games: dict[str, tuple[str, GameSnapshot]]  # fault → the bot, and the game


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Played]:
    """Two bots have played a game with each fault, many at once; they went on and could be stopped."""
    faults = sorted(faulty_strategies.FAULTS, key=lambda fault: fault not in HANGING)  # the longest first
    with LocalLichess() as server, ExitStack() as stack:
        bots = {}
        for name in BOTS:
            account = server.add_account(name, title="BOT")
            bots[name] = stack.enter_context(faulty_bot(server, account, tmp_path_factory.mktemp(name)))
        ids = {}
        for number, fault in enumerate(faults):
            name = BOTS[number % len(BOTS)]
            color = ("white", "black")[number // len(BOTS) % 2]
            limit_s, increment_s = SHORT_CLOCK if fault in HANGING else LONG_CLOCK
            server.attach(server.add_account(fault).name, Shuffler())
            game_id = server.challenge(fault, name, color=color, limit_s=limit_s, increment_s=increment_s)
            ids[fault] = name, game_id
        wait_all_over(server, [game_id for _, game_id in ids.values()])
        stack.close()
        yield Played(server, bots, {f: (name, server.game(game_id)) for f, (name, game_id) in ids.items()})


def faulty_bot(
    server: LocalLichess, account: AccountHandle, folder: Path
) -> AbstractContextManager[BotProcess]:
    shutil.copy(faulty_strategies.__file__, folder / "faulty.py")
    settings: dict[str, Any] = {"strategy": "faulty:faulty", "fallback": "faulty:fallback"}
    return serving(server, account, folder, games={"max_simultaneous": 20}, **settings)


@pytest.mark.parametrize("fault", faulty_strategies.FAULTS)
def test_the_game_goes_on_to_its_end(played: Played, fault: str) -> None:
    name, game = played.games[fault]
    assert game.status == "draw", f"{game.status} after {game.ply} plies"  # by repetition
    assert len(own_moves(game, name)) > max(faulty_strategies.faulty_moves(fault))
    assert_posted_once(played.server, game, name)


@pytest.mark.parametrize("fault", SAID)
def test_each_fault_is_one_clear_line(played: Played, fault: str) -> None:
    lines = said_of(played, fault)
    assert len(lines) == len(faulty_strategies.faulty_moves(fault)), lines
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
    for bot in played.bots.values():
        assert "Traceback" not in bot.stderr
        assert "noise" not in bot.stderr


def said_of(played: Played, fault: str) -> list[str]:
    name, game = played.games[fault]
    return [line for line in played.bots[name].complaints() if f"[{game.id}" in line]


def test_every_fault_is_looked_at() -> None:
    assert {*SAID, "all_fails"} == set(faulty_strategies.FAULTS)


def test_a_strategy_that_kills_the_process_they_all_come_from(server: LocalLichess, tmp_path: Path) -> None:
    """It takes the strategies of all other games with it; each of them is started again."""
    bot = server.add_account("Knight", title="BOT")
    names = ("kills_its_parent", "returns")
    for name in names:
        server.attach(server.add_account(name).name, Shuffler())
    with faulty_bot(server, bot, tmp_path) as process:
        ids = [server.challenge(name, bot.name, color="black") for name in names]
        wait_all_over(server, ids)
    for game_id in ids:
        assert server.game(game_id).status == "draw"
        assert_posted_once(server, server.game(game_id), bot.id)
    killed = [line for line in process.complaints() if f"[{ids[0]}" in line]
    assert len(killed) >= len(faulty_strategies.FAULTY_MOVES)
    told = r"(strategy|fallback): (the process server .* died|its process (ended with|was killed))"
    for line in killed:
        assert re.search(told, line), line
