"""What some games show of a player: counts, and every estimate that is drawn from them. Pure."""

from __future__ import annotations

from dataclasses import dataclass

from bot.lab.stats.counts import Pentanomial, Wdl
from bot.lab.stats.elo import Estimate, elo, los, normalized_elo
from bot.lab.stats.intervals import Interval, wilson
from bot.lab.stats.sign_flip import sign_flip


@dataclass(frozen=True, slots=True)
class Showing:
    """Of at least one pair, from the player's side.

    `score`: points a game, with Wilson's interval over games. `elo`, `normalized_elo`: what that says of a
    difference, with intervals from the spread of the pairs. `los`: the likelihood of being the stronger one.
    `p`: one-sided, of the exact sign-flip test over pairs.
    """

    games: Wdl
    pairs: Pentanomial
    score: Interval
    elo: Estimate
    normalized_elo: Estimate
    los: float
    p: float


def show(games: Wdl, pairs: Pentanomial) -> Showing:
    """Raises ValueError without games, or if they are not the games of those pairs."""
    if games.games != pairs.games or games.points != pairs.points:
        raise ValueError(f"{games} are not the games of {pairs}")
    return Showing(
        games,
        pairs,
        wilson(games.points, games.games),
        elo(pairs),
        normalized_elo(pairs),
        los(pairs),
        sign_flip(pairs),
    )
