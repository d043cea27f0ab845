"""Standings in a terminal: tables, and sentences where a number alone would mislead."""

from __future__ import annotations

from collections.abc import Iterator

from rich.console import Console
from rich.table import Table

from bot.lab.showing import Showing
from bot.lab.standings import Standings
from bot.lab.stats.counts import FEW_PAIRS, Wdl
from bot.lab.stats.elo import UNKNOWN, Estimate
from bot.lab.stats.intervals import Interval

#: A larger field's matrix is wider than a terminal; the report has it.
WIDEST_MATRIX = 7
#: Openings in which the colours decided, at most so many by name.
MOST_OPENINGS = 5


def print_standings(found: Standings, console: Console) -> None:
    """Print all of it: ratings, meetings, costs, endings, and what is to be said about them."""
    for table in tables(found):
        console.print(table)
    for note in notes(found):
        console.print(note, markup=False, highlight=False)


def tables(found: Standings) -> Iterator[Table]:
    """Those that there is something for."""
    yield _ratings(found)
    if found.pairings:
        yield _meetings(found)
    if 2 < len(found.players) <= WIDEST_MATRIX and found.pairings:
        yield _matrix(found)
    if any(row.cost.moves for row in found.players):
        yield _costs(found)


def notes(found: Standings) -> Iterator[str]:
    """One sentence each, the most important first."""
    if found.finished < found.planned:
        yield (
            f"{found.finished} of {found.planned} pairs are finished. Intervals hold for a number of pairs "
            "that was fixed beforehand, not for a moment that looks good."
        )
    if found.duplicates:
        yield (
            f"{found.repeated_games} games repeat earlier ones move for move: the {found.duplicates} of "
            f"{found.finished} pairs that they are in are not counted."
        )
    if found.mirrored:
        yield (
            f"In {found.mirrored} pairs both games are the same one, with the players on the other side: "
            "they move alike, and such a pair is always even."
        )
    yield from _faults(found)
    yield from _normalized(found)
    if len(found.groups) > 1 and found.pairings:
        yield (
            "Without finite differences between them: "
            + " | ".join(", ".join(group) for group in found.groups)
            + ". Where one side won everything there is only a bound, where nothing links two there is none."
        )
    yield how_sure(found)
    if found.misfit is not None:
        yield (
            f"Scores against ratings: chi² {found.misfit.chi_square:.1f} on {found.misfit.freedom} degrees "
            f"of freedom, p {_small(found.misfit.p)}: "
            + (
                "who beats whom is not a matter of strength alone."
                if found.misfit.p < 0.05
                else "one rating a player accounts for the scores."
            )
        )
    if found.endings:
        yield "Endings: " + ", ".join(f"{ending} {count}" for ending, count in found.endings) + "."
    yield from _openings(found)


def how_sure(found: Standings) -> str:
    """What each of the 95 % intervals of a difference in Elo is."""
    pairs = (
        "from the spread of the pairs by Student's t, or Wilson's over games where they show none (the wider "
        f"of both below {FEW_PAIRS} pairs)"
    )
    resampled = [player for player in found.header.players if player not in {found.anchor, *found.direct}]
    if not resampled:
        return f"Intervals of Elo: {pairs}. Of scores: Wilson's over games."
    return (
        f"Intervals of Elo between two who met: {pairs}; they rest on their own games alone. Those of "
        "ratings rest on all games of the field (bootstrap over pairs), so the two need not be alike. Of "
        "scores: Wilson's over games."
    )


def _ratings(found: Standings) -> Table:
    table = Table(title=f"Ratings: Elo above {found.anchor}, with 95 % intervals")
    table.add_column("player", overflow="fold")
    for name in ("Elo", "95 %", "games", "+ = -", "score", "95 %"):
        table.add_column(name, justify="right", no_wrap=True)
    for row in found.ranked:
        value, interval = (
            ("0", "anchor") if row.player == found.anchor else (_value(row.rating), _bounds(row.rating))
        )
        shown = row.showing
        if shown is None:
            table.add_row(row.player, value, interval, "0", "", "", "")
            continue
        games = shown.games
        table.add_row(
            row.player,
            value,
            interval,
            str(games.games),
            _games(games),
            f"{shown.score.value:.1%}",
            _percent(shown.score),
        )
    return table


def _meetings(found: Standings) -> Table:
    """Two lines each, so that it fits into 80 columns."""
    table = Table(title="Meetings, from the view of the player named first", show_lines=True)
    table.add_column("", overflow="fold")
    for name in ("+ = -\nLL LD DD WD WW", "score\n95 %", "Elo\n95 %", "LOS\np"):
        table.add_column(name, justify="right", no_wrap=True)
    for row in found.pairings:
        shown = row.showing
        table.add_row(
            f"{row.first}\n- {row.second}",
            f"{_games(shown.games)}\n{' '.join(map(str, shown.pairs.counts))}",
            f"{shown.score.value:.1%}\n{_percent(shown.score)}",
            f"{_value(shown.elo)}\n{_bounds(shown.elo)}",
            f"{_share(shown.los)}\n{_small(shown.p)}",
        )
    return table


def _matrix(found: Standings) -> Table:
    table = Table(title="Score of the row against the column, in % (expected by the ratings)")
    table.add_column("", overflow="fold")
    for number in range(1, len(found.players) + 1):
        table.add_column(str(number), justify="right")
    cells = {}
    for row in found.pairings:
        cells[row.first, row.second] = row.showing.score.value, row.expected
        cells[row.second, row.first] = 1 - row.showing.score.value, 1 - row.expected
    for number, player in enumerate(found.ranking, start=1):
        scores = [cells.get((player, other)) for other in found.ranking]
        table.add_row(
            f"{number} {player}",
            *("" if cell is None else f"{100 * cell[0]:.0f} ({100 * cell[1]:.0f})" for cell in scores),
        )
    return table


def _costs(found: Standings) -> Table:
    table = Table(title="Cost of a move")
    table.add_column("player", overflow="fold")
    for name in ("moves", "median ms", "p95 ms", "longest ms", "nodes", "depth"):
        table.add_column(name, justify="right")
    for row in found.ranked:
        cost = row.cost
        table.add_row(
            row.player,
            f"{cost.moves:,}",
            *(_number(value) for value in (cost.median_ms, cost.p95_ms, cost.max_ms, cost.nodes, cost.depth)),
        )
    return table


def _faults(found: Standings) -> Iterator[str]:
    for row in found.ranked:
        if row.faults:
            named = ", ".join(f"{fault} {count}" for fault, count in row.faults)
            yield f"{row.player} lost games by faults of its own: {named}."
    if len(found.players) == 2:
        for pairing in found.pairings:
            yield from _with_and_without(
                f"{pairing.first} - {pairing.second}", pairing.showing, pairing.clean
            )
    else:
        for row in found.ranked:
            if row.showing is not None:
                yield from _with_and_without(row.player, row.showing, row.clean)


def _with_and_without(who: str, everything: Showing, clean: Showing | None) -> Iterator[str]:
    if clean is None:
        yield f"{who}: no pair is without a fault."
    elif clean.pairs != everything.pairs:
        yield (
            f"{who}: {everything.score.value:.1%} of {everything.games.games} games; without pairs in which "
            f"anybody was at fault {clean.score.value:.1%} of {clean.games.games} "
            f"({_percent(clean.score)} %)."
        )


def _openings(found: Standings) -> Iterator[str]:
    pairs = sum(row.pairs for row in found.openings)
    if not pairs:
        return
    drawn, flipped = sum(row.drawn for row in found.openings), sum(row.flipped for row in found.openings)
    white = sum(row.white.points for row in found.openings) / (2 * pairs)
    yield (
        f"Openings: White scored {white:.1%}; {drawn} of {pairs} pairs were drawn twice, "
        f"{flipped} won twice by one colour."
    )
    often = sorted((row for row in found.openings if row.flipped > 1), key=lambda row: -row.flipped)
    if often:
        named = (
            f"{row.opening.name or row.opening.fen} ({row.flipped} of {row.pairs})"
            for row in often[:MOST_OPENINGS]
        )
        yield f"Most often won twice by one colour: {', '.join(named)}."


def _normalized(found: Standings) -> Iterator[str]:
    """Of a match: what others of the field's tools print of it."""
    for row in found.pairings[: 1 if len(found.players) == 2 else 0]:
        counts = ", ".join(map(str, row.showing.pairs.counts))
        normalized = row.showing.normalized_elo
        yield (
            f"Ptnml(0-2): [{counts}] of {row.first}; normalized Elo "
            + (
                str(normalized)
                if normalized.value is not None
                else f"unknown: it takes {FEW_PAIRS} pairs that are not all alike"
            )
            + "."
        )


def _value(estimate: Estimate) -> str:
    """The value, or the one bound."""
    if estimate.value is not None:
        return f"{round(estimate.value) or 0:+d}"
    return "?" if estimate == UNKNOWN else str(estimate)


def _bounds(estimate: Estimate) -> str:
    if estimate.value is None:
        return ""
    low, high = (
        "open" if bound is None else f"{round(bound) or 0:+d}" for bound in (estimate.low, estimate.high)
    )
    return f"{low} .. {high}"


def _games(games: Wdl) -> str:
    return f"+{games.won} ={games.drawn} -{games.lost}"


def _percent(interval: Interval) -> str:
    return f"{100 * interval.low:.1f} .. {100 * interval.high:.1f}"


def _share(value: float) -> str:
    """In percent; never 0 or 100, which no number of games can show."""
    return "> 99.9 %" if value > 0.999 else "< 0.1 %" if value < 0.001 else f"{100 * value:.1f} %"


def _small(p: float) -> str:
    return "< 0.0001" if p < 0.0001 else f"{p:.4f}"


def _number(value: float | None) -> str:
    return "-" if value is None else f"{value:,.0f}"
