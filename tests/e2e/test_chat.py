"""What is said in a game, over HTTP, by a bot that is killed in the middle of it."""

from __future__ import annotations

import signal
from pathlib import Path
from typing import Any

from bot.local_lichess import LocalLichess
from bot.local_lichess.players import Play, Resign
from tests.e2e.kit import PATIENCE_S, BotProcess, Gate, wait_all_over, wait_ply


def test_a_bot_that_was_killed_and_started_again_greets_no_second_time(
    server: LocalLichess, tmp_path: Path
) -> None:
    knight = server.add_account("Knight", "BOT")
    rival = server.add_account("Rival")
    gate = Gate(
        lambda board, game: (Play(next(iter(board.legal_moves)).uci()) if game.ply < 3 else Resign(),)
    )
    server.attach(rival.name, gate)
    settings: dict[str, Any] = {
        "url": server.url,
        "token": knight.token,
        "strategy": "random",
        "chat": {"greeting": "Hello {opponent}!", "farewell": "Good game, {opponent}."},
    }
    with BotProcess(tmp_path, **settings) as bot:
        bot.wait_online(server, knight)
        game_id = server.challenge(rival.name, knight.name, color="black")
        wait_ply(server, game_id, 1)
        server.wait_until(lambda: len(server.game(game_id).chat) == 1, PATIENCE_S)
        bot.signal(signal.SIGKILL)
        bot.exit_code()
        bot.leaves_nobody()
    with BotProcess(tmp_path, **settings) as bot:
        bot.wait_online(server, knight)
        gate.open()
        wait_all_over(server, [game_id])
        said = [("knight", "Hello Rival!"), ("knight", "Good game, Rival.")]
        server.wait_until(lambda: len(server.game(game_id).chat) >= 2, PATIENCE_S)
        bot.stop()
    chat = server.game(game_id).chat
    assert [(who.lower(), text) for who, text in chat if who.lower() == "knight"] == said
