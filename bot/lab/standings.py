"""From the header of a run and its finished pairs to everything that is said about its players. Pure.

A pair of which a game repeats an earlier one move for move is not counted; how many were left out is said.
The same journal always gives the same numbers: resampling is seeded by the run's own seed.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from bot.errors import UserError
from bot.lab.costs import Cost, cost_of, moves_of
from bot.lab.duplicates import distinct, mirrored, repeated_games
from bot.lab.opening_table import OpeningRow, opening_table
from bot.lab.records import Fault, PairRecord, RunHeader
from bot.lab.schedule import pairings
from bot.lab.showing import Showing, show
from bot.lab.stats.bradley_terry import Meeting
from bot.lab.stats.counts import Pentanomial, Wdl
from bot.lab.stats.cross_table import Misfit, cross_table
from bot.lab.stats.davidson import davidson
from bot.lab.stats.elo import Estimate
from bot.lab.stats.ratings import RESAMPLES, rate


@dataclass(frozen=True, slots=True)
class PlayerRow:
    """One player against its whole field. `clean`: without the pairs in which anybody was at fault.

    `rating`: Elo above the anchor (Bradley-Terry); the anchor's own is 0, without an interval. `faults`: its
    own, each a game lost. `cost`: of its moves. None where there are no such games.
    """

    player: str
    showing: Showing | None
    clean: Showing | None
    rating: Estimate
    faults: tuple[tuple[Fault, int], ...]
    cost: Cost


@dataclass(frozen=True, slots=True)
class PairingRow:
    """Two players against each other, from the side of `first`.

    `expected`: points a game by the ratings; `residual`: the score less that, in standard deviations, None
    where they agree exactly. `course`: points of `first` in each pair, in the schedule's order.
    """

    first: str
    second: str
    showing: Showing
    clean: Showing | None
    expected: float
    residual: float | None
    duplicates: int
    course: tuple[float, ...]


@dataclass(frozen=True, slots=True)
class Standings:
    """`planned`, `finished`: pairs; `duplicates` of the finished ones have games that repeat earlier ones,
    `repeated_games` in all, and are not counted; `mirrored` of those that are have the same game twice, with
    the players on the other side.

    `players` come in the order of the header, `ranking` has them from the strongest on. `groups`: players
    whose rating differences are finite among each other; more than one means that the games decide less.
    `direct`: players whose rating is what their own pairs with the anchor say, and has the same interval.
    `misfit`: whether one number a player accounts for all scores. `draw_parameter`: Davidson's nu.
    `endings`: how many games ended how. None where the games do not tell.
    """

    header: RunHeader
    anchor: str
    planned: int
    finished: int
    duplicates: int
    repeated_games: int
    mirrored: int
    players: tuple[PlayerRow, ...]
    ranking: tuple[str, ...]
    pairings: tuple[PairingRow, ...]
    groups: tuple[tuple[str, ...], ...]
    direct: frozenset[str]
    misfit: Misfit | None
    draw_parameter: float | None
    endings: tuple[tuple[str, int], ...]
    openings: tuple[OpeningRow, ...]

    @property
    def ranked(self) -> tuple[PlayerRow, ...]:
        """`players` in the order of `ranking`."""
        rows = {row.player: row for row in self.players}
        return tuple(rows[player] for player in self.ranking)


def standings(
    header: RunHeader, records: Sequence[PairRecord], *, anchor: str | None = None, resamples: int = RESAMPLES
) -> Standings:
    """What `records`, finished pairs in the order of the schedule, say. `anchor`: the player whose rating is
    0, by default the first of the run. Raises UserError for an anchor who did not take part."""
    names = header.players
    anchor = names[0] if anchor is None else anchor
    if anchor not in names:
        raise UserError(f"{anchor} cannot be the anchor: it is none of {', '.join(names)}")
    repeats = [(record, number) for record, number in repeated_games(records) if number]
    repeated = Counter(frozenset((record.spec.first, record.spec.second)) for record, _ in repeats)
    counted = distinct(records)
    met = _by_pairing(counted)
    meetings = [
        Meeting(names.index(first), names.index(second), found.pairs)
        for (first, second), found in met.items()
    ]
    ratings = rate(
        len(names), meetings, names.index(anchor), np.random.default_rng(header.seed), resamples=resamples
    )
    table = cross_table(len(names), meetings)
    draws = davidson(
        len(names), [(names.index(a), names.index(b), found.games) for (a, b), found in met.items()], 0
    )
    return Standings(
        header=header,
        anchor=anchor,
        planned=len(pairings(names, header.mode)) * header.pairs,
        finished=len(records),
        duplicates=len(repeats),
        mirrored=mirrored(counted),
        repeated_games=sum(number for _, number in repeats),
        direct=frozenset(names[player] for player in ratings.direct),
        players=tuple(
            _player(name, rating, counted) for name, rating in zip(names, ratings.estimates, strict=True)
        ),
        ranking=tuple(names[player] for player in ratings.order),
        pairings=tuple(
            PairingRow(
                first,
                second,
                show(found.games, found.pairs),
                _shown(*found.clean),
                cell.expected,
                cell.residual,
                repeated[frozenset((first, second))],
                found.course,
            )
            for ((first, second), found), cell in zip(met.items(), table.cells, strict=True)
        ),
        groups=tuple(tuple(names[player] for player in group) for group in ratings.groups),
        misfit=table.misfit,
        draw_parameter=None if draws is None else draws.nu,
        endings=tuple(Counter(game.ending for record in counted for game in record.games).most_common()),
        openings=opening_table(counted),
    )


class _Found(NamedTuple):
    """Pairs from one side; `clean`: the same of those without a fault."""

    games: Wdl
    pairs: Pentanomial
    course: tuple[float, ...]
    clean: tuple[Wdl, Pentanomial]


def _by_pairing(records: Iterable[PairRecord]) -> dict[tuple[str, str], _Found]:
    """By players as they first met."""
    met: dict[tuple[str, str], list[PairRecord]] = {}
    for record in records:
        players = (record.spec.first, record.spec.second)
        met.setdefault(players if players[::-1] not in met else players[::-1], []).append(record)
    return {players: _found(players[0], of_pairing) for players, of_pairing in met.items()}


def _found(player: str, records: Sequence[PairRecord]) -> _Found:
    """From the side of `player`, who is in all of `records`."""
    games, pairs = _counts(player, records)
    course = tuple(_points(player, record) for record in records)
    return _Found(games, pairs, course, _counts(player, [record for record in records if record.clean]))


def _counts(player: str, records: Sequence[PairRecord]) -> tuple[Wdl, Pentanomial]:
    results = [
        game.points("white" if game.white == player else "black")
        for record in records
        for game in record.games
    ]
    games = Wdl(results.count(1.0), results.count(0.5), results.count(0.0))
    return games, Pentanomial.of(_points(player, record) for record in records)


def _points(player: str, record: PairRecord) -> float:
    return record.score if record.spec.first == player else 2 - record.score


def _shown(games: Wdl, pairs: Pentanomial) -> Showing | None:
    return show(games, pairs) if pairs.pairs else None


def _player(name: str, rating: Estimate, records: Sequence[PairRecord]) -> PlayerRow:
    own = [record for record in records if name in (record.spec.first, record.spec.second)]
    found = _found(name, own)
    faults = Counter(
        game.fault
        for record in own
        for game in record.games
        if game.fault is not None and name == (game.white if game.fault_by == "white" else game.black)
    )
    return PlayerRow(
        player=name,
        showing=_shown(found.games, found.pairs),
        clean=_shown(*found.clean),
        rating=rating,
        faults=tuple(faults.most_common()),
        cost=cost_of(moves_of(name, own)),
    )
