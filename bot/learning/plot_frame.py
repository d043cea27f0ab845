"""What the plots of learning share: an SVG file that needs nothing else, with axes and a grid. Pure."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from bot.lab.report import svg
from bot.lab.report.style import CSS

TOP, HEIGHT = 40.0, 260.0
#: What a page would give to the plot.
PAGE = "svg { font-family: system-ui, sans-serif; } svg .paper { fill: var(--paper); }"
#: Below the field: for the axis.
BELOW = 44.0


@dataclass(frozen=True, slots=True)
class Frame:
    """A field with two axes; `across_name` and `up_name` stand beside them."""

    across: svg.Axis
    up: svg.Axis
    across_name: str
    up_name: str

    def y(self, value: float) -> float:
        """In pixels, from the top of the plot."""
        return TOP + HEIGHT * (1 - self.up.share(value))

    def curve(self, points: Sequence[tuple[float, float]], kind: str) -> str:
        """Through these values of both axes."""
        shares = [(100 * self.across.share(x), 100 - 100 * self.up.share(y)) for x, y in points]
        return svg.stretched(svg.polyline(shares, kind), top=TOP, height=HEIGHT)

    def file(
        self,
        body: str,
        *,
        name: str,
        title: str,
        description: str,
        tick: Callable[[float], str],
        style: str = "",
        more_height: float = 0.0,
    ) -> str:
        """The whole file, with `body` on the grid. `tick`: how the values of the upright axis are written;
        `more_height`: pixels below the axis."""
        height = TOP + HEIGHT + BELOW + more_height
        parts = [
            f"<style>{CSS}{PAGE}{style}</style>",
            svg.rect(0, 0, 100, height, kind="paper"),
            svg.label("0%", 14, self.up_name, "tick"),
        ]
        for value in self.up.ticks:
            parts.append(svg.line("4%", self.y(value), "96%", self.y(value), "grid"))
            parts.append(svg.label("4%", self.y(value) - 4, tick(value), "tick", dx=3))
        for value in self.across.ticks:
            x = self.across.x(value)
            parts.append(svg.label(x, TOP + HEIGHT + 16, f"{value:g}", "tick", anchor="middle"))
        parts.append(svg.label("96%", TOP + HEIGHT + 36, self.across_name, "tick", anchor="end"))
        drawn = svg.figure(
            "".join([*parts, body]), name=name, title=title, description=description, height=height
        )
        return drawn.replace("<svg ", '<svg xmlns="http://www.w3.org/2000/svg" ', 1) + "\n"
