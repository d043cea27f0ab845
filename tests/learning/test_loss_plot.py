"""The plot of losses: a whole SVG file, with both curves and the best epoch where they belong."""

from __future__ import annotations

from xml.etree import ElementTree as Tree

import pytest

from bot.learning.loss_plot import loss_plot
from bot.learning.train import Epoch

SVG = "{http://www.w3.org/2000/svg}"


def epochs(*losses: tuple[float, float]) -> tuple[Epoch, ...]:
    return tuple(
        Epoch(number, 0.001, training, validation, 50.0)
        for number, (training, validation) in enumerate(losses, start=1)
    )


def drawn(found: tuple[Epoch, ...], best: Epoch) -> Tree.Element:
    return Tree.fromstring(loss_plot(found, best))  # noqa: S314  our own


def test_both_curves_go_through_all_epochs_and_the_best_is_marked() -> None:
    found = epochs((0.03, 0.02), (0.01, 0.012), (0.008, 0.0131))
    plot = drawn(found, found[1])

    assert plot.tag == f"{SVG}svg"
    curves = [curve.get("points", "").split(" ") for curve in plot.iter(f"{SVG}polyline")]
    assert [len(curve) for curve in curves] == [3, 3]
    assert [point.split(",")[0] for point in curves[0]] == ["0.00", "50.00", "100.00"]
    heights = [float(point.split(",")[1]) for point in curves[0]]  # the validation's, from the top
    assert heights[0] < heights[2] < heights[1]
    assert heights[0] == 0  # cut off: the axis is that of the later epochs
    (dot,) = plot.iter(f"{SVG}circle")
    assert dot.get("cx") == "50.00%"
    assert dot.findtext(f"{SVG}title") == "best: epoch 2, validation loss 0.012000"
    words = {text.text for text in plot.iter(f"{SVG}text")}
    assert {"validation 0.013100", "training 0.008000", "1", "2", "3"} <= words


def test_names_at_the_ends_of_curves_that_meet_do_not_cover_each_other() -> None:
    found = epochs((0.03, 0.02), (0.01, 0.0100001))
    names = [text for text in drawn(found, found[1]).iter(f"{SVG}text") if text.get("class") == "name"]
    assert len(names) == 2
    assert abs(float(names[0].get("y", "")) - float(names[1].get("y", ""))) >= 15


@pytest.mark.parametrize("count", [1, 2, 30, 400])
def test_any_number_of_epochs_can_be_drawn(count: int) -> None:
    found = epochs(*[(1 / number, 1 / number) for number in range(1, count + 1)])
    marked = [
        text.text
        for text in drawn(found, found[-1]).iter(f"{SVG}text")
        if text.get("text-anchor") == "middle"
    ]
    assert len(marked) <= 12
    assert marked[0] == "1"
    assert marked[-1] == str(max(2, count))
