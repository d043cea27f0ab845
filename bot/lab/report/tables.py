"""The sections of a report about games: endings, openings, faults, pairings, and what was run. Pure."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

from bot.lab.opening_table import OpeningRow
from bot.lab.openings import Opening
from bot.lab.records import PairRecord
from bot.lab.report import html, insights, numbers, plots
from bot.lab.report.html import Markup
from bot.lab.report.svg import text_of
from bot.lab.standings import Standings
from bot.lab.stats.counts import FEW_PAIRS, Wdl
from bot.lab.tables import how_sure

#: So many openings are listed; the others are counted.
MOST_OPENINGS = 15
#: So many faults are listed one by one.
MOST_FAULTS = 20


def endings(found: Standings, records: Sequence[PairRecord]) -> str:
    kinds, bars = insights.endings(found.header.players, records)
    return html.section(
        "How games ended",
        html.legend(kinds),
        plots.bars(bars, name="endings", title="How games ended", names=kinds),
        html.folded(
            "The same in numbers",
            html.table(("", *kinds), [(bar.label, *(str(count) for _, count in bar.parts)) for bar in bars]),
        ),
        key="endings",
    )


def openings(found: Standings) -> str:
    """Which of them decided instead of the players."""
    rows = found.openings
    flipped, drawn = sum(row.flipped for row in rows), sum(row.drawn for row in rows)
    pairs = sum(row.pairs for row in rows)
    white = sum((row.white for row in rows), Wdl())
    share = f" ({flipped / pairs:.0%})" if pairs else ""
    summary = (
        f"{numbers.counted(len(rows), 'opening')}, {numbers.counted(pairs, 'pair')}. In {flipped}{share} "
        f"the same colour won both games: the opening decided. In {drawn} both games were drawn. White "
        f"scored {numbers.percent(white.score) if white.games else numbers.NONE} ({numbers.wdl(white)})."
    )
    dull = sorted(
        (row for row in rows if row.flipped or row.drawn),
        key=lambda row: (-(row.flipped + row.drawn) / row.pairs, -row.pairs, row.opening.name),
    )
    parts = [html.paragraph(summary)]
    names = Counter(_name(row.opening) for row in rows)
    if dull:
        parts.append(
            html.table(
                ("opening", "pairs", "flipped", "dead drawn", "swept", "White"),
                [_opening_cells(row, names) for row in dull[:MOST_OPENINGS]],
            )
        )
        rest = len(dull) - MOST_OPENINGS
        more = f" {rest} more are not listed." if rest > 0 else ""
        parts.append(
            html.paragraph(
                "Those that told least about the players first. Flipped: one colour won both games; "
                f"swept: one player did.{more} To leave an opening out is for the next run, not for this "
                "one.",
                "note",
            )
        )
    return html.section("Openings", *parts, key="openings")


def _name(opening: Opening) -> str:
    return " ".join(part for part in (opening.eco, opening.name) if part) or opening.fen


def _opening_cells(row: OpeningRow, names: Mapping[str, int]) -> tuple[html.Content, ...]:
    """`names`: how many openings are called so; the position tells those apart."""
    name, position = _name(row.opening), row.opening.fen.split()[0]
    which = f'<br><small class="soft mono">{text_of(position)}</small>' if names[name] > 1 else ""
    label = f'<span title="{text_of(row.opening.fen)}">{text_of(name)}</span>{which}'
    return (
        Markup(label),
        str(row.pairs),
        str(row.flipped),
        str(row.drawn),
        str(row.swept),
        numbers.wdl(row.white),
    )


def faults(found: Standings, records: Sequence[PairRecord]) -> str:
    """Games lost otherwise than by chess; the score with and without the pairs that have any."""
    guilty = [(record, game) for record in records for game in record.games if game.fault is not None]
    games = 2 * len(records)
    if not guilty:
        return html.section(
            "Faults",
            html.paragraph(
                f"Not one of {numbers.counted(games, 'game')} ended by a crash, a stall, an illegal move or "
                "on time."
            ),
            key="faults",
        )
    rows = [
        (
            html.name(row.player),
            ", ".join(f"{number} × {fault}" for fault, number in row.faults) or numbers.NONE,
            numbers.NONE if row.showing is None else numbers.interval(row.showing.score),
            numbers.NONE if row.clean is None else numbers.interval(row.clean.score),
        )
        for row in found.ranked
    ]
    listed = [
        (
            f"{record.spec.index + 1}",
            game.white if game.fault_by == "white" else game.black,
            game.fault or "",
            game.detail or "",
        )
        for record, game in guilty[:MOST_FAULTS]
    ]
    return html.section(
        "Faults",
        html.paragraph(
            f"{numbers.counted(len(guilty), 'game')} of {games} ({len(guilty) / games:.1%}) ended by a "
            "fault. They count as lost; the last column leaves out every pair that has one."
        ),
        html.table(("player", "its faults", "score, all pairs", "score, clean pairs"), rows, texts=(1,)),
        html.folded("One by one", html.table(("pair", "player", "fault", "detail"), listed, texts=(1, 2, 3))),
        key="faults",
    )


def pairings(found: Standings) -> str:
    """Every number about every pairing."""
    rows = [
        (
            html.name(f"{row.first} – {row.second}"),
            numbers.wdl(row.showing.games),
            numbers.pentanomial(row.showing.pairs),
            numbers.interval(row.showing.score),
            numbers.elo(row.showing.elo),
            numbers.elo(row.showing.normalized_elo),
            numbers.chance(row.showing.los),
            numbers.chance(row.showing.p),
            str(row.duplicates or numbers.NONE),
        )
        for row in found.pairings
    ]
    head = ("pairing", "games", "pairs", "score", "Elo", "normalised Elo", "LOS", "p", "duplicates")
    copies = (
        f"{numbers.counted(found.repeated_games, 'game')} repeated an earlier one move for move; the "
        f"{numbers.counted(found.duplicates, 'pair')} with such a game are not counted."
        if found.duplicates
        else "No game repeated another."
    )
    if found.mirrored:
        copies += (
            f" In {numbers.counted(found.mirrored, 'pair')} both games are the same one, with the players on "
            "the other side: they move alike, and such a pair is always even."
        )
    return html.section(
        "Pairings",
        html.table(head, rows),
        html.paragraph(
            "From the view of whoever is named first. Pairs: how many brought 0, ½, 1, 1½ and 2 points. "
            f"{how_sure(found)} Normalised Elo: from {FEW_PAIRS} pairs on, with an interval by Student's t "
            "that allows for the deviation's being an estimate as well. LOS: the likelihood of being the "
            "stronger one. p: of the exact one-sided sign-flip test over pairs, for one pairing that was "
            f"chosen beforehand. {copies}",
            "note",
        ),
        key="pairings",
    )


def what_was_run(found: Standings) -> str:
    header = found.header
    rows: list[tuple[str, html.Content]] = [
        ("players", ", ".join(header.players)),
        ("mode", f"{header.mode}, {numbers.counted(header.pairs, 'colour-swapped pair')} a pairing"),
        ("budget", header.budget),
        ("openings", f"{header.opening_source}, hash {header.openings_hash}"),
        ("seed", str(header.seed)),
        ("ended by", f"{header.adjudication}; a draw after {header.max_plies} plies"),
        ("tablebase", header.tablebase or "none"),
        ("begun", header.created),
        ("version", f"{header.version}, commit {header.commit or 'unknown'}, code {header.code}"),
        (
            "registration",
            Markup(f"<code>{text_of(header.registration)}</code>") if header.registration else "none",
        ),
    ]
    return html.section("What was run", html.definitions(rows), key="run")
