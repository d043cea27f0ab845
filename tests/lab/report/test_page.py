from __future__ import annotations

import re
from functools import cache
from html.parser import HTMLParser

import pytest

from bot.lab.deviations import Deviation
from bot.lab.records import PairRecord, RunHeader
from bot.lab.registration import FixedTest, Registration, SprtTest
from bot.lab.report.html import name
from bot.lab.report.page import Evidence, page
from bot.lab.standings import standings
from bot.lab.stats.sprt import Sprt
from bot.lab.verdict import judge
from tests.lab import run_kit

FEW = 200
STRENGTHS = {"random": 0.0, "greedy": 100.0, "<b>own</b>:x=1": 200.0}


def shown(header: RunHeader, records: tuple[PairRecord, ...], evidence: Evidence | None = None) -> str:
    return page(standings(header, records, resamples=FEW), records, evidence)


@cache
def of_three() -> str:
    header = run_kit.header(*STRENGTHS, mode="round-robin", pairs=12)
    records = list(run_kit.scattered(header, STRENGTHS))
    records[0] = run_kit.pair(records[0].spec, 0, fault="crash")
    return shown(header, tuple(records))


class Outline(HTMLParser):
    """Collects what the page would load, its headings, and whether its elements close."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.loads: list[str] = []
        self.headings: list[str] = []
        self.open: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.loads += [value or "" for name, value in attrs if name in ("src", "href", "xlink:href")]
        if tag in ("script", "link", "img", "iframe"):
            self.loads.append(tag)
        if tag not in ("meta", "br", "wbr"):
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        pass

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        if self.open and self.open[-1] == "h2":
            self.headings.append(data)


def test_the_page_needs_nothing_else_and_is_well_formed() -> None:
    outline = Outline(of_three())

    assert outline.loads == []
    assert outline.open == []
    assert "url(" not in of_three()


def test_it_has_all_its_sections() -> None:
    assert Outline(of_three()).headings == [
        "What was run",
        "Ratings",
        "Who beats whom",
        "Score over pairs",
        "Cost against strength",
        "How games ended",
        "Openings",
        "Faults",
        "Pairings",
    ]


def test_names_of_players_are_never_markup() -> None:
    assert "<b>own</b>" not in of_three()
    assert "&lt;b&gt;own&lt;/b&gt;:x=1" in of_three().replace("<wbr/>", "")


def test_a_name_breaks_behind_its_marks_and_nowhere_else() -> None:
    """On a phone `classical:nodes=3000` was `classical:no` and `des=3000`."""
    assert name("classical:nodes=3000").text == "classical:<wbr/>nodes=3000"
    assert name("depth_by_space").text == "depth_<wbr/>by_<wbr/>space"


def test_that_there_is_no_one_scale_is_said_before_the_ranking() -> None:
    header = run_kit.header("A", "B", "C", mode="round-robin", pairs=2)
    text = shown(header, run_kit.played(header, (2, 2, 1, 2, 2, 1)))

    assert 0 < text.index("do not put everybody on one scale") < text.index("Ratings with 95 % intervals")


def test_both_tables_of_elo_say_what_their_intervals_are() -> None:
    header = run_kit.header("A", "B", pairs=12)
    match, three = shown(header, run_kit.played(header, (2, 1, 0) * 4)), of_three()

    for text in (match, three):
        for key in ("ratings", "pairings"):
            section = text[text.index(f'<section id="{key}">') :].partition("</section>")[0]
            assert "Student&#x27;s t" in section
            assert ("bootstrap" in section) is (text is three)


def test_what_the_ratings_follow_exactly_has_no_deviation() -> None:
    """Three players, all pairs drawn: the matrix said 0.0 standard deviations, as if that were a result."""
    header = run_kit.header("A", "B", "C", mode="round-robin", pairs=2)
    text = shown(header, run_kit.played(header, (1,) * 6))

    assert "0.0 σ" not in text
    assert '<small class="residual">–</small>' in text


def test_there_is_no_number_that_is_none() -> None:
    assert not re.search(r"\b(nan|inf|None)\b", of_three())


def test_every_plot_has_a_title_and_a_description_of_its_own() -> None:
    named = re.findall(r'aria-labelledby="(\S+) (\S+)"', of_three())
    ids = re.findall(r' id="(\S+?)"', of_three())

    assert len(named) == 6
    assert {each for pair in named for each in pair} <= set(ids)
    assert len(ids) == len(set(ids))


def test_a_fault_is_named_and_the_score_without_it_is_beside() -> None:
    assert "1 × crash" in of_three()
    assert "score, clean pairs" in of_three()
    assert "it broke" in of_three()


def test_a_match_has_no_matrix() -> None:
    header = run_kit.header("A", "B", pairs=3)

    assert "Who beats whom" not in shown(header, run_kit.played(header, (2, 1, 0)))


@pytest.mark.parametrize("scores", [(), (2,), (2, 2, 2), (1, 1, 1)])
def test_few_and_perfect_scores_print_something_true(scores: tuple[float, ...]) -> None:
    header = run_kit.header("A", "B", pairs=3)
    text = shown(header, run_kit.played(header, scores))

    assert Outline(text).open == []
    assert not re.search(r"\b(nan|inf|None)\b", text)


def test_an_unfinished_run_says_so_and_is_grey() -> None:
    header = run_kit.header("A", "B", pairs=5)
    text = shown(header, run_kit.played(header, (2, 1, 0)))

    assert "3 of 5 pairs" in text
    assert "Pairs are still owed" in text
    assert 'class="band open"' in text


def registered(*scores: float, deviation: Deviation | None = None) -> str:
    header = run_kit.header("A", "B", pairs=8, registration="ab" * 32)
    records = run_kit.played(header, scores)
    registration = Registration(header.created, "A beats B", FixedTest(8), header, {})
    finding = judge(
        registration.test, records, broken=[deviation.text] if deviation and deviation.breaks else ()
    )
    return shown(header, records, Evidence(registration, finding, (deviation,) if deviation else ()))


def test_a_registered_run_shows_its_verdict_and_its_proof() -> None:
    text = registered(*(2,) * 8)

    assert "<strong>Accepted</strong>: A beats B" in text
    assert "Deviations from the registration</h3><p>None.</p>" in text
    assert "sign-flip" in text


def test_deviations_are_listed() -> None:
    assert "<li>looked at</li>" in registered(*(2,) * 8, deviation=Deviation("looked at"))
    broken = registered(*(2,) * 8, deviation=Deviation("other openings", breaks=True))
    assert "<strong>Invalid</strong>" in broken
    assert "<strong>other openings</strong>" in broken


def test_before_the_end_there_is_no_verdict() -> None:
    assert "<strong>No verdict yet</strong>" in registered(2, 2)


def test_a_sequential_test_that_ended_early_is_complete_and_shows_its_walk() -> None:
    header = run_kit.header("A", "B", pairs=60, registration="ab" * 32)
    records = run_kit.played(header, [2] * 24)
    test = SprtTest(Sprt(0.0, 50.0), 60)
    registration = Registration(header.created, "A beats B", test, header, {})
    text = shown(header, records, Evidence(registration, judge(test, records), ()))

    assert "<strong>Accepted</strong>" in text
    assert "Log-likelihood ratio over pairs" in text
    assert "optional stopping" in text
    assert "Pairs are still owed" not in text
    assert 'class="band open"' not in text
