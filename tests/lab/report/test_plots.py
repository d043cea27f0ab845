from __future__ import annotations

from xml.etree import ElementTree as Tree

import pytest

from bot.lab.report import plots
from bot.lab.report.plots import Bar, Course, Spot, Whisker

WHISKERS = (
    Whisker("strong", 200.0, 150.0, 260.0, "+200 (+150 to +260)"),
    Whisker("unbeaten", None, 300.0, None, "> +300"),
    Whisker("unknown", None, None, None, "unknown"),
)


def drawn(text: str) -> Tree.Element:
    return Tree.fromstring(text)  # noqa: S314  our own


def test_a_whisker_has_its_ends_its_dot_and_its_words() -> None:
    plot = drawn(plots.whiskers(WHISKERS, name="w", title="T", scale="Elo above random"))

    assert len(plot.findall("circle")) == 1
    assert {"+200 (+150 to +260)", "> +300", "unknown"} <= {text.text for text in plot.iter("text")}
    assert plot.findtext("desc") == "strong: +200 (+150 to +260); unbeaten: > +300; unknown: unknown"


def test_what_has_no_bound_has_an_arrow_and_what_is_unknown_has_nothing() -> None:
    plot = drawn(plots.whiskers(WHISKERS, name="w", title="T", scale="Elo above random"))

    assert [text.text for text in plot.iter("text") if text.get("class") == "arrow"] == ["▸"]
    assert len([line for line in plot.iter("line") if line.get("class") == "whisker"]) == 5


def test_no_line_of_the_grid_goes_through_the_words_of_a_whisker() -> None:
    """`+232 (+110 to +417)` stood on the lines of the grid."""
    plot = drawn(plots.whiskers(WHISKERS, name="w", title="T", scale="Elo above random"))
    words = [float(text.get("y", "")) for text in plot.iter("text") if text.get("class") in ("name", "value")]
    spans = [
        (float(line.get("y1", "")), float(line.get("y2", "")))
        for line in plot.iter("line")
        if line.get("class") in ("grid", "zero")
    ]

    assert words
    assert spans
    assert not [
        (y, span) for y in words for span in spans if span[0] < y < span[1] or span[0] < y - 9 < span[1]
    ]


@pytest.mark.parametrize(("complete", "band"), [(True, "band"), (False, "band open")])
def test_as_long_as_pairs_are_owed_the_band_is_grey(complete: bool, band: str) -> None:
    course = Course("A – B", (1, 2), (1.0, 0.5), (0.2, 0.1), (1.0, 0.9), planned=4, complete=complete)
    plot = drawn(plots.course(course, name="c", title="T"))

    assert [polygon.get("class") for polygon in plot.iter("polygon")] == [band]


def test_a_course_ends_where_its_last_pair_is() -> None:
    course = Course("A – B", (1, 2), (1.0, 0.5), (0.2, 0.1), (1.0, 0.9), planned=4, complete=False)
    plot = drawn(plots.course(course, name="c", title="T"))
    (line,) = plot.iter("polyline")

    assert line.get("points") == "25.00,0.00 50.00,50.00"
    assert "2 of 4 pairs are in" in (plot.findtext("desc") or "")


def test_only_the_best_spots_are_joined() -> None:
    spots = (
        Spot(1, "dear", 100.0, 300.0, best=True, text="a"),
        Spot(2, "cheap", 1.0, 0.0, best=True, text="b"),
        Spot(3, "bad", 100.0, 0.0, best=False, text="c"),
    )
    plot = drawn(plots.plane(spots, name="p", title="T", x_label="ms", y_label="Elo"))
    (edge,) = plot.iter("polyline")

    assert len((edge.get("points") or "").split()) == 2
    assert [dot.get("class") for dot in plot.iter("circle")] == ["dot", "dot", "dot beaten"]


def test_the_parts_of_a_bar_fill_it() -> None:
    plot = drawn(
        plots.bars(
            [Bar("all", (("mate", 3), ("none", 0), ("draw", 1)))],
            name="b",
            title="T",
            names=("mate", "none", "draw"),
        )
    )
    widths = [float((rect.get("width") or "").rstrip("%")) for rect in plot.iter("rect")]

    assert widths == [75.0, 25.0]


@pytest.mark.parametrize(
    ("text", "shown"),
    [("short", "short"), ("uci:stockfish:UCI_Elo=2000,nodes=10000", "uci:stockfish:U…odes=10000")],
)
def test_a_long_label_keeps_both_its_ends(text: str, shown: str) -> None:
    assert plots.short(text) == shown


def test_a_walk_goes_from_nothing_to_its_last_pair() -> None:
    plot = drawn(plots.walk((0.5, 1.5, 3.0), -3.0, 3.0, name="l", title="T"))
    (line,) = plot.iter("polyline")
    points = (line.get("points") or "").split()

    assert (points[0], points[-1]) == ("0.00,50.00", "100.00,12.50")
    assert len([each for each in plot.iter("line") if each.get("class") == "bound"]) == 2
