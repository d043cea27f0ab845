from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.wording import did_you_mean, one_line, quoted, without_secrets


@given(st.text(), st.integers(2, 80))
def test_one_line_is_printable_and_no_longer_than_asked(text: str, limit: int) -> None:
    shown = one_line(text, limit)
    assert len(shown) <= limit
    assert shown.isprintable()


def test_one_line_leaves_short_text_alone_and_marks_a_cut() -> None:
    assert one_line("blitz") == "blitz"
    assert one_line("x" * 60, 60) == "x" * 60
    assert one_line("x" * 61, 60) == "x" * 59 + "…"
    assert quoted("a\nb\x00") == r'"a\nb\x00"'


@pytest.mark.parametrize(
    ("line", "blotted"),
    [
        ("found lip_Ab12cd34", "found lip_…"),
        ("a lio_Ab12cd34, a lip_x9x9x9x9.", "a lio_…, a lip_…."),
        ("https://me:secret@lichess.org", "https://…@lichess.org"),
        ("my_lip_balm stays, tulip_fields too", "my_lip_balm stays, tulip_fields too"),
        ("https://lichess.org/a@b", "https://lichess.org/a@b"),
    ],
)
def test_secrets_are_blotted_out(line: str, blotted: str) -> None:
    assert without_secrets(line) == blotted


def test_the_word_that_was_meant() -> None:
    known = ("kingOfTheHill", "threeCheck", "standard")
    assert did_you_mean("King_of_the_hill", known) == ' (did you mean "kingOfTheHill"?)'
    assert did_you_mean("three-check", known) == ' (did you mean "threeCheck"?)'
    assert did_you_mean("STANDRAD", known) == ' (did you mean "standard"?)'
    assert did_you_mean("xyzzy", known) == ""
