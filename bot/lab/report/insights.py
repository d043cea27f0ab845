"""What a report shows beside the standings, worked out from the pairs of a run. Pure."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

from bot.lab.records import PairRecord
from bot.lab.report.plots import Bar, Course
from bot.lab.stats.counts import Pentanomial
from bot.lab.stats.intervals import score_interval

#: A curve needs no more points than a screen can show.
MOST_POINTS = 400
#: So many kinds of ending have a colour of their own; the rarest ones are put together.
MOST_ENDINGS = 9
OTHER = "other"


def course(label: str, points: Sequence[float], planned: int, *, complete: bool) -> Course:
    """The score after each pair of `points` (0 to 2); every so many of them where there are very many."""
    step = max(1, len(points) // MOST_POINTS)
    counts, kept = Pentanomial(), []
    for number, found in enumerate(points, start=1):
        counts += Pentanomial.of([found])
        if number % step == 0 or number == len(points):
            kept.append((number, score_interval(counts)))
    return Course(
        label,
        at=tuple(number for number, _ in kept),
        score=tuple(interval.value for _, interval in kept),
        low=tuple(interval.low for _, interval in kept),
        high=tuple(interval.high for _, interval in kept),
        planned=planned,
        complete=complete,
    )


def endings(players: Sequence[str], records: Sequence[PairRecord]) -> tuple[tuple[str, ...], tuple[Bar, ...]]:
    """How games ended: the kinds, the most frequent first, and a bar for all games; for each player as well
    where there are more than two."""
    of: dict[str, Counter[str]] = {player: Counter() for player in players}
    everything: Counter[str] = Counter()
    for record in records:
        for game in record.games:
            everything[game.ending] += 1
            for player in (game.white, game.black):
                of[player][game.ending] += 1
    ranked = [kind for kind, _ in sorted(everything.items(), key=lambda item: (-item[1], item[0]))]
    kinds = ranked if len(ranked) <= MOST_ENDINGS else [*ranked[: MOST_ENDINGS - 1], OTHER]
    rows = [("all games", everything), *(of.items() if len(players) > 2 else ())]
    return tuple(kinds), tuple(Bar(label, _parts(kinds, counts)) for label, counts in rows)


def pareto(points: Mapping[str, tuple[float, float]]) -> frozenset[str]:
    """Of (cost, strength): those for which nobody else costs no more, is no weaker, and differs."""
    return frozenset(
        name
        for name, own in points.items()
        if not any(other[0] <= own[0] and other[1] >= own[1] and other != own for other in points.values())
    )


def _parts(kinds: Sequence[str], counts: Mapping[str, int]) -> tuple[tuple[str, int], ...]:
    named = {kind: counts.get(kind, 0) for kind in kinds if kind != OTHER}
    rest = sum(counts.values()) - sum(named.values())
    return tuple((kind, rest if kind == OTHER else named[kind]) for kind in kinds)
