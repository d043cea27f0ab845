"""What the bot says to its opponent: one greeting, one farewell. Pure.

Whether a greeting was said already is known from the game's own chat at Lichess, which outlives every crash
and every machine of ours.
"""

from __future__ import annotations

from bot.events import GameFull, Side

#: Lichess drops longer lines.
LONGEST = 140


def filled(template: str, full: GameFull, side: Side) -> str | None:
    """The line to say, or None for none. `{me}` and `{opponent}` stand for the names."""
    me, opponent = (full.white, full.black) if side == "white" else (full.black, full.white)
    text = template.replace("{me}", me.name).replace("{opponent}", opponent.name).strip()
    return text[:LONGEST] or None
