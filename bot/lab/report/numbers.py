"""Numbers as a reader wants them: no more digits than there is knowledge, and no number where there is
none."""

from __future__ import annotations

from bot.lab.report.html import Markup
from bot.lab.report.svg import text_of
from bot.lab.stats.counts import Pentanomial, Wdl
from bot.lab.stats.elo import Estimate
from bot.lab.stats.intervals import Interval

NONE = "–"


def elo(estimate: Estimate) -> str:
    """`+35 (−12 to +83)`, with a true minus."""
    return str(estimate).replace("-", "−")


def elo_lines(estimate: Estimate) -> Markup:
    """The same, with the interval beneath where there is little room."""
    value, bracket, bounds = elo(estimate).partition(" (")
    return Markup(f"{text_of(value)} <small>({text_of(bounds)}</small>" if bracket else text_of(value))


def percent(share: float) -> str:
    return f"{share:.1%}"


def interval(found: Interval) -> str:
    return f"{found.value:.1%} ({found.low:.1%} to {found.high:.1%})"


def chance(p: float) -> str:
    """A probability; never exactly 0 or 1, which no sample shows."""
    if p < 0.001:
        return "< 0.001"
    return "> 0.999" if p > 0.999 else f"{p:.3f}"


def milliseconds(value: float | None) -> str:
    if value is None:
        return NONE
    return f"{value:.1f}" if value < 9.95 else f"{value:,.0f}"


def count(value: float | None) -> str:
    return NONE if value is None else f"{value:,.0f}"


def wdl(games: Wdl) -> str:
    return f"+{games.won} ={games.drawn} −{games.lost}"


def pentanomial(pairs: Pentanomial) -> str:
    """As engine developers write it, from two losses to two wins."""
    return f"[{', '.join(map(str, pairs.counts))}]"


def counted(number: int, noun: str) -> str:
    """`1 pair`, `2 pairs`."""
    return f"{number:,} {noun}" if number == 1 else f"{number:,} {noun}s"
