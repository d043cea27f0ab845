"""Which games `knightshift bench games` plays: the opponents in turn, colours swapped, openings by lot."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass

from bot.events import Side
from bot.lab.openings import draw_openings


@dataclass(frozen=True, slots=True)
class Fixture:
    """One game. `number` from 1; `opponent`: a strategy, as written; `bots_side`: the bot's colour;
    `opening`: the FEN that it starts from."""

    number: int
    opponent: str
    bots_side: Side
    opening: str


def schedule(games: int, opponents: Sequence[str], rng: random.Random) -> tuple[Fixture, ...]:
    """`games` games. Each opponent meets each of its openings twice, the bot having White first."""
    rivals = len(opponents)
    openings = draw_openings((games // (2 * rivals) + 1) * rivals, rng)
    return tuple(
        Fixture(
            number=index + 1,
            opponent=opponents[index % rivals],
            bots_side="white" if index // rivals % 2 == 0 else "black",
            opening=openings[index // (2 * rivals) * rivals + index % rivals],
        )
        for index in range(games)
    )
