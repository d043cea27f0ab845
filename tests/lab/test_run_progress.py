"""Progress, where there is no terminal and where there is one."""

from __future__ import annotations

import io

import pytest

from bot.lab.run_progress import LINE_EVERY_S, duration, watching
from bot.timing.clock import VirtualClock


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def test_without_a_terminal_there_is_a_line_now_and_then_and_one_at_the_end() -> None:
    out, clock = io.StringIO(), VirtualClock()
    with watching(out, total=10, before=2, clock=clock) as watch:
        watch.show(2, "a 0 : 0 b")
        clock.advance(LINE_EVERY_S / 2)
        watch.show(3, "a 1 : 1 b")
        clock.advance(LINE_EVERY_S / 2)
        watch.show(4, "a 2 : 2 b")
        watch.show(10, "a 9 : 7 b")
    assert out.getvalue().splitlines() == [
        "2 of 10 pairs: a 0 : 0 b",
        "4 of 10 pairs, about 30 s left: a 2 : 2 b",
        "10 of 10 pairs: a 9 : 7 b",
    ]


def test_in_a_terminal_a_bar_shows_the_score_and_goes_away(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setenv("COLUMNS", "120")
    out = Terminal()
    with watching(out, total=4, before=1, clock=VirtualClock()) as watch:
        watch.show(3, "[a] 4 : 0 b")
    assert "3/4" in out.getvalue()
    assert "[a] 4 : 0 b" in out.getvalue()
    assert out.getvalue().endswith("\x1b[2K")


@pytest.mark.parametrize(
    ("seconds", "told"), [(0, "0 s"), (89, "89 s"), (100, "2 min"), (5_340, "89 min"), (7_500, "2 h 5 min")]
)
def test_a_duration_in_words(seconds: float, told: str) -> None:
    assert duration(seconds) == told
