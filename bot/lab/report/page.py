"""One run as one HTML page that needs nothing else: no network, no script, no font. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from bot.lab.deviations import Deviation
from bot.lab.records import PairRecord
from bot.lab.registration import EXCLUSION, Registration, SprtTest
from bot.lab.report import html, numbers, plots, sections, tables
from bot.lab.report.html import Markup
from bot.lab.report.style import CSS
from bot.lab.report.svg import text_of
from bot.lab.standings import Standings
from bot.lab.verdict import Finding


@dataclass(frozen=True, slots=True)
class Evidence:
    """What a registered run is judged by. Both None: the registration is not as it was written, and
    `deviations` say so."""

    registration: Registration | None
    finding: Finding | None
    deviations: tuple[Deviation, ...]


def page(found: Standings, records: Sequence[PairRecord], evidence: Evidence | None = None) -> str:
    """`records`: in schedule order. `evidence`: of a run that was registered."""
    finding = None if evidence is None else evidence.finding
    complete = found.finished >= found.planned if finding is None else finding.complete
    parts = [_head(found, complete=complete)]
    if evidence is not None:
        parts.append(_verdict(evidence))
    elif found.header.registration is not None:
        parts.append(
            html.paragraph("This run belongs to a registration, but that is not in its folder: no verdict.")
        )
    parts.append(tables.what_was_run(found))
    if found.pairings:
        parts += [
            sections.ratings(found),
            sections.matrix(found) if len(found.header.players) > 2 else "",
            sections.courses(found, complete=complete),
            sections.cost(found),
            tables.endings(found, records),
            tables.openings(found),
            tables.faults(found, records),
            tables.pairings(found),
        ]
    else:
        parts.append(html.paragraph("No pair has been finished yet."))
    title = text_of(_title(found))
    return (
        '<!doctype html>\n<html lang="en"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<title>{title}</title><style>{CSS}</style></head>"
        f"<body><main>{''.join(parts)}</main></body></html>\n"
    )


def _title(found: Standings) -> str:
    players = found.header.players
    if len(players) == 2:
        return f"{players[0]} against {players[1]}"
    return f"{found.header.mode.capitalize()} of {len(players)} players"


def _head(found: Standings, *, complete: bool) -> str:
    pairs = f"{found.finished} of {numbers.counted(found.planned, 'pair')}"
    state = "not complete"
    if complete:
        state = "complete" if found.finished >= found.planned else "ended early by its test"
    facts = (
        found.header.created[:10],
        f"{pairs}, {2 * found.finished:,} games, {state}",
        f"seed {found.header.seed}",
        f"Knightshift {found.header.version}",
    )
    return f'<h1>{text_of(_title(found))}</h1><p class="soft">{text_of(" · ".join(facts))}</p>'


def _verdict(evidence: Evidence) -> str:
    registration, finding = evidence.registration, evidence.finding
    told = html.bullets(
        Markup(f"<strong>{text_of(each.text)}</strong>") if each.breaks else each.text
        for each in evidence.deviations
    )
    if registration is None or finding is None:
        return f'<div class="card verdict invalid"><p><strong>Invalid</strong></p>{told}</div>'
    word = finding.verdict.capitalize() if finding.complete else "No verdict yet"
    kind = finding.verdict if finding.complete else ""
    proof: list[tuple[str, html.Content]] = [
        ("hypothesis", registration.hypothesis),
        ("registered", f"{registration.created}, commit {registration.run.commit or 'unknown'}"),
        ("hash", Markup(f"<code>{registration.sha256}</code>")),
        ("decision", registration.test.decision),
        ("left out", EXCLUSION),
    ]
    parts = [
        f"<p><strong>{word}</strong>: {text_of(registration.hypothesis)}</p>",
        html.bullets(finding.reasons),
        html.folded("What was registered", html.definitions(proof)),
        "<h3>Deviations from the registration</h3>",
        told or html.paragraph("None."),
    ]
    if finding.llrs and isinstance(registration.test, SprtTest):
        sprt = registration.test.sprt
        parts.append("<h3>Log-likelihood ratio</h3>")
        parts.append(
            plots.walk(
                finding.llrs,
                sprt.lower,
                sprt.upper,
                name="llr",
                title="Log-likelihood ratio over pairs, in the order of the schedule",
            )
        )
        leaning = "An Elo difference after optional stopping leans to the side that won."
        parts.append(html.paragraph(leaning, "note"))
    return f'<div class="card verdict {kind}">{"".join(parts)}</div>'
