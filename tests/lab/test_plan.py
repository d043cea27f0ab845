"""What is checked before the first game."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from bot.errors import UserError
from bot.lab.budgets import MARGIN_MS, OnClock, PerMove
from bot.lab.openings import opening_hash, read_openings
from bot.lab.plan import Run, RunOptions, plan
from bot.nursery import Nursery
from tests.hosting import warm_nursery
from tests.lab.kit import ROOT

OPTIONS = RunOptions(players=("random", "greedy"), pairs=3, search_path=(str(ROOT),))


@pytest.fixture(scope="module")
def nursery() -> Iterator[Nursery]:
    with warm_nursery() as nursery:
        yield nursery


def planned(nursery: Nursery, **changed: object) -> Run:
    options = replace(OPTIONS, **changed)  # type: ignore[arg-type]  # by name
    return plan(options, nursery=nursery, now_s=1_750_000_000.0)


def test_the_header_says_what_defines_the_run(nursery: Nursery) -> None:
    run = planned(nursery)
    header = run.header
    assert header.players == ("random", "greedy")
    assert (header.mode, header.pairs, header.seed, header.max_plies) == ("match", 3, 1, 400)
    assert header.opening_source == "shipped"
    assert header.created == "2025-06-15T15:06:40+00:00"
    assert header.budget == "none; a stall after 120 s"
    assert header.adjudication == "rules"
    assert len(run.specs) == 3
    assert planned(nursery).header == header
    assert planned(nursery, seed=2).header.identity != header.identity
    assert planned(nursery, stall_s=60.0).header.identity != header.identity
    assert planned(nursery, agreed_scores=True).header.identity != header.identity


def test_a_budget_goes_to_those_who_have_none(nursery: Nursery) -> None:
    players = ("random", "classical", "classical:nodes=50", "classical:movetime=70")
    run = planned(nursery, players=players, mode="round-robin", movetime_ms=100)
    assert run.settings.budget == PerMove(100)
    found = [(player.movetime_ms, player.passes_movetime) for player in run.settings.players]
    assert found == [(100, False), (100, True), (None, False), (70, True)]
    assert [dict(player.loaded_as.options) for player in run.settings.players] == [
        {},
        {"movetime": 100},
        {"nodes": 50},
        {"movetime": 70},
    ]
    assert run.header.budget.startswith(f"100 ms a move, {MARGIN_MS} ms more forgiven")


def test_a_clock_is_one(nursery: Nursery) -> None:
    run = planned(nursery, clock="10+0.1")
    assert run.settings.budget == OnClock(10_000, 100)
    assert run.header.budget.startswith("a clock of 10+0.1 s")


def test_a_player_may_meet_itself_in_a_match(nursery: Nursery) -> None:
    run = planned(nursery, players=("greedy", "greedy"))
    assert run.header.players == ("greedy", "greedy #2")
    first, second = run.settings.players
    assert first.loaded_as == second.loaded_as


def test_openings_of_ones_own_are_named_and_hashed(nursery: Nursery, tmp_path: Path) -> None:
    path = tmp_path / "mine.epd"
    path.write_text("rnbqkbnr/pp1ppppp/8/2p5/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2\n")
    header = planned(nursery, openings=str(path)).header
    assert (header.opening_source, header.openings_hash) == ("mine.epd", opening_hash(read_openings(path)))


def test_a_players_own_file_is_part_of_what_defines_the_run(nursery: Nursery, tmp_path: Path) -> None:
    script = tmp_path / "mine.py"
    script.write_text("play_move(sorted(simulate_move(fen)['legal_moves'])[0])\n")
    before = planned(nursery, players=(str(script), "random")).header
    script.write_text("play_move(sorted(simulate_move(fen)['legal_moves'])[-1])\n")
    after = planned(nursery, players=(str(script), "random")).header
    assert before.player_codes[1] is after.player_codes[1] is None
    assert before.identity != after.identity


@pytest.mark.parametrize(
    ("changed", "told"),
    [
        ({"players": ("random", "greddy")}, "unknown strategy 'greddy'"),
        ({"players": ("random", "classical:nods=3")}, "classical:nods=3: .*unknown option 'nods'"),
        ({"players": ("random", "tests.lab.players:nobody")}, "tests.lab.players:nobody: .*has no 'nobody'"),
        ({"players": ("random", "classical:movetime=0")}, "movetime is 0"),
        ({"players": ("random",)}, "needs two players"),
        ({"clock": "10+0", "movetime_ms": 100}, "--clock and --movetime exclude each other"),
        ({"clock": "ten"}, "--clock ten: expected"),
        ({"movetime_ms": 0}, "--movetime is 0"),
        ({"max_plies": 0}, "--max-plies is 0"),
        ({"stall_s": 0.5}, "--stall is 0.5"),
        ({"openings": "/nowhere.epd"}, "openings /nowhere.epd: cannot be read"),
        ({"tablebase": str(ROOT)}, "there are no Syzygy tables"),
    ],
)
def test_what_cannot_be_played_is_told_before_anything_is_played(
    nursery: Nursery, changed: dict[str, object], told: str
) -> None:
    with pytest.raises(UserError, match=told):
        planned(nursery, **changed)
