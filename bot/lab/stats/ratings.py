"""A rating with an interval for every player of a field, in Elo above one of them. Pure but for the random
numbers handed in.

Values are Bradley-Terry's. The difference of a player who met nobody but the anchor is what their own pairs
say of it, and so is its interval (`elo`). Of all others the interval is that of percentiles of the difference
from the anchor, over fields whose pairs are drawn with replacement, within each pairing (the bootstrap of
Efron, 1979). Where that shows no spread or rests on very few pairs, it is widened to Wilson's of the player's
whole score. A player without a finite value (it won, or lost, all that links it with the anchor) has one
bound, by Wilson as well.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from scipy import optimize, special, stats

from bot.lab.stats.bradley_terry import Flags, Floats, Meeting, fit, point_table, scored_on
from bot.lab.stats.counts import FEW_PAIRS, PAIR_SCORES
from bot.lab.stats.elo import PER_LOG_ODD, UNKNOWN, Estimate, elo
from bot.lab.stats.intervals import CONFIDENCE, wilson

RESAMPLES = 9_999
#: What is said of the anchor.
ANCHOR = Estimate(0.0, None, None)
#: Stands for "without bound" where only numbers can stand; in logarithms of odds.
BOUNDLESS = 1e6
#: Numbers drawn at a time, at most: what a resample takes of memory.
DRAWN_AT_ONCE = 5_000_000


@dataclass(frozen=True, slots=True)
class Ratings:
    """`estimates`: one for each player, in Elo above the anchor; its own is 0 by definition and not by any
    measurement, so it has no interval. `direct`: those whose interval is that of their own pairs with the
    anchor, by Student's t; the others have one by bootstrap. `groups`: indices of
    players with finite differences among each other; more than one group means that the games decide less."""

    anchor: int
    estimates: tuple[Estimate, ...]
    groups: tuple[tuple[int, ...], ...]
    direct: frozenset[int] = frozenset()

    @property
    def connected(self) -> bool:
        return len(self.groups) == 1

    @property
    def order(self) -> tuple[int, ...]:
        """The players from the strongest on, those of whom nothing is known last."""

        def key(player: int) -> tuple[int, float]:
            known = self.estimates[player]
            for place, bound in enumerate((known.low, known.value, known.high)):
                if bound is not None and (place == 1 or known.value is None):
                    return place, -bound
            return 3, 0.0

        return tuple(sorted(range(len(self.estimates)), key=key))


def rate(
    players: int,
    meetings: Sequence[Meeting],
    anchor: int,
    rng: np.random.Generator,
    resamples: int = RESAMPLES,
) -> Ratings:
    """Rate players 0 to `players` - 1; every meeting has at least one pair, and no two the same players."""
    points = point_table(players, meetings)
    linked = scored_on(points)
    strengths = fit(points, linked)
    values = strengths - strengths[anchor]
    finite = linked[anchor] & linked[:, anchor]
    met = {player: [m for m in meetings if player in (m.first, m.second)] for player in range(players)}
    direct = {
        player: met[player][0]
        for player in range(players)
        if len(met[player]) == 1 and anchor in (met[player][0].first, met[player][0].second)
    }
    direct.pop(anchor, None)
    low = high = np.zeros(players)
    if len(direct) + 1 < players:
        low, high = bootstrap(players, meetings, anchor, rng, resamples)
    estimates = [UNKNOWN] * players
    estimates[anchor] = ANCHOR
    for player, meeting in direct.items():
        estimates[player] = elo(meeting.pairs if meeting.first == player else meeting.pairs.swapped)
    for player in map(int, np.flatnonzero(finite)):
        if player == anchor or player in direct:
            continue
        ends = low[player], high[player]
        few = sum(meeting.pairs.pairs for meeting in met[player]) < FEW_PAIRS
        if few or ends[0] == ends[1]:
            wider = _wilson_ends(points[player][finite], points[:, player][finite], values[finite])
            ends = min(ends[0], wider[0]), max(ends[1], wider[1])
        estimates[player] = Estimate(_elo(values[player]) or 0.0, _elo(ends[0]), _elo(ends[1]))
    for player, bound in _one_sided(points, linked, strengths, anchor).items():
        if player not in direct:
            above = linked[player, anchor]
            estimates[player] = Estimate(None, _elo(bound) if above else None, None if above else _elo(bound))
    return Ratings(anchor, tuple(estimates), _groups(linked), frozenset(direct))


def bootstrap(
    players: int, meetings: Sequence[Meeting], anchor: int, rng: np.random.Generator, resamples: int
) -> tuple[Floats, Floats]:
    """The lower and the upper ends for all players, in logarithms of odds above the anchor; those beyond
    plus or minus BOUNDLESS / 2 are none."""
    if not meetings:
        return np.zeros(players), np.zeros(players)
    samples = [np.repeat(PAIR_SCORES, meeting.pairs.counts) for meeting in meetings]

    def differences(*drawn: Floats, axis: int) -> Floats:
        """Both ends for each player: they differ where a resample does not link it with the anchor."""
        scores = [sample.mean(axis=axis) for sample in drawn]
        points = np.zeros((*scores[0].shape, players, players))
        for meeting, score in zip(meetings, scores, strict=True):
            points[..., meeting.first, meeting.second] = score * meeting.pairs.games
            points[..., meeting.second, meeting.first] = (1 - score) * meeting.pairs.games
        linked = scored_on(points)
        strengths = fit(points, linked)
        apart = strengths - strengths[..., anchor, None]
        over, under = linked[..., :, anchor], linked[..., anchor, :]
        lower = np.where(under, np.where(over, apart, -BOUNDLESS), np.where(over, BOUNDLESS, -BOUNDLESS))
        upper = np.where(over, np.where(under, apart, BOUNDLESS), np.where(under, -BOUNDLESS, BOUNDLESS))
        return np.moveaxis(np.stack([lower, upper], axis=-2), (-2, -1), (0, 1))

    # A sample must have two values for scipy; one pair twice is drawn as what it is, always the same.
    data = [np.repeat(sample, 2) if len(sample) == 1 else sample for sample in samples]
    found = stats.bootstrap(
        data,
        differences,
        vectorized=True,
        n_resamples=resamples,
        batch=max(1, min(resamples, DRAWN_AT_ONCE // sum(map(len, data)))),
        confidence_level=CONFIDENCE,
        method="percentile",
        rng=rng,
    ).confidence_interval
    return found.low[0], found.high[1]


def _one_sided(points: Floats, linked: Flags, strengths: Floats, anchor: int) -> dict[int, float]:
    """For each player that is beyond the anchor without bound, the bound on the other side.

    By groups, from those next to the anchor outwards: a group scored all points on the groups below it, so
    its level is at least the one at which Wilson's lower end of that score is expected of it, were those
    below it no stronger than their own bound. Below the anchor the other way round.
    """
    bounds: dict[int, float] = {}
    mutual = linked & linked.T
    level = strengths - strengths[anchor]
    for sign, beyond in ((1, linked[:, anchor]), (-1, linked[anchor])):
        chain = linked if sign == 1 else linked.T
        scored = points if sign == 1 else points.T
        outside = beyond & ~mutual[anchor]
        # Whoever is further out has scored on more of them, by chains.
        by_distance = sorted(np.flatnonzero(outside), key=lambda player: int(chain[player].sum()))
        known = np.where(mutual[anchor], level, 0.0)
        settled = mutual[anchor].copy()
        for player in by_distance:
            if settled[player]:
                continue
            group = np.flatnonzero(mutual[player])
            games = scored[np.ix_(group, np.flatnonzero(settled))]
            offsets = strengths[group, None] - known[settled][None, :]
            total = float(games.sum())
            expected = total * wilson(total, round(total)).low
            shift = _level(games, offsets * sign, expected) * sign
            known[group], settled[group] = strengths[group] + shift, True
        bounds |= {int(player): float(known[player]) for player in by_distance}
    return bounds


def _wilson_ends(won: Floats, lost: Floats, opponents: Floats) -> tuple[float, float]:
    """Where the ends of Wilson's interval of one player's whole score are expected of it; never 0 or 1, for
    whoever has a finite value scored, and was scored on."""
    games = won + lost
    score = wilson(float(won.sum()), round(float(games.sum())))
    low, high = (_level(games, -opponents, float(games.sum()) * end) for end in (score.low, score.high))
    return low, high


def _level(games: Floats, offsets: Floats, expected: float) -> float:
    """What must be added to `offsets` for `games` with such differences to be expected to bring so much."""

    def surplus(level: float) -> float:
        return float((games * special.expit(offsets + level)).sum()) - expected

    far = float(np.abs(offsets).max()) + 50.0
    return float(optimize.brentq(surplus, -far, far, xtol=1e-12))


def _groups(linked: Flags) -> tuple[tuple[int, ...], ...]:
    mutual = linked & linked.T
    return tuple(sorted({tuple(int(member) for member in np.flatnonzero(row)) for row in mutual}))


def _elo(odds: float) -> float | None:
    return None if abs(odds) >= BOUNDLESS / 2 else float(odds) * PER_LOG_ODD
