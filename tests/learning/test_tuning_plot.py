"""The plot of a tuning: every parameter's way in steps, and its name with the last value."""

from __future__ import annotations

from dataclasses import replace
from xml.etree import ElementTree as Tree

import pytest

from bot.engine.tunables import TUNABLES
from bot.learning.spsa import Settings, Spsa
from bot.learning.tuning_plot import MOST_POINTS, tuning_plot

SVG = "{http://www.w3.org/2000/svg}"


def drawn(spsa: Spsa) -> Tree.Element:
    return Tree.fromstring(tuning_plot(spsa))  # noqa: S314  our own


def points_of(curve: Tree.Element) -> list[tuple[float, float]]:
    pairs = [point.split(",") for point in curve.get("points", "").split(" ")]
    return [(float(x), float(y)) for x, y in pairs]


def test_each_parameter_goes_the_way_that_it_went() -> None:
    settings = Settings(tuple(replace(each, most=10**6) for each in TUNABLES[:2]), pairs=8, rate=0.25)
    spsa = Spsa(settings)
    spsa.take(4)
    spsa.take(0)
    steps = [
        (spsa.history[-1][place] - tunable.value) / tunable.step
        for place, tunable in enumerate(settings.tunables)
    ]
    plot = drawn(spsa)
    names = [text.text for text in plot.iter(f"{SVG}text") if text.get("class") == "value"]
    there = sorted(zip(steps, settings.tunables, strict=True), key=lambda each: -each[0])
    assert names == [f"{tunable.name} {step:+.2f}" for step, tunable in there]
    for curve, (step, _) in zip(map(points_of, plot.iter(f"{SVG}polyline")), there, strict=True):
        assert [x for x, _ in curve] == [0, 50, 100]
        assert curve[1][1] == curve[2][1]
        assert (curve[0][1] > curve[1][1]) == (step > 0)


@pytest.mark.parametrize("iterations", [0, 1, 2, 399, 400, 5000])
def test_any_number_of_iterations_and_parameters_can_be_drawn(iterations: int) -> None:
    spsa = Spsa(Settings(TUNABLES, pairs=5000, batch=1))
    for _ in range(iterations):
        spsa.take(1)
    plot = drawn(spsa)
    curves = [points_of(curve) for curve in plot.iter(f"{SVG}polyline")]
    assert len(curves) == len(TUNABLES)
    assert {len(curve) for curve in curves} == {min(iterations + 1, len(curves[0]))}
    assert len(curves[0]) <= MOST_POINTS
    assert curves[0][-1][0] == (100 if iterations else 0)
    kinds = [curve.get("class") for curve in plot.iter(f"{SVG}polyline")]
    assert len(set(kinds)) == len(TUNABLES)
