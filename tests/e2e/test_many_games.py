"""Several games at once: of several bots with a strategy each, and of one bot."""

from __future__ import annotations

import sys
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from bot.local_lichess import AccountHandle, GameSnapshot, LocalLichess
from bot.position import replay
from bot.strategies.contract import Strategy, StrategySpec
from bot.strategies.registry import load
from bot.strategies.turn_tools import facts_from_fen, take_turn
from tests.e2e import own_strategies
from tests.e2e.kit import (
    PATIENCE_S,
    BotProcess,
    Gate,
    assert_posted_once,
    challenge_at_once,
    ended_by_the_rules,
    own_module,
    own_moves,
    random_player,
    serving,
    wait_all_over,
)

SCRIPT = """\
moves = simulate_move(fen)["legal_moves"]

def score(move):
    after = simulate_move(fen, move)
    if after["game_over"]:
        return (after["winner"] is not None, 0, move)
    return (False, -len(after["legal_moves"]), move)

play_move(max(moves, key=score))
"""

#: How the strategy is written in config.yml → the game it plays, and its opponent's seed (for a short one).
STRATEGIES = {
    "select_move": ("standard", 3),
    "random": ("antichess", 22),
    "mine:takes_the_most": ("standard", 11),
    "few_replies.py": ("standard", 11),
}
#: Moves of each game that are compared with what its strategy would play.
COMPARED = 5


def running(server: LocalLichess) -> int:
    return sum(1 for room in server.lobby.rooms.all() if not room.game.is_over)


def test_four_strategies_play_at_the_same_time(
    server: LocalLichess, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A strategy of ours, another, a module of the user's own and a script: four bots on one server."""
    monkeypatch.setattr(sys, "path", sys.path.copy())  # loading a strategy here adds its folder
    gates: list[Gate] = []
    bots: dict[str, tuple[AccountHandle, Path]] = {}
    with ExitStack() as stack:
        processes: dict[str, BotProcess] = {}
        for number, strategy in enumerate(STRATEGIES):
            folder = tmp_path / f"bot{number}"
            own_module(folder, "mine")
            (folder / "few_replies.py").write_text(SCRIPT)
            account = server.add_account(f"Knight{number}", title="BOT")
            bots[strategy] = account, folder
            settings: dict[str, Any] = {"url": server.url, "token": account.token, "strategy": strategy}
            process = BotProcess(folder, challenge={"variants": ["standard", "antichess"]}, **settings)
            processes[strategy] = stack.enter_context(process)
        ids: dict[str, str] = {}
        for strategy, (variant, seed) in STRATEGIES.items():
            account, _ = bots[strategy]
            processes[strategy].wait_online(server, account)
            gates.append(Gate(random_player(seed).on_turn))
            person = server.add_account(f"Rival_of_{account.name}")
            server.attach(person.name, gates[-1])
            wishes = {"limit_s": 600, "increment_s": 5, "color": "black", "variant": variant}
            (ids[strategy],) = challenge_at_once(server, account, [(person, wishes)])
        server.wait_until(lambda: running(server) == len(STRATEGIES), PATIENCE_S)
        for gate in gates:
            gate.open()
        wait_all_over(server, list(ids.values()))
        for strategy, process in processes.items():
            process.stop()
            assert process.complaints() == [], strategy
    for strategy, game_id in ids.items():
        account, folder = bots[strategy]
        game = server.game(game_id)
        assert ended_by_the_rules(game), (strategy, game.status)
        assert_posted_once(server, game, account.id)
        wanted = what_it_would_play(strategy, folder, game, account.id)
        assert own_moves(game, account.id)[:COMPARED] == wanted, strategy


def what_it_would_play(strategy: str, folder: Path, game: GameSnapshot, account_id: str) -> list[str]:
    """The first moves that the strategy plays when it is asked in this process."""
    play: Strategy = own_strategies.takes_the_most
    if strategy != "mine:takes_the_most":
        play = load(StrategySpec(str(folder / strategy) if strategy.endswith(".py") else strategy))
    own = range(0 if game.side_of(account_id) == "white" else 1, game.ply, 2)
    wanted = []
    for ply in own[:COMPARED]:
        board = replay(game.variant, "startpos", game.moves[:ply])
        facts = replace(
            facts_from_fen(board.fen(), game.variant),
            game_id=game.id,
            initial_fen=board.root().fen(),
            moves=game.moves[:ply],
        )
        wanted.append(take_turn(play, facts).move)
    return wanted


def test_one_bot_plays_four_games_at_once(server: LocalLichess, tmp_path: Path) -> None:
    bot = server.add_account("Knight", title="BOT")
    gate = Gate(random_player().on_turn)
    people = [server.add_account(f"Rival{number}") for number in range(4)]
    for person in people:
        server.attach(person.name, gate)
    challenges = [
        (person, {"limit_s": 600, "increment_s": 5, "color": color, "variant": "antichess"})
        for person, color in zip(people, ("white", "black") * 2, strict=True)
    ]
    settings: dict[str, Any] = {"strategy": "random", "challenge": {"variants": ["antichess"]}}
    with serving(server, bot, tmp_path, **settings) as process:
        ids = challenge_at_once(server, bot, challenges)
        server.wait_until(lambda: running(server) == len(people), PATIENCE_S)
        gate.open()
        wait_all_over(server, ids)
    assert process.complaints() == []
    for game_id in ids:
        game = server.game(game_id)
        assert ended_by_the_rules(game), game.status
        assert_posted_once(server, game, bot.id)
