"""A person with nothing but curl plays the bot, with the lines that the local server prints."""

from __future__ import annotations

import json
import shutil
import signal
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.e2e.kit import PATIENCE_S, BotProcess, Program, clean_environment

pytestmark = pytest.mark.skipif(shutil.which("curl") is None, reason="curl is not installed")

SCRIPT = 'play_move(["e7e5", "b8c6", "g8f6"][len(turn.moves) // 2])\n'
SCHOLARS_MATE = ("e2e4", "d1h5", "f1c4", "h5f7")


def test_the_printed_lines_play_a_whole_game(tmp_path: Path) -> None:
    (tmp_path / "naive.py").write_text(SCRIPT)
    with Program("local", "--port", "0", cwd=tmp_path) as local:
        local.wait_for(r"^  curl http://.*/game/export/ID$")  # the last line
        challenge, stream, move, export = (line.strip() for line in local.printed if "  curl " in line)
        url = export.split()[1].removesuffix("/game/export/ID")
        with BotProcess(tmp_path, url=url, token="lip_knight", strategy="naive.py") as bot:
            bot.wait_for("listening to Lichess")
            game_id = json.loads(shell(challenge))["id"]
            bot.wait_for(rf"\[{game_id}\] game against guest as black")
            states = follow(stream.replace("ID", game_id))
            for number, uci in enumerate(SCHOLARS_MATE):
                assert len(next(states)["moves"].split()) == 2 * number
                answer = shell(move.replace("/ID/", f"/{game_id}/").replace("e2e4", uci))
                assert json.loads(answer) == {"ok": True}
                assert next(states)["moves"].split()[-1] == uci
            assert list(states) == []  # the stream ended with the game
            bot.stop()
            assert bot.complaints() == []
        pgn = shell(export.replace("ID", game_id))
        assert '[White "guest"]' in pgn
        assert '[Result "1-0"]' in pgn
        assert "Qxf7#" in pgn
        local.signal(signal.SIGINT)
        assert local.exit_code() == 0
        assert local.printed[-1] == "Stopped."


def shell(line: str) -> str:
    """What a line prints when it is pasted into a shell."""
    done = subprocess.run(
        ["sh", "-c", line],
        capture_output=True,
        text=True,
        timeout=PATIENCE_S,
        env=clean_environment(),
        check=True,
    )
    return done.stdout


def follow(line: str) -> Iterator[dict[str, Any]]:
    """The states of a game, as its stream shows them."""
    with subprocess.Popen(
        ["sh", "-c", f"exec {line}"], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
    ) as curl:
        try:
            for text in curl.stdout or ():
                message = json.loads(text) if text.strip() else {"type": "keep-alive"}
                if message["type"] in ("gameFull", "gameState"):
                    yield message.get("state", message)
        finally:
            curl.kill()
