"""How each parameter of a tuning went, in its steps away from where it began, as an SVG file. Pure."""

from __future__ import annotations

import math

from bot.lab.report import svg
from bot.learning.plot_frame import BELOW, HEIGHT, TOP, Frame
from bot.learning.spsa import Spsa

#: Colours of the style sheet; the next so many parameters have them again, dashed, and so on.
COLOURS = 10
DASHES = ("none", "7 4", "2 3", "9 3 2 3")
#: Of a curve, however many iterations there were.
MOST_POINTS = 400
#: Of the list below the field: columns, where they begin in percent, and a line's height in pixels.
COLUMN_X = (4.0, 36.0, 68.0)
LINE = 20.0
STYLE = (
    "svg .way { fill: none; stroke-width: 2; vector-effect: non-scaling-stroke; }"
    + "".join(f"svg .way-{colour} {{ stroke: var(--c{colour}); }}" for colour in range(COLOURS))
    + "".join(f"svg .dash-{dash} {{ stroke-dasharray: {DASHES[dash]}; }}" for dash in range(len(DASHES)))
)


def tuning_plot(spsa: Spsa) -> str:
    """All there is so far. Below the field stand the parameters with their last values, from the one that has
    gone up most to the one that has gone down most."""
    settings = spsa.settings
    shown = _some(spsa.iterations)
    pairs = [min(iteration * settings.batch, settings.pairs) for iteration in shown]
    ways = {
        tunable.name: [(spsa.history[iteration][place] - tunable.value) / tunable.step for iteration in shown]
        for place, tunable in enumerate(settings.tunables)
    }
    across = svg.linear_axis([0.0, float(max(1, pairs[-1]))])
    frame = Frame(
        svg.Axis(0, max(1, pairs[-1]), tuple(tick for tick in across.ticks if tick <= max(1, pairs[-1]))),
        svg.linear_axis([0.0, *(value for way in ways.values() for value in way)]),
        "pairs of games →",
        "↑ change in steps",
    )
    body = [svg.line("4%", frame.y(0), "96%", frame.y(0), "zero")]
    last = sorted(ways, key=lambda name: -ways[name][-1])
    rows = math.ceil(len(last) / len(COLUMN_X))
    for number, name in enumerate(last):
        kind = f"way way-{number % COLOURS} dash-{number // COLOURS % len(DASHES)}"
        told = f"{name} {ways[name][-1]:+.2f}"
        curve = frame.curve(list(zip(pairs, ways[name], strict=True)), kind)
        body.append(f"<g><title>{svg.text_of(told)}</title>{curve}</g>")
        x, y = COLUMN_X[number // rows], TOP + HEIGHT + BELOW + LINE * (number % rows + 0.5)
        body.append(svg.line(f"{x:g}%", y, f"{x + 3:g}%", y, kind))
        body.append(svg.label(f"{x + 4:g}%", y + 4, told, "value"))
    described = f"{len(last)} parameters over {pairs[-1]} pairs of games: {', '.join(last)}"
    return frame.file(
        "".join(body),
        name="tuning",
        title="Parameters by pairs of games",
        description=described,
        tick=lambda value: f"{value:+g}" if value else "0",
        style=STYLE,
        more_height=LINE * rows + 10,
    )


def _some(iterations: int) -> list[int]:
    """At most MOST_POINTS of 0 to `iterations`, with both ends."""
    step = max(1, math.ceil(iterations / (MOST_POINTS - 1)))
    shown = list(range(0, iterations, step))
    return [*shown, iterations]
