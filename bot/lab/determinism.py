"""Whether a run's games can be played again, move for move. Pure."""

from __future__ import annotations

from bot.lab.budgets import Unhurried
from bot.lab.pair_player import PlaySettings
from bot.lab.player import PlayerSpec

#: These think until their time is over, unless an option counts nodes or plies for them.
BOUND_BY_TIME = frozenset({"classical", "compiled", "layered", "uci"})
COUNTING = frozenset({"nodes", "depth"})


def why_not_replayable(settings: PlaySettings) -> str | None:
    """None where each move depends on its position and the seed alone; otherwise what else it depends on.

    A strategy of one's own is believed to be so: a replay shows whether it is.
    """
    if not isinstance(settings.budget, Unhurried) and not all(
        player.movetime_ms is None and player.has_own_budget for player in settings.players
    ):
        return f"the time that moves take: the budget is {settings.budget}"
    for player in settings.players:
        if player.movetime_ms is not None or _thinks_by_time(player):
            return (
                f"the time that moves take: {player.label} thinks by the clock (nodes= or depth= would not)"
            )
    return None


def _thinks_by_time(player: PlayerSpec) -> bool:
    counting = COUNTING & {name for name, _ in player.strategy.options}
    return player.strategy.name in BOUND_BY_TIME and not counting
