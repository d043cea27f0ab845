"""How far it has come, told to a terminal and to a file."""

from __future__ import annotations

import io

from bot.learning.generate_progress import LINE_EVERY_S, watching
from bot.timing.clock import VirtualClock


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def test_a_file_gets_a_line_now_and_then() -> None:
    clock, stream = VirtualClock(), io.StringIO()
    with watching(stream, total=10_000, before=1_000, clock=clock) as watch:
        watch.show(1_000, 0.0, "loading the engine")
        watch.show(1_000, 0.0, "loading the engine")
        clock.advance(LINE_EVERY_S - 1)
        watch.show(1_500, 55.0)
        clock.advance(1)
        watch.show(2_000, 1234.5)
        watch.show(2_500, 1234.5)
    assert stream.getvalue().splitlines() == [
        "loading the engine",
        "2,000 of 10,000 positions, 1,234/s a core, about 4 min left",
    ]


def test_a_terminal_gets_a_bar_that_goes() -> None:
    stream = Terminal()
    with watching(stream, total=10_000, before=0, clock=VirtualClock()) as watch:
        watch.show(2_000, 1234.5)
    assert "2,000 of 10,000 positions" in stream.getvalue()
