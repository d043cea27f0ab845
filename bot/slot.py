"""A game slot: what the ledger knows of one game, played or promised. `bot.account` keeps them."""

from __future__ import annotations

from dataclasses import dataclass

from bot.events import GameInfo


@dataclass(frozen=True, slots=True)
class Slot:
    """One game, played or promised."""

    opponent_id: str
    since: float
    lease_until: float | None  # None once the game has started
    over: bool = False  # the game has ended, its session not yet: a rematch may come at once
    ask_at: float | None = None  # without a start by then Lichess is asked
    unsure: bool = False  # whether the accepting arrived
    aborting: bool = False  # one game too many
    outgoing: bool = False  # promised by a challenge of our own, which may come to nothing


def is_unplayed(game: GameInfo) -> bool:
    """Both first moves are not made yet, as far as its position tells; then it can be aborted."""
    fields = (game.fen or "").split()
    return len(fields) >= 6 and fields[-1] == "1" and not (game.has_moved and game.is_my_turn)
