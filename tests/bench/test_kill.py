"""Two rounds of killing the bot: it is measured, and nothing is lost."""

from __future__ import annotations

import json
import sys

import pytest

from bot.bench.kill import run_kill

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="bench kill reads /proc")


def test_games_go_on_after_a_kill(capsys: pytest.CaptureFixture[str]) -> None:
    run_kill(rounds=2, parallel=2, seed=1, as_json=True)
    printed = capsys.readouterr()
    figures = {key: figure["value"] for key, figure in json.loads(printed.out)["figures"].items()}
    assert figures["live"] >= 2
    assert figures["resumed"] == figures["live"]
    assert 0 < figures["next_move_p50_s"] <= figures["next_move_max_s"]
    nothing = ("not_resumed", "duplicates", "children_left", "greeted_twice", "lost")
    assert {key: figures[key] for key in nothing} == dict.fromkeys(nothing, 0)
    assert "rounds: 2 of 2" in printed.err
