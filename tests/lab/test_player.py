"""Players from their names."""

from __future__ import annotations

import pytest

from bot.errors import StrategyNameError, UserError
from bot.lab.budgets import OnClock, PerMove, Unhurried
from bot.lab.player import PlayerSpec

NO_BUDGET = Unhurried(60_000)


def test_a_player_is_a_strategy_with_options_and_keeps_its_name() -> None:
    player = PlayerSpec.parse(" classical:nodes=3000 ", search_path=("/somewhere",))
    assert player.label == "classical:nodes=3000"
    assert player.strategy.name == "classical"
    assert player.strategy.options == (("nodes", 3000),)
    assert player.strategy.search_path == ("/somewhere",)


def test_an_engine_is_named_by_its_command() -> None:
    player = PlayerSpec.parse("uci:stockfish:UCI_Elo=2000,nodes=100")
    assert player.strategy.name == "uci"
    assert dict(player.strategy.options) == {"command": "stockfish", "UCI_Elo": 2000, "nodes": 100}


def test_a_time_per_move_is_no_option_until_the_strategy_is_known_to_have_it() -> None:
    player = PlayerSpec.parse("my.module:play:movetime=100,style=calm")
    assert player.movetime_ms == 100
    assert player.loaded_as.options == (("style", "calm"),)
    assert dict(player.with_movetime.options) == {"style": "calm", "movetime": 100}


@pytest.mark.parametrize("value", ["0", "-5", "1.5", "soon"])
def test_a_time_that_is_none_is_refused(value: str) -> None:
    with pytest.raises(UserError, match=rf"movetime is {value}; it must be a whole number of milliseconds"):
        PlayerSpec.parse(f"random:movetime={value}")


def test_two_of_a_kind_are_told_apart() -> None:
    second = PlayerSpec.parse("random:seed=3 #2")
    assert second.label == "random:seed=3 #2"
    assert second.strategy == PlayerSpec.parse("random:seed=3").strategy


def test_a_name_that_leads_nowhere_is_refused() -> None:
    with pytest.raises(StrategyNameError, match="unknown strategy 'randon'"):
        PlayerSpec.parse("randon")


@pytest.mark.parametrize(
    ("text", "of_run", "binding"),
    [
        ("random", NO_BUDGET, NO_BUDGET),
        ("random", OnClock(1000, 10), OnClock(1000, 10)),
        ("random", PerMove(50), PerMove(50)),
        ("random:movetime=70", PerMove(50), PerMove(70)),
        ("random:movetime=70", OnClock(1000, 10), PerMove(70)),
        ("classical:nodes=50", PerMove(50), NO_BUDGET),
        ("fixed_depth:depth=2", OnClock(1000, 10), NO_BUDGET),
    ],
)
def test_the_runs_budget_is_for_players_without_one(
    text: str, of_run: OnClock | PerMove | Unhurried, binding: OnClock | PerMove | Unhurried
) -> None:
    assert PlayerSpec.parse(text).under(of_run).budget(of_run, NO_BUDGET) == binding
