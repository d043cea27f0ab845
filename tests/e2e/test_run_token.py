"""Where `knightshift run` finds its token, and that nobody else does."""

from __future__ import annotations

import signal
import sys
from pathlib import Path
from typing import Any

import pytest

from bot.local_lichess import LocalLichess
from tests.e2e.kit import BotProcess, Program, Shuffler, own_module, wait_all_over, write_config

needs_proc = pytest.mark.skipif(sys.platform != "linux", reason="looks into /proc")


def test_the_token_from_the_environment_alone(server: LocalLichess, tmp_path: Path) -> None:
    account = server.add_account("Knight", title="BOT")
    with BotProcess(tmp_path, env={"LICHESS_BOT_TOKEN": account.token}, url=server.url) as bot:
        bot.wait_online(server, account)
        bot.stop()
    assert bot.complaints() == []


def test_the_token_from_a_file(server: LocalLichess, tmp_path: Path) -> None:
    account = server.add_account("Knight", title="BOT")
    secret = tmp_path / "secrets" / "token"
    secret.parent.mkdir()
    secret.touch(mode=0o600)
    secret.write_text(f"{account.token}\n")
    env = {"CREDENTIALS_DIRECTORY": str(secret.parent)}
    with BotProcess(tmp_path, env=env, url=server.url, token_file="${CREDENTIALS_DIRECTORY}/token") as bot:
        bot.wait_online(server, account)
        bot.stop()
    assert bot.complaints() == []


def test_a_token_that_others_can_read_is_warned_of(server: LocalLichess, tmp_path: Path) -> None:
    account = server.add_account("Knight", title="BOT")
    config = write_config(tmp_path, mode=0o644, url=server.url, token=account.token)
    with Program("run", cwd=tmp_path) as bot:
        (line,) = bot.wait_for("chmod 600")
        assert str(config.name) in line
        bot.wait_for("listening to Lichess")
        bot.signal(signal.SIGTERM)
        assert bot.exit_code() == 0


TELLS_ALL = """\
import os, sys
from pathlib import Path
from mine import shuffle

def tells_all(turn):
    for name, value in os.environ.items():
        print("environment:", name, value)
    for name in ("environ", "cmdline"):
        for part in Path(f"/proc/self/{name}").read_bytes().split(b"\\0"):
            print(f"{name}:", part, file=sys.stderr)
    for name, value in vars(turn).items():
        print("turn:", name, value)
    turn.play_move(shuffle(turn.board(), turn.moves))
"""


@needs_proc
@pytest.mark.parametrize("source", ["environment", "configuration"])
def test_the_token_is_in_no_line_of_the_log(server: LocalLichess, tmp_path: Path, source: str) -> None:
    """At level debug, during a whole game, with a strategy that prints whatever it can find."""
    account = server.add_account("Knight", title="BOT")
    person = server.add_account("Person")
    server.attach(person.name, Shuffler())
    own_module(tmp_path, "mine")
    (tmp_path / "prying.py").write_text(TELLS_ALL)
    settings: dict[str, Any] = {"url": server.url, "strategy": "prying:tells_all", "log": {"level": "debug"}}
    if source == "configuration":
        settings["token"] = account.token
    env = {"LICHESS_BOT_TOKEN": account.token} if source == "environment" else None
    with BotProcess(tmp_path, env=env, **settings) as bot:
        bot.wait_online(server, account)
        game_id = server.challenge(person.name, account.name)
        wait_all_over(server, [game_id])
        bot.stop()
    assert bot.complaints() == []
    assert "environ: b'PATH=" in bot.stderr  # the strategy was heard
    assert account.token not in bot.stderr + bot.stdout
