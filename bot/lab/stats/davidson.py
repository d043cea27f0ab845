"""Strengths and drawishness together (Davidson, 1970). Pure.

Of two players with strengths a and b, win, loss and draw are to each other as a, b and nu sqrt(a b). Its
scale is wider than the Elo of a score, so `nu` is what the lab shows of it: between equals, twice the draws
to a decisive game.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from scipy import optimize, special

from bot.lab.stats.bradley_terry import Floats, scored_on
from bot.lab.stats.counts import Wdl
from bot.lab.stats.elo import PER_LOG_ODD

#: A parameter (a logarithm of odds) beyond this is on its way to infinity: 2100 Elo.
FINITE = 12.0


@dataclass(frozen=True, slots=True)
class Davidson:
    """`elo`: of each player, above the anchor, on Davidson's own scale."""

    elo: tuple[float, ...]
    nu: float


def davidson(players: int, meetings: Sequence[tuple[int, int, Wdl]], anchor: int) -> Davidson | None:
    """The likeliest parameters; None where they are not all finite and above 0, as without draws, without
    decisive games, or when somebody never lost."""
    points = np.zeros((players, players))
    for first, second, games in meetings:
        points[first, second] += games.points
        points[second, first] += games.swapped.points
    if not sum(games.drawn for _, _, games in meetings) or not scored_on(points).all():
        return None
    firsts = np.array([first for first, _, _ in meetings])
    seconds = np.array([second for _, second, _ in meetings])
    counts = np.array([(games.won, games.drawn, games.lost) for _, _, games in meetings], dtype=np.float64)

    def loss(parameters: Floats) -> tuple[float, Floats]:
        """Minus the log-likelihood a game, and its gradient: by strengths, then by the logarithm of nu."""
        half = (parameters[firsts] - parameters[seconds]) / 2
        logs = np.column_stack([half, np.full_like(half, parameters[players]), -half])
        excess = counts - counts.sum(axis=1, keepdims=True) * special.softmax(logs, axis=1)
        lean = (excess[:, 0] - excess[:, 2]) / 2
        gradient = np.zeros(players + 1)
        np.add.at(gradient, firsts, lean)
        np.add.at(gradient, seconds, -lean)
        gradient[players] = excess[:, 1].sum()
        likelihood = (counts * special.log_softmax(logs, axis=1)).sum()
        return -float(likelihood) / counts.sum(), -gradient / counts.sum()

    start = np.zeros(players + 1)
    found = optimize.minimize(loss, start, jac=True, method="BFGS", options={"gtol": 1e-9}).x
    if np.abs(found).max() > FINITE:
        return None
    elo = (found[:players] - found[anchor]) * PER_LOG_ODD
    return Davidson(tuple(float(each) for each in elo), float(np.exp(found[players])))
