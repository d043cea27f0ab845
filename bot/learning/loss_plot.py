"""The losses of a training, epoch by epoch, as an SVG file that needs nothing else. Pure."""

from __future__ import annotations

from collections.abc import Sequence

from bot.lab.report import svg
from bot.learning.plot_frame import Frame
from bot.learning.train import Epoch


def loss_plot(epochs: Sequence[Epoch], best: Epoch) -> str:
    """`epochs`: at least one, in order; `best`: the one whose parameters were kept.

    The losses of the first epoch are often many times the others: they may be cut off.
    """
    last = max(2, epochs[-1].number)
    curves = {
        "validation": [epoch.validation_loss for epoch in epochs],
        "training": [epoch.training_loss for epoch in epochs],
    }
    shown = 0 if len(epochs) < 3 else 1
    frame = Frame(
        svg.Axis(1, last, tuple(float(number) for number in _marked(last))),
        svg.linear_axis([loss for losses in curves.values() for loss in losses[shown:]]),
        "epoch →",
        "↑ mean loss",
    )
    body = []
    for name, losses in curves.items():
        points = [(epoch.number, loss) for epoch, loss in zip(epochs, losses, strict=True)]
        body.append(frame.curve(points, "course" if name == "validation" else "course open"))
    ends = [frame.y(losses[-1]) for losses in curves.values()]
    gap = max(0.0, 16 - abs(ends[0] - ends[1])) / 2
    for (name, losses), y, lower in zip(
        curves.items(), ends, (ends[0] >= ends[1], ends[0] < ends[1]), strict=True
    ):
        shift = (gap if lower else -gap) - 6
        body.append(svg.label("96%", y + shift, f"{name} {losses[-1]:.6f}", "name", anchor="end"))
    told = f"best: epoch {best.number}, validation loss {best.validation_loss:.6f}"
    body.append(svg.dot(frame.across.x(best.number), frame.y(best.validation_loss), 5, "dot", told))
    return frame.file(
        "".join(body), name="loss", title="Loss by epoch", description=told, tick=lambda loss: f"{loss:.6g}"
    )


def _marked(last: int) -> list[int]:
    """Some epochs, from the first to the last one."""
    step = max(1, round(last / 10))
    marked = list(range(1, last - step // 2, step))
    return [*marked, last]
