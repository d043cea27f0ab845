"""The openings that games start from: balanced, two moves each; see `openings.epd` for their origin."""

from __future__ import annotations

import random
from functools import cache
from importlib import resources


@cache
def all_openings() -> tuple[str, ...]:
    """All of them, as FENs, in the order of the file."""
    text = resources.files("bot.lab").joinpath("openings.epd").read_text(encoding="utf-8")
    return tuple(line for line in text.splitlines() if line and not line.startswith("#"))


def draw_openings(count: int, rng: random.Random) -> tuple[str, ...]:
    """`count` openings by lot; none comes twice before all have come once."""
    drawn: list[str] = []
    while len(drawn) < count:
        everything = list(all_openings())
        rng.shuffle(everything)
        drawn += everything
    return tuple(drawn[:count])
