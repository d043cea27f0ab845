"""The bot in a process of its own: it goes on in its folder, and says why it ended."""

from __future__ import annotations

from pathlib import Path

import pytest

from bot.local_lichess import LocalLichess
from bot.service_process import ServiceProcess, service_process


def test_it_comes_stops_and_comes_again(tmp_path: Path) -> None:
    with LocalLichess() as server:
        bot = server.add_account("Knight", "BOT")
        settings = {"url": server.url, "token": bot.token}
        for life in (1, 2):
            with service_process(tmp_path, settings) as service:
                server.wait_until(lambda: server.lobby.feeds.is_online(bot.id), 40.0)
                assert service.stop() == 0
            server.wait_until(lambda: not server.lobby.feeds.is_online(bot.id), 40.0)
            lines = [line for line in service.log_lines() if line.endswith(" stopped")]
            assert len(lines) == life
        assert bot.token not in service.tail(1000)
    # Off Linux its lock is in the folder too.
    assert {path.name for path in tmp_path.iterdir()} - {"knightshift"} == {"bot.log", "config.yml"}


def test_a_bad_configuration_is_said_in_its_log(tmp_path: Path) -> None:
    service = ServiceProcess(tmp_path, {"token": "lip_x", "games": {"max_simultaneous": 0}})
    assert service.wait(40.0) == 2
    assert "max_simultaneous" in service.tail()


def test_the_operators_own_token_is_not_used(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LICHESS_BOT_TOKEN", "lip_operator")
    with LocalLichess() as server:
        bot = server.add_account("Knight", "BOT")
        with service_process(tmp_path, {"url": server.url, "token": bot.token}):
            server.wait_until(lambda: server.lobby.feeds.is_online(bot.id), 40.0)
