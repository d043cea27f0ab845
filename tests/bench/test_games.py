"""Tiny seasons through the real service: what is counted when all goes well, and when it does not."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from bot.bench.games import run_games
from bot.lab.budgets import OnClock

KIT = "tests.bench.games_kit"
CLOCK = OnClock(60_000, 1_500)  # so much that a slow machine is no fault
#: The figures that must be nothing.
PROMISED = {
    "not_begun",
    "time_losses",
    "ended_otherwise",
    "opponents_faults",
    "fallback_moves",
    "restarts",
    "stand_ins",
    "failures",
    "refused",
    "duplicates",
}


@pytest.fixture(autouse=True)
def importable(monkeypatch: pytest.MonkeyPatch) -> None:
    """The bot's children find this folder's strategies wherever the tests are started."""
    monkeypatch.setenv("PYTHONPATH", str(Path(__file__).parents[2]))


def test_games_in_which_nothing_goes_wrong(capsys: pytest.CaptureFixture[str]) -> None:
    code = run_games(
        games=2,
        parallel=2,
        clock=CLOCK,
        seed=1,
        as_json=True,
        strategy=f"{KIT}:shuffles",
        opponents=(f"{KIT}:shuffles",),
    )
    printed = capsys.readouterr()
    said = json.loads(printed.out)
    figures = {key: figure["value"] for key, figure in said["figures"].items()}
    assert {key for key, figure in said["figures"].items() if figure["at_most"] is not None} == PROMISED
    assert {key: figures[key] for key in PROMISED} == dict.fromkeys(PROMISED, 0)
    assert (code, said["kept"], said["bench"]) == (0, True, "games: 2 at 60 s + 1.5 s, 2 at a time, seed 1")
    assert figures[f"result_drawn_{KIT}:shuffles"] == figures[f"ending_repetition_{KIT}:shuffles"] == 2
    assert figures["moves"] > 6
    assert 20 < figures["least_clock_s"] <= 60, "the clock is the one that was asked for"
    assert "2 of 2 games: +0 =2 -0" in printed.err


def test_a_strategy_that_dies_is_counted_and_told(capsys: pytest.CaptureFixture[str]) -> None:
    code = run_games(
        games=1,
        parallel=2,
        clock=CLOCK,
        seed=1,
        as_json=False,
        strategy=f"{KIT}:dies_twice",
        opponents=("random",),
    )
    printed = capsys.readouterr()
    assert code == 1
    assert count("moves by the fallback", printed.out) == 2
    assert count("strategies' processes started again", printed.out) == 2
    assert count("failures of strategies in the log", printed.out) == 2
    assert count("warnings and errors in the log", printed.out) == 2
    assert count("lost on time", printed.out) == 0
    assert f"Results of {KIT}:dies_twice" in printed.out
    assert len(re.findall(r"its process ended with exit code 3; the fallback plays", printed.err)) == 2


def test_an_opponent_that_dies_gives_up_and_that_is_no_ending_of_chess(
    capsys: pytest.CaptureFixture[str],
) -> None:
    code = run_games(
        games=1,
        parallel=1,
        clock=CLOCK,
        seed=1,
        as_json=False,
        strategy="random",
        opponents=(f"{KIT}:dies_twice",),
    )
    printed = capsys.readouterr()
    assert code == 1
    assert count("opponents that gave up", printed.out) == 1
    assert count("failures of strategies in the log", printed.out) == 0
    assert re.search(r"game 1 \(\w{8}, white against .*\): the opponent gave up: crash: ", printed.err)


def count(figure: str, table: str) -> int:
    found = re.search(rf"{re.escape(figure)} +│ +(\d+) ", table)
    assert found is not None, table
    return int(found[1])
