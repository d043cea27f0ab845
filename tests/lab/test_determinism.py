from __future__ import annotations

import pytest

from bot.lab.budgets import Budget, OnClock, PerMove, Unhurried
from bot.lab.determinism import why_not_replayable
from bot.lab.pair_player import PlaySettings
from bot.lab.player import PlayerSpec

FREE = Unhurried(60_000)


@pytest.mark.parametrize(
    ("budget", "players", "replayable"),
    [
        (FREE, ("greedy", "random:seed=3"), True),
        (FREE, ("classical:nodes=100", "fixed_depth:depth=2"), True),
        (FREE, ("classical", "greedy"), False),
        (FREE, ("uci:stockfish:UCI_Elo=2000", "greedy"), False),
        (FREE, ("uci:stockfish:nodes=100", "my.module:play"), True),
        (FREE, ("greedy:movetime=5", "random"), False),
        (PerMove(100), ("greedy", "random"), False),
        (PerMove(100), ("classical:nodes=100", "classical:depth=2"), True),
        (OnClock(1000, 0), ("classical:nodes=100", "random"), False),
    ],
)
def test_only_what_does_not_depend_on_time_can_be_played_again(
    budget: Budget, players: tuple[str, ...], replayable: bool
) -> None:
    specs = tuple(PlayerSpec.parse(player).under(budget) for player in players)
    found = why_not_replayable(PlaySettings(specs, budget, 60_000, 400, agreed_scores=False, tablebase=None))

    assert (found is None) is replayable
