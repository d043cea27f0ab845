from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.lab.report import svg


@given(st.lists(st.floats(-4000, 4000), min_size=1))
def test_a_linear_axis_holds_its_values_between_its_ticks(values: list[float]) -> None:
    axis = svg.linear_axis(values)

    assert axis.low <= min(values) + 1e-6
    assert axis.high >= max(values) - 1e-6
    assert axis.ticks[0] == axis.low
    assert axis.ticks[-1] == axis.high
    assert 2 <= len(axis.ticks) <= 8


@given(st.lists(st.floats(0.01, 1e6), min_size=1))
def test_a_logarithmic_axis_holds_its_values(values: list[float]) -> None:
    axis = svg.log_axis(values)

    assert axis.low < min(values)
    assert axis.high > max(values)
    assert all(axis.low <= tick <= axis.high for tick in axis.ticks)


def test_equal_ratios_are_equally_far_apart_on_a_logarithmic_axis() -> None:
    axis = svg.Axis(1, 100, (), log=True)

    assert [axis.share(value) for value in (1, 10, 100)] == pytest.approx([0, 0.5, 1])


def test_text_cannot_become_markup() -> None:
    drawn = svg.figure(svg.label("0%", 1, '<b>"&'), name="x", title="<t>", description="<d>", height=10)

    assert "<b>" not in drawn
    assert "&lt;b&gt;&quot;&amp;" in drawn
    assert '<title id="x-t">&lt;t&gt;</title>' in drawn
