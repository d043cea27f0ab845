"""One line on somebody else's exception."""

from __future__ import annotations

import chess
import pytest

from bot.strategies.blame import LONGEST, describe


class SpeechlessError(Exception):
    def __str__(self) -> str:
        raise RuntimeError("no words")


def caught(error: Exception) -> Exception:
    with pytest.raises(type(error)) as info:
        raise error
    return info.value


def test_it_names_file_line_function_type_and_text() -> None:
    line = describe(caught(KeyError("x")))
    assert line.startswith("test_blame.py:")
    assert line.endswith(" in caught: KeyError: 'x'")


def test_the_place_is_the_callers_own_code_not_the_library_it_called() -> None:
    with pytest.raises(ValueError, match="invalid") as info:
        chess.Board().parse_uci("nonsense"[:4])
    line = describe(info.value)
    assert line.startswith("test_blame.py:")
    assert "InvalidMoveError" in line


@pytest.mark.parametrize(
    ("error", "end"),
    [
        (ValueError("one\n  two\tthree"), "ValueError: one two three"),
        (ValueError(), "ValueError"),
        (SpeechlessError(), "SpeechlessError"),
    ],
)
def test_it_is_one_line_whatever_the_error_says(error: Exception, end: str) -> None:
    assert describe(caught(error)).endswith(end)


def test_it_is_never_long() -> None:
    assert len(describe(ValueError("x" * 10_000))) == LONGEST


def test_an_error_that_was_never_raised_has_no_place() -> None:
    assert describe(ValueError("unraised")) == "ValueError: unraised"
