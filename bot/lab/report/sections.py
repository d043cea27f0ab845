"""The sections of a report about players: ratings, matrix, courses, cost. Pure."""

from __future__ import annotations

from bot.lab.report import html, insights, numbers, plots
from bot.lab.report.html import Markup
from bot.lab.report.svg import text_of
from bot.lab.standings import PairingRow, PlayerRow, Standings
from bot.lab.tables import how_sure

#: Of a larger field the courses are folded away.
MOST_COURSES = 15
#: A residual of more standard deviations is marked.
ODD = 2.0


def ratings(found: Standings) -> str:
    """Dots and whiskers, and the table of players."""
    parts = []
    if len(found.groups) > 1:
        groups = "; ".join(", ".join(group) for group in found.groups)
        parts.append(
            html.paragraph(
                "The games do not put everybody on one scale: where an arrow stands, one side scored every "
                f"point, or nothing links the two. Finite differences exist only within: {groups}.",
                "card",
            )
        )
    rows = [
        plots.Whisker(row.player, row.rating.value, row.rating.low, row.rating.high, numbers.elo(row.rating))
        for row in found.ranked
        if row.player != found.anchor
    ]
    parts.append(
        plots.whiskers(
            rows,
            name="ratings",
            title="Ratings with 95 % intervals",
            scale=f"Elo above {plots.short(found.anchor)}, who is at 0",
        )
    )
    head = ("player", "Elo (95 % interval)", "score (games)")
    cells = [_player_cells(place, row, found.anchor) for place, row in enumerate(found.ranked, start=1)]
    parts.append(html.table(head, cells, kind="ratings"))
    parts.append(
        html.paragraph(
            f"Elo above {found.anchor}, whose rating is 0 by definition and has no interval. Lines are 95 % "
            "intervals of the difference from it, so overlap does not mean that two others are alike: see "
            f"the pairings. An arrow: no bound on that side. {how_sure(found)}",
            "note",
        )
    )
    return html.section("Ratings", *parts, key="ratings")


def _player_cells(place: int, row: PlayerRow, anchor: str) -> tuple[html.Content, ...]:
    games = None if row.showing is None else row.showing.games
    return (
        _placed(place, row.player),
        Markup("0 <small>(the anchor)</small>") if row.player == anchor else numbers.elo_lines(row.rating),
        numbers.NONE
        if games is None
        else Markup(f"{numbers.percent(games.score)} <small>({numbers.wdl(games)})</small>"),
    )


def _placed(place: int, player: str) -> Markup:
    return Markup(f"{place}.\u00a0{html.name(player).text}")


def mean_ms(row: PlayerRow) -> float | None:
    """Milliseconds a move, on average."""
    return row.cost.total_ms / row.cost.moves if row.cost.moves else None


def matrix(found: Standings) -> str:
    """Who scored what against whom, and what the ratings expect."""
    cells: dict[tuple[str, str], Markup] = {}
    for row in found.pairings:
        cells[row.first, row.second] = _cell(row, row.showing.score.value, row.expected, row.residual)
        residual = None if row.residual is None else -row.residual
        cells[row.second, row.first] = _cell(row, 1 - row.showing.score.value, 1 - row.expected, residual)
    nothing = Markup('<span class="soft">–</span>')
    rows: list[tuple[html.Content, ...]] = [
        (_placed(place, player), *(cells.get((player, other), nothing) for other in found.ranking))
        for place, player in enumerate(found.ranking, start=1)
    ]
    notes = [
        "Rows against columns, by their numbers: the score, beneath it what the ratings expect (exp.), and "
        "the difference in standard deviations (red from two on; – where the ratings follow the score "
        "exactly). One in twenty is beyond two by chance alone."
    ]
    if found.misfit is not None:
        verdict = (
            "so who beats whom is not a matter of strength alone"
            if found.misfit.p < 0.05
            else "so one number a player is enough"
        )
        chance = numbers.chance(found.misfit.p)
        notes.append(
            f"All residuals together: χ² = {found.misfit.chi_square:.1f}, degrees of freedom: "
            f"{found.misfit.freedom}, p {chance if chance[0] in '<>' else f'= {chance}'}, {verdict}."
        )
    return html.section(
        "Who beats whom",
        html.table(("against", *(f"{place}." for place in range(1, len(rows) + 1))), rows, kind="matrix"),
        *(html.paragraph(note, "note") for note in notes),
        key="matrix",
    )


def _cell(row: PairingRow, score: float, expected: float, residual: float | None) -> Markup:
    lines = [f"{score:.0%}", f"<small>exp. {expected:.0%}</small>"]
    if residual is None:
        shown = numbers.NONE
    else:
        shown = (f"{residual:+.1f}".replace("-", "−") if abs(residual) >= 0.05 else "0.0") + " σ"
    lines.append(f'<small class="residual">{shown}</small>')
    title = text_of(f"{row.showing.pairs.pairs} pairs, {numbers.pentanomial(row.showing.pairs)}")
    odd = ' class="odd"' if residual is not None and abs(residual) >= ODD else ""
    return Markup(f'<div{odd} title="{title}">{"".join(lines)}</div>')


def courses(found: Standings, *, complete: bool) -> str:
    """The score over pairs of every pairing. `complete`: none is owed any more."""
    panels = []
    for place, row in enumerate(found.pairings):
        course = insights.course(
            f"{row.first} against {row.second}",
            row.course,
            len(row.course) if complete else found.header.pairs - row.duplicates,
            complete=complete,
        )
        plot = plots.course(course, name=f"course-{place}", title=f"Score of {course.label} over pairs")
        score, low, high = course.score[-1], course.low[-1], course.high[-1]
        last = f"{score:.1%} ({low:.1%} to {high:.1%})" if complete else f"{score:.1%} so far"
        panels.append(
            f'<div><h3>{text_of(course.label)}</h3><span class="note">{text_of(last)}</span>{plot}</div>'
        )
    kind = "panels" if len(panels) > 1 else "panel"
    grid = f'<div class="{kind}">{"".join(panels)}</div>'
    many = len(panels) > MOST_COURSES
    note = (
        "In the order of the schedule, not of completion. The band is the 95 % interval from the spread of "
        "the pairs, as that of Elo is (the pairings have Wilson's over games beside it): it holds at the "
        "last pair alone. Whoever stops when it suits finds a difference between equals too often: one "
        "time in five with ten looks."
    )
    unfinished = "Pairs are still owed, so every band is grey: none of them decides anything yet. "
    return html.section(
        "Score over pairs",
        html.paragraph((unfinished if not complete else "") + note, "note"),
        html.folded(f"{len(panels)} pairings", grid) if many else grid,
        key="courses",
    )


def cost(found: Standings) -> str:
    """What strength costs; "" where fewer than two players made a move."""
    costs = {row.player: ms for row in found.ranked if (ms := mean_ms(row)) is not None}
    strengths, scale = _strengths(found)
    known = {name: (max(costs[name], 0.01), strengths[name]) for name in costs if name in strengths}
    if len(known) < 2:
        return ""
    best = insights.pareto(known)
    rows = {row.player: row for row in found.ranked}
    spots = [
        plots.Spot(
            place,
            name,
            *known[name],
            best=name in best,
            text=(
                f"{numbers.milliseconds(known[name][0])} ms a move, Elo "
                f"{'0' if name == found.anchor else numbers.elo(rows[name].rating)}"
            ),
        )
        for place, name in enumerate(found.ranking, start=1)
        if name in known
    ]
    left_out = [name for name in found.ranking if name not in known]
    names = "; ".join(f"{spot.number} {spot.label}" for spot in spots)
    notes = [
        html.paragraph(f"{names}.", "note"),
        html.paragraph(
            "Joined by a line: whom nobody beats at the same cost or less. Time is what the referee "
            "measured, the way to the player's process and back included, on the machine of this run.",
            "note",
        ),
    ]
    if left_out:
        notes.append(html.paragraph(f"Not shown, for want of a number: {', '.join(left_out)}.", "note"))
    plot = plots.plane(
        spots,
        name="cost",
        title="Cost against strength",
        x_label="milliseconds a move (mean, logarithmic)",
        y_label=scale,
    )
    head = ("player", "ms a move", "median", "95th %", "nodes", "depth")
    cells = [
        (
            _placed(place, row.player),
            numbers.milliseconds(mean_ms(row)),
            numbers.milliseconds(row.cost.median_ms),
            numbers.milliseconds(row.cost.p95_ms),
            numbers.count(row.cost.nodes),
            numbers.count(row.cost.depth),
        )
        for place, row in enumerate(found.ranked, start=1)
    ]
    return html.section("Cost against strength", plot, *notes, html.table(head, cells), key="cost")


def _strengths(found: Standings) -> tuple[dict[str, float], str]:
    """A number for the strength of each player that has one, and what it is: Elo; or where that is not finite
    for everybody in a field that all met, the score."""
    elos = {row.player: row.rating.value for row in found.ranked if row.rating.value is not None}
    if len(elos) < len(found.players) and found.header.mode != "gauntlet":
        scores = {
            row.player: 100 * row.showing.score.value for row in found.ranked if row.showing is not None
        }
        return scores, "score in this field, %"
    return elos, f"Elo above {found.anchor}"
