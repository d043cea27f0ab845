"""The losses of a training, epoch by epoch, as an SVG file that needs nothing else. Pure."""

from __future__ import annotations

from collections.abc import Sequence

from bot.lab.report import svg
from bot.lab.report.style import CSS
from bot.learning.train import Epoch

TOP, HEIGHT = 40.0, 260.0
#: What a page would give to the plot.
PAGE = "svg { font-family: system-ui, sans-serif; } svg .paper { fill: var(--paper); }"


def loss_plot(epochs: Sequence[Epoch], best: Epoch) -> str:
    """`epochs`: at least one, in order; `best`: the one whose parameters were kept.

    The losses of the first epoch are often many times the others: they may be cut off.
    """
    last = max(2, epochs[-1].number)
    across = svg.Axis(1, last, tuple(float(number) for number in _marked(last)))
    curves = {
        "validation": [epoch.validation_loss for epoch in epochs],
        "training": [epoch.training_loss for epoch in epochs],
    }
    shown = 0 if len(epochs) < 3 else 1
    up = svg.linear_axis([loss for losses in curves.values() for loss in losses[shown:]])

    def y_of(loss: float) -> float:
        return TOP + HEIGHT * (1 - up.share(loss))

    body = [
        f"<style>{CSS}{PAGE}</style>",
        svg.rect(0, 0, 100, TOP + HEIGHT + 44, kind="paper"),
        svg.label("0%", 14, "↑ mean loss", "tick"),
    ]
    for tick in up.ticks:
        body.append(svg.line("4%", y_of(tick), "96%", y_of(tick), "grid"))
        body.append(svg.label("4%", y_of(tick) - 4, f"{tick:.6g}", "tick", dx=3))
    for tick in across.ticks:
        body.append(svg.label(across.x(tick), TOP + HEIGHT + 16, f"{tick:g}", "tick", anchor="middle"))
    body.append(svg.label("96%", TOP + HEIGHT + 36, "epoch →", "tick", anchor="end"))
    for name, losses in curves.items():
        points = [
            (100 * across.share(epoch.number), 100 - 100 * up.share(loss))
            for epoch, loss in zip(epochs, losses, strict=True)
        ]
        kind = "course" if name == "validation" else "course open"
        body.append(svg.stretched(svg.polyline(points, kind), top=TOP, height=HEIGHT))
    ends = [y_of(losses[-1]) for losses in curves.values()]
    gap = max(0.0, 16 - abs(ends[0] - ends[1])) / 2
    for (name, losses), y, lower in zip(
        curves.items(), ends, (ends[0] >= ends[1], ends[0] < ends[1]), strict=True
    ):
        shift = (gap if lower else -gap) - 6
        body.append(svg.label("96%", y + shift, f"{name} {losses[-1]:.6f}", "name", anchor="end"))
    told = f"best: epoch {best.number}, validation loss {best.validation_loss:.6f}"
    body.append(svg.dot(across.x(best.number), y_of(best.validation_loss), 5, "dot", told))
    drawn = svg.figure(
        "".join(body), name="loss", title="Loss by epoch", description=told, height=TOP + HEIGHT + 44
    )
    return drawn.replace("<svg ", '<svg xmlns="http://www.w3.org/2000/svg" ', 1) + "\n"


def _marked(last: int) -> list[int]:
    """Some epochs, from the first to the last one."""
    step = max(1, round(last / 10))
    marked = list(range(1, last - step // 2, step))
    return [*marked, last]
