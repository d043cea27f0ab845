"""A short soak, in weather that is only a little bad: it is measured, and nothing is lost or left."""

from __future__ import annotations

import json
import random
import sys

import pytest

from bot.bench.soak import run_soak
from bot.local_lichess.faults import Kind
from bot.local_lichess.players import At, RandomPlayer, Resign
from bot.local_lichess.storm import Storm

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="bench soak reads /proc")


#: Such as the bot gets over in no time, so that the test is short.
SHORT = (Kind.ANSWER, Kind.DROP, Kind.DELAY, Kind.LOSE_ANSWER, Kind.END, Kind.RESET, Kind.DUPLICATE)


def resigns_before_long(rng: random.Random) -> At:
    return At({40: [Resign()], 41: [Resign()]}, RandomPlayer(rng))


def test_games_in_a_storm(capsys: pytest.CaptureFixture[str]) -> None:
    storm = Storm(3, 0.02, kinds=SHORT, longest_s=0.2, spared=("token_test", "account"))
    code = run_soak(
        storm, games=2, parallel=2, seed=3, strategy_rate=0.0, as_json=True, opponent=resigns_before_long
    )
    printed = capsys.readouterr()
    said = json.loads(printed.out)
    figures = {key: figure["value"] for key, figure in said["figures"].items()}
    assert figures["games"] == 2
    assert sum(value for key, value in figures.items() if key.startswith("fault_")) > 0
    promised = {key for key, figure in said["figures"].items() if figure["at_most"] is not None}
    assert promised >= {"lost", "duplicates", "leaked_slots", "leaked_threads", "leaked_sockets"}
    assert {key: figures[key] for key in promised} == dict.fromkeys(promised, 0)
    assert (code, said["kept"]) == (0, True)
    assert 10 < figures["memory_start_mib"] < figures["memory_end_mib"] + 50
