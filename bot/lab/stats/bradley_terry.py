"""Strengths of many players from who scored how much against whom (Bradley and Terry, 1952). Pure.

A draw is half a win for either. The likeliest strengths are those at which every player is expected to score
what it did score. They are finite only among players of whom each scored, by some chain of games, on each
other: all computation here is by these groups, and what is between two groups is a matter of bounds.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
import numpy.typing as npt
from scipy import special

from bot.lab.stats.counts import Pentanomial

Floats: TypeAlias = npt.NDArray[np.float64]
Flags: TypeAlias = npt.NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class Meeting:
    """All pairs of two players, from the side of `first`; both are indices of players."""

    first: int
    second: int
    pairs: Pentanomial


def point_table(players: int, meetings: Sequence[Meeting]) -> Floats:
    """Points that each player (row) scored against each other (column)."""
    points = np.zeros((players, players))
    for meeting in meetings:
        points[meeting.first, meeting.second] += meeting.pairs.points
        points[meeting.second, meeting.first] += meeting.pairs.swapped.points
    return points


def scored_on(points: Floats) -> Flags:
    """Who scored on whom, by a chain of players each of whom scored on the next; everyone on itself.

    Where two players did so mutually, their difference is finite; where one did, it has no upper bound; where
    neither did, the games do not link them. `points`: tables of n x n, on the last two axes.
    """
    linked: Flags = (points > 0) | np.eye(points.shape[-1], dtype=bool)
    for middle in range(points.shape[-1]):
        linked = linked | (linked[..., :, middle, None] & linked[..., None, middle, :])
    return linked


def fit(points: Floats, linked: Flags) -> Floats:
    """The likeliest strengths, as natural logarithms of odds with a mean of 0 in each group.

    `points`: any number of tables of n x n; `linked`: their `scored_on`. Returns n strengths for each table.
    Newton's method with steps halved until they gain; the likelihood is concave, so it ends at the maximum.
    """
    same = linked & linked.swapaxes(-1, -2)
    inside = np.where(same, points, 0.0)
    games = inside + inside.swapaxes(-1, -2)
    strengths = np.zeros(points.shape[:-1])
    likelihood = _log_likelihood(inside, strengths)
    for _ in range(200):
        share = special.expit(_differences(strengths))
        gradient = (inside - games * share).sum(axis=-1)
        weight = games * share * (1 - share)
        curvature = weight.sum(axis=-1)[..., None] * np.eye(points.shape[-1]) - weight
        # A group's strengths may all be moved alike: `same` holds their sum.
        step = np.linalg.solve(curvature + same, gradient[..., None])[..., 0]
        strengths, likelihood = _gain(inside, strengths, likelihood, step)
        if not step.size or np.abs(step).max() < 1e-11:
            break
    return strengths


def _gain(points: Floats, strengths: Floats, likelihood: Floats, step: Floats) -> tuple[Floats, Floats]:
    """`strengths` after `step`, halved in each table as often as it takes for the likelihood not to fall."""
    scale = np.ones(likelihood.shape)
    slack = 1e-12 * (1 + np.abs(likelihood))
    for _ in range(40):
        moved = strengths + scale[..., None] * step
        reached = _log_likelihood(points, moved)
        worse = reached < likelihood - slack
        if not worse.any():
            break
        scale = np.where(worse, scale / 2, scale)
    return moved, reached


def _log_likelihood(points: Floats, strengths: Floats) -> Floats:
    total: Floats = (points * special.log_expit(_differences(strengths))).sum(axis=(-1, -2))
    return total


def _differences(strengths: Floats) -> Floats:
    return strengths[..., :, None] - strengths[..., None, :]
