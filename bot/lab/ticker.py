"""How far a long command has come: in a terminal one line, written over and over."""

from __future__ import annotations

from typing import TextIO


class Ticker:
    """Writes to `stream`, which is not where the results go."""

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream
        self._overwrites = stream.isatty()

    def say(self, text: str) -> None:
        """Show `text` in place of what was shown before."""
        self._stream.write(f"\r\x1b[K{text}" if self._overwrites else f"{text}\n")
        self._stream.flush()

    def done(self) -> None:
        """Leave nothing behind in a terminal."""
        if self._overwrites:
            self._stream.write("\r\x1b[K")
            self._stream.flush()
