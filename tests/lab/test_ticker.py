"""How far a command has come."""

from __future__ import annotations

import io

from bot.lab.ticker import Ticker


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def told(stream: io.StringIO) -> str:
    ticker = Ticker(stream)
    ticker.say("one of two")
    ticker.say("two of two")
    ticker.done()
    return stream.getvalue()


def test_a_terminal_shows_the_last_and_is_left_clean() -> None:
    assert told(Terminal()) == "\r\x1b[Kone of two\r\x1b[Ktwo of two\r\x1b[K"


def test_elsewhere_every_line_is_kept() -> None:
    assert told(io.StringIO()) == "one of two\ntwo of two\n"
