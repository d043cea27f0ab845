"""The two sides of a game."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Color = Literal["white", "black"]
COLORS: tuple[Color, Color] = ("white", "black")


def other(color: Color) -> Color:
    """The opponent's colour."""
    return "black" if color == "white" else "white"


@dataclass(frozen=True, slots=True)
class Seat:
    """Who sits on one side, as known when the game starts.

    For Lichess's own AI set `ai_level` (1 to 8); `id` and `name` are then not shown on the wire.
    """

    id: str  # lower case
    name: str
    title: str | None = None
    rating: int = 1500
    provisional: bool = False
    ai_level: int | None = None

    @property
    def is_bot(self) -> bool:
        """A BOT account (Lichess's own AI is none)."""
        return self.title == "BOT"

    @property
    def is_ai(self) -> bool:
        return self.ai_level is not None
