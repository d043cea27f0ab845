"""The plots of a report, each from plain values to one SVG. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from bot.lab.report import svg
from bot.lab.report.svg import Axis

ROW = 46
#: Labels in a plot have at most so many letters; the tables have them whole.
LABEL = 26


@dataclass(frozen=True, slots=True)
class Whisker:
    """One estimate. `value` None: there is none, only a bound. `low` or `high` None: no bound on that side.
    `text` says the same in words."""

    label: str
    value: float | None
    low: float | None
    high: float | None
    text: str


@dataclass(frozen=True, slots=True)
class Spot:
    """One player in a plane: `x` above 0. `number` is written into the mark. `best`: nobody has less `x` and
    more `y`."""

    number: int
    label: str
    x: float
    y: float
    best: bool
    text: str


@dataclass(frozen=True, slots=True)
class Course:
    """The score after each of the first `at` pairs in schedule order, with its interval; `planned` pairs in
    all."""

    label: str
    at: tuple[int, ...]
    score: tuple[float, ...]
    low: tuple[float, ...]
    high: tuple[float, ...]
    planned: int
    complete: bool

    @property
    def played(self) -> int:
        return self.at[-1] if self.at else 0


@dataclass(frozen=True, slots=True)
class Bar:
    """One bar of parts: (name, count); the names are those of the whole plot, in its order."""

    label: str
    parts: tuple[tuple[str, int], ...]


def short(text: str, most: int = LABEL) -> str:
    """`text`, or its beginning, "…" and its end: of two variants of one player the ends differ."""
    if len(text) <= most:
        return text
    tail = most * 2 // 5
    return f"{text[: most - 1 - tail]}…{text[-tail:]}"


def whiskers(rows: Sequence[Whisker], *, name: str, title: str, scale: str) -> str:
    """Estimates under one another, each with its interval; an arrow where there is no bound. `scale` is
    written under the axis. The grid is left out where words stand."""
    known = [bound for row in rows for bound in (row.value, row.low, row.high) if bound is not None]
    axis = svg.linear_axis([*known, 0.0])
    bottom = 14 + ROW * len(rows)
    body = [
        *(
            svg.line(axis.x(tick), top, axis.x(tick), top + 20, "zero" if tick == 0 else "grid")
            for tick in axis.ticks
            for top in range(28, 28 + ROW * len(rows), ROW)
        ),
        *(
            svg.label(
                axis.x(tick),
                bottom + 16,
                f"{tick:+g}".replace("-", "−") if tick else "0",
                "tick",
                anchor="middle",
            )
            for tick in axis.ticks
        ),
        svg.label("50%", bottom + 36, scale, "tick", anchor="middle"),
    ]
    for place, row in enumerate(rows):
        top = 10 + ROW * place
        body += [
            svg.label("0%", top + 12, short(row.label), "name"),
            svg.label("100%", top + 12, row.text, "value", anchor="end"),
            _whisker(row, axis, top + 27),
        ]
    return svg.figure(
        "".join(body),
        name=name,
        title=title,
        description="; ".join(f"{row.label}: {row.text}" for row in rows),
        height=bottom + 44,
    )


def _whisker(row: Whisker, axis: Axis, y: float) -> str:
    low = axis.low if row.low is None else row.low
    high = axis.high if row.high is None else row.high
    if row.value is None and row.low is None and row.high is None:
        return ""
    parts = [svg.line(axis.x(low), y, axis.x(high), y, "whisker")]
    for bound, end, sign in ((row.low, low, "◂"), (row.high, high, "▸")):
        if bound is None:
            parts.append(svg.label(axis.x(end), y + 5, sign, "arrow", anchor="middle"))
        else:
            parts.append(svg.line(axis.x(end), y - 5, axis.x(end), y + 5, "whisker"))
    if row.value is not None:
        parts.append(svg.dot(axis.x(row.value), y, 6, "dot", f"{row.label}: {row.text}"))
    return "".join(parts)


def course(found: Course, *, name: str, title: str) -> str:
    """The score over pairs. As long as pairs are owed the band is grey: it holds at the end alone."""
    top, height = 8.0, 150.0
    last = max(found.planned, found.played)
    xs = [100 * number / last for number in found.at]
    band = [
        *((x, 100 - 100 * high) for x, high in zip(xs, found.high, strict=True)),
        *reversed([(x, 100 - 100 * low) for x, low in zip(xs, found.low, strict=True)]),
    ]
    centre = [(x, 100 - 100 * score) for x, score in zip(xs, found.score, strict=True)]
    body = [
        svg.line(
            "4%",
            top + height * (1 - level),
            "96%",
            top + height * (1 - level),
            "zero" if level == 0.5 else "grid",
        )
        for level in (0, 0.25, 0.5, 0.75, 1)
    ]
    body.append(
        svg.stretched(
            svg.polygon(band, "band" if found.complete else "band open")
            + svg.polyline(centre, "course" if found.complete else "course open"),
            top=top,
            height=height,
        )
    )
    body += [
        svg.label("4%", top + height * (1 - level) + drop, f"{level:.0%}", "tick", dx=3)
        for level, drop in ((1, 13), (0.5, -4), (0, -4))
    ]
    ends = Axis(0, last, ())
    if found.score:
        y, x = top + height * (1 - found.score[-1]), ends.x(found.played)
        if found.complete:
            body.append(
                svg.line(
                    x, top + height * (1 - found.low[-1]), x, top + height * (1 - found.high[-1]), "whisker"
                )
            )
        body.append(svg.dot(x, y, 5, "dot" if found.complete else "dot open"))
    body += [
        svg.label("4%", top + height + 16, "pair 1", "tick"),
        svg.label("96%", top + height + 16, f"pair {last}", "tick", anchor="end"),
    ]
    state = "all pairs are in" if found.complete else f"{found.played} of {found.planned} pairs are in"
    now = f"{found.score[-1]:.1%} ({found.low[-1]:.1%} to {found.high[-1]:.1%}), " if found.score else ""
    return svg.figure(
        "".join(body),
        name=name,
        title=title,
        description=f"{found.label}: {now}{state}",
        height=top + height + 24,
    )


def walk(llrs: Sequence[float], lower: float, upper: float, *, name: str, title: str) -> str:
    """The log-likelihood ratio after each pair (one at least), between its bounds."""
    top, height = 20.0, 160.0
    up = svg.linear_axis([*llrs, lower, upper])
    last = len(llrs)

    def y_of(value: float) -> float:
        return top + height * (1 - up.share(value))

    body = [
        *(svg.line("4%", y_of(bound), "96%", y_of(bound), "bound") for bound in (lower, upper)),
        svg.line("4%", y_of(0), "96%", y_of(0), "zero"),
        svg.label("4%", y_of(upper) - 4, f"accepted from {upper:.2f} on", "tick", dx=3),
        svg.label("4%", y_of(lower) + 13, f"rejected from {lower:.2f} on".replace("-", "−"), "tick", dx=3),
    ]
    points = [(0.0, 100 - 100 * up.share(0))]
    points += [(100 * place / last, 100 - 100 * up.share(llr)) for place, llr in enumerate(llrs, start=1)]
    body.append(svg.stretched(svg.polyline(points, "course"), top=top, height=height))
    body += [
        svg.dot("96%", y_of(llrs[-1]), 5, "dot"),
        svg.label("4%", top + height + 16, "pair 0", "tick"),
        svg.label("96%", top + height + 16, f"pair {last}", "tick", anchor="end"),
    ]
    described = f"{llrs[-1]:.3f} after {last} pairs; bounds {lower:.3f} and {upper:.3f}"
    return svg.figure("".join(body), name=name, title=title, description=described, height=top + height + 24)


def plane(spots: Sequence[Spot], *, name: str, title: str, x_label: str, y_label: str) -> str:
    """Cost against strength; those that nobody beats in both are joined."""
    top, height = 40.0, 300.0
    across = svg.log_axis(spot.x for spot in spots)
    up = svg.linear_axis([spot.y for spot in spots])

    def y_of(value: float) -> float:
        return top + height * (1 - up.share(value))

    body = [svg.label("0%", 12, f"↑ {y_label}", "tick")]
    for tick in up.ticks:
        body.append(svg.line("4%", y_of(tick), "96%", y_of(tick), "zero" if tick == 0 else "grid"))
        body.append(svg.label("4%", y_of(tick) - 4, f"{tick:g}".replace("-", "−"), "tick", dx=3))
    for tick in across.ticks:
        body.append(svg.line(across.x(tick), top, across.x(tick), top + height, "grid"))
        body.append(svg.label(across.x(tick), top + height + 16, f"{tick:g}", "tick", anchor="middle"))
    body.append(svg.label("96%", top + height + 36, f"{x_label} →", "tick", anchor="end"))
    edge = sorted((100 * across.share(spot.x), 100 - 100 * up.share(spot.y)) for spot in spots if spot.best)
    if len(edge) > 1:
        body.append(svg.stretched(svg.polyline(edge, "edge"), top=top, height=height))
    for spot in spots:
        x, y = across.x(spot.x), y_of(spot.y)
        left = across.share(spot.x) > 0.6
        body += [
            svg.dot(x, y, 11, "dot" if spot.best else "dot beaten", f"{spot.label}: {spot.text}"),
            svg.label(x, y + 4, str(spot.number), "number", anchor="middle"),
            svg.label(
                x,
                y - 14 if y > top + 20 else y + 26,
                short(spot.label, 30),
                "beside",
                anchor="end" if left else "start",
            ),
        ]
    return svg.figure(
        "".join(body),
        name=name,
        title=title,
        description="; ".join(f"{spot.number} {spot.label}: {spot.text}" for spot in spots),
        height=top + height + 44,
    )


def bars(rows: Sequence[Bar], *, name: str, title: str, names: Sequence[str]) -> str:
    """Bars of equal length, in parts; colours are by the place of a part's name in `names`."""
    body = []
    for place, row in enumerate(rows):
        top = 4 + ROW * place
        total = sum(count for _, count in row.parts) or 1
        body.append(svg.label("0%", top + 12, short(row.label, 44), "name"))
        x = 0.0
        for part, count in row.parts:
            width = 100 * count / total
            if not count:
                continue
            kind = f"part part-{names.index(part) % 10}"
            body.append(
                svg.rect(x, top + 19, width, 18, kind=kind, title=f"{row.label}: {part} {count} of {total}")
            )
            if width >= 6:
                body.append(
                    svg.label(f"{x + width / 2:.2f}%", top + 32, str(count), "in-part", anchor="middle")
                )
            x += width
    described = "; ".join(
        f"{row.label}: {', '.join(f'{part} {count}' for part, count in row.parts if count)}" for row in rows
    )
    return svg.figure(
        "".join(body), name=name, title=title, description=described, height=8 + ROW * len(rows)
    )
