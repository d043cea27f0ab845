"""Whether one number a player says it all: what each pairing scored against what the ratings expect. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from scipy import special

from bot.lab.stats.bradley_terry import Floats, Meeting, fit, point_table, scored_on

#: Below so many pairs in any pairing the spread of its score is too uncertain for a test.
LEAST_PAIRS = 10
#: Scores less far apart than this are the same, but for rounding.
EXACT = 1e-9


@dataclass(frozen=True, slots=True)
class Cell:
    """One meeting from the side of its first player, in points a game. `residual`: observed less expected, in
    standard deviations; None where the ratings agree with the score exactly, as they cannot but do where
    nothing else links the two."""

    meeting: Meeting
    observed: float
    expected: float
    residual: float | None


@dataclass(frozen=True, slots=True)
class Misfit:
    """All residuals together. `p`: the probability of such or larger ones if one strength a player accounted
    for all scores; a small one says that who beats whom is not a matter of strength alone."""

    chi_square: float
    freedom: int
    p: float


@dataclass(frozen=True, slots=True)
class CrossTable:
    """`misfit`: None where nothing is left over to test, or a pairing has fewer than LEAST_PAIRS pairs."""

    cells: tuple[Cell, ...]
    misfit: Misfit | None


def cross_table(players: int, meetings: Sequence[Meeting]) -> CrossTable:
    """Compare; every meeting has at least one pair, and no two the same players."""
    points = point_table(players, meetings)
    linked = scored_on(points)
    strengths = fit(points, linked)
    mutual = linked & linked.T
    expected = [
        float(special.expit(strengths[m.first] - strengths[m.second]))
        if mutual[m.first, m.second]
        else float(linked[m.first, m.second])
        for m in meetings
    ]
    tested = [place for place, m in enumerate(meetings) if mutual[m.first, m.second]]
    residuals: dict[int, float | None] = {}
    misfit = None
    if tested:
        chosen = [meetings[place] for place in tested]
        found, spread = _residuals(players, chosen, np.array([expected[place] for place in tested]))
        deviations = np.sqrt(np.diag(spread).clip(min=0.0))
        for place, residual, deviation in zip(tested, found, deviations, strict=True):
            shows = deviation > 1e-6 and abs(residual) > EXACT
            residuals[place] = float(residual / deviation) if shows else None
        freedom = int(np.linalg.matrix_rank(spread, hermitian=True))
        if freedom and all(meeting.pairs.pairs >= LEAST_PAIRS for meeting in chosen):
            exact = np.where(np.abs(found) > EXACT, found, 0.0)
            chi_square = float(exact @ np.linalg.pinv(spread, hermitian=True) @ exact)
            misfit = Misfit(chi_square, freedom, float(special.chdtrc(freedom, chi_square)))
    cells = (
        Cell(meeting, meeting.pairs.score, expected[place], residuals.get(place))
        for place, meeting in enumerate(meetings)
    )
    return CrossTable(tuple(cells), misfit)


def _residuals(players: int, meetings: Sequence[Meeting], expected: Floats) -> tuple[Floats, Floats]:
    """Observed less expected scores, and their covariance.

    The strengths follow the scores, so residuals vary less than scores do: to first order by the projection
    that takes the fit's response out of a change of the scores.
    """
    sides = np.zeros((len(meetings), players))
    for row, meeting in enumerate(meetings):
        sides[row, meeting.first], sides[row, meeting.second] = 1.0, -1.0
    games = np.array([float(meeting.pairs.games) for meeting in meetings])
    slope = expected * (1 - expected)
    weighted = sides.T * games
    response = slope[:, None] * sides @ np.linalg.pinv(weighted * slope @ sides, hermitian=True) @ weighted
    left = np.eye(len(meetings)) - response
    left[np.abs(left) < 1e-9] = 0.0
    variances = [
        meeting.pairs.variance / (meeting.pairs.pairs - 1)
        if meeting.pairs.pairs > 1 and meeting.pairs.variance > 0
        else curve / meeting.pairs.games  # no spread is seen: that of games without draws
        for meeting, curve in zip(meetings, slope, strict=True)
    ]
    observed = np.array([meeting.pairs.score for meeting in meetings])
    return observed - expected, left * np.array(variances) @ left.T
