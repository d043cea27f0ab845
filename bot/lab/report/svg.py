"""Drawing: axes, and the few SVG elements that the plots are made of. Pure.

A plot is as wide as its column: positions from left to right are percentages, from top to bottom pixels, so
that text keeps its size on a phone. Colours are classes of the page's style sheet.
"""

from __future__ import annotations

import html
import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

#: Percent of the width that stays free on either side, for what stands at the ends of an axis.
MARGIN = 4.0
#: Steps between two ticks, times a power of ten.
NICE = (1.0, 2.0, 2.5, 5.0, 10.0)
#: Ticks at which a logarithmic axis of few decades is marked, times a power of ten.
NICE_LOG = (1.0, 2.0, 5.0)


@dataclass(frozen=True, slots=True)
class Axis:
    """From `low` to `high` (low < high; both above 0 on a logarithmic one), marked at `ticks`."""

    low: float
    high: float
    ticks: tuple[float, ...]
    log: bool = False

    def share(self, value: float) -> float:
        """Where `value` is: 0 at `low`, 1 at `high`; what lies beyond is put at the end."""
        low, high, value = (
            (map(math.log, (self.low, self.high, max(value, self.low))))
            if self.log
            else (
                self.low,
                self.high,
                value,
            )
        )
        return min(1.0, max(0.0, (value - low) / (high - low)))

    def x(self, value: float) -> str:
        """As a percentage of the width, between the margins."""
        return f"{MARGIN + self.share(value) * (100 - 2 * MARGIN):.2f}%"


def linear_axis(values: Iterable[float], *, ticks: int = 5) -> Axis:
    """Holds all `values`; its ends are ticks. Some three to `ticks` + 2 of these."""
    found = list(values) or [0.0]
    low, high = min(found), max(found)
    if high - low < 1e-9:
        low, high = low - 1, high + 1
    step = _nice_step((high - low) / ticks)
    first, last = math.floor(low / step + 1e-9), math.ceil(high / step - 1e-9)
    return Axis(first * step, last * step, tuple(number * step for number in range(first, last + 1)))


def log_axis(values: Iterable[float]) -> Axis:
    """Holds all `values` above 0, with a little room; marked at 1, 2 and 5 times powers of ten, or at those
    alone."""
    found = [value for value in values if value > 0] or [1.0]
    low, high = min(found) / 1.3, max(found) * 1.3
    decades = range(math.floor(math.log10(low)), math.ceil(math.log10(high)) + 1)
    marks = NICE_LOG if len(decades) <= 3 else (1.0,)
    ticks = tuple(mark * 10.0**decade for decade in decades for mark in marks)
    return Axis(low, high, tuple(tick for tick in ticks if low <= tick <= high), log=True)


def text_of(value: object) -> str:
    """Fit for the text of an element and for an attribute in quotes."""
    return html.escape(str(value), quote=True)


def figure(body: str, *, name: str, title: str, description: str, height: float) -> str:
    """A plot `height` pixels high. `title` and `description` are for those who do not see it; `name` must be
    its own on the page."""
    key = text_of(name)
    return (
        f'<svg class="plot" width="100%" height="{height:g}" role="img" aria-labelledby="{key}-t {key}-d">'
        f'<title id="{key}-t">{text_of(title)}</title><desc id="{key}-d">{text_of(description)}</desc>'
        f"{body}</svg>"
    )


def line(x1: str, y1: float, x2: str, y2: float, kind: str) -> str:
    return f'<line class="{kind}" x1="{x1}" y1="{y1:g}" x2="{x2}" y2="{y2:g}"/>'


def label(x: str, y: float, text: str, kind: str = "", *, anchor: str = "start", dx: float = 0) -> str:
    classes = f' class="{kind}"' if kind else ""
    shift = f' dx="{dx:g}"' if dx else ""
    return f'<text{classes} x="{x}" y="{y:g}"{shift} text-anchor="{anchor}">{text_of(text)}</text>'


def dot(x: str, y: float, radius: float, kind: str, title: str = "") -> str:
    inner = f"<title>{text_of(title)}</title>" if title else ""
    return f'<circle class="{kind}" cx="{x}" cy="{y:g}" r="{radius:g}">{inner}</circle>'


def rect(x: float, y: float, width: float, height: float, *, kind: str, title: str = "") -> str:
    """`x` and `width` in percent of the whole width, the others in pixels."""
    inner = f"<title>{text_of(title)}</title>" if title else ""
    return (
        f'<rect class="{kind}" x="{x:.2f}%" y="{y:g}" width="{width:.2f}%" height="{height:g}">{inner}</rect>'
    )


def stretched(body: str, *, top: float, height: float) -> str:
    """A field of 100 by 100 units, pulled to the plot's width between the margins: for `polyline` and
    `polygon`."""
    return (
        f'<svg x="{MARGIN:g}%" y="{top:g}" width="{100 - 2 * MARGIN:g}%" height="{height:g}" '
        f'viewBox="0 0 100 100" preserveAspectRatio="none" aria-hidden="true">{body}</svg>'
    )


def polyline(points: Sequence[tuple[float, float]], kind: str) -> str:
    return f'<polyline class="{kind}" points="{_points(points)}"/>'


def polygon(points: Sequence[tuple[float, float]], kind: str) -> str:
    return f'<polygon class="{kind}" points="{_points(points)}"/>'


def _points(points: Sequence[tuple[float, float]]) -> str:
    return " ".join(f"{x:.2f},{y:.2f}" for x, y in points)


def _nice_step(least: float) -> float:
    power = 10.0 ** math.floor(math.log10(least))
    return next(step for step in (nice * power for nice in NICE) if step >= least - 1e-12)
