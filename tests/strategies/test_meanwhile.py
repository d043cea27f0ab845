"""While the engine is being compiled classical plays; then the engine does."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from bot.engine import seal
from bot.engine.warm import warm
from bot.timing.clock import SystemClock

ROOT = Path(__file__).parents[2]
#: Takes turns until the engine takes one; prints who took each.
GAME = """
import sys, time
from bot.strategies.registry import load, parse_spec
from bot.strategies.turn_tools import facts_from_fen, take_turn
strategy = load(parse_spec("compiled:meanwhile=true,nodes=300"))
deadline = time.monotonic() + 240
players = []
while players[-1:] != ["Compiled"] and time.monotonic() < deadline:
    players.append(type(strategy._player).__name__)
    assert take_turn(strategy, facts_from_fen("startpos")).move
    time.sleep(0.05)  # the opponent's turn, in which the engine can be loaded
print(players[0], players[-1])
"""


@pytest.mark.timeout(400)
def test_the_engine_takes_over_once_it_is_there(tmp_path: Path) -> None:
    ready = warm(SystemClock(), tell=lambda _: None, wait=lambda: None).directory
    cold = shutil.copytree(ready, tmp_path / "knightshift" / ready.name)
    (cold / seal.NAME).unlink()
    played = subprocess.run(
        [sys.executable, "-c", GAME],
        env={**os.environ, "NUMBA_CACHE_DIR": str(tmp_path)},
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert played.stdout.split() == ["Classical", "Compiled"], played.stderr
    assert "playing as classical meanwhile" in played.stderr
    assert seal.examine(cold) == "whole"
