"""Scores of a search: centipawns from the view of the side to move, and mate with its distance.

They fit into 16 bits, so that a table's entry fits into one word. Outside of the engine mate is worth more;
see `bot.search.scores`.
"""

from __future__ import annotations

from bot.engine.jit import INT64, compiled
from bot.engine.state import MAX_PLY

#: Mate in n plies is worth MATE - n. INFINITY is beyond every score, UNKNOWN is none.
MATE, INFINITY, UNKNOWN = 32_000, 32_001, 32_002
#: From here on a score is a mate; no evaluation comes near it.
DECISIVE = MATE - 2 * MAX_PLY


@compiled(INT64(INT64, INT64), inline=True)
def from_here(score: int, ply: int) -> int:
    """A score told from the root, as the position `ply` plies after it sees it: what a table can keep."""
    if score >= DECISIVE:
        return score + ply
    if score <= -DECISIVE:
        return score - ply
    return score


@compiled(INT64(INT64, INT64), inline=True)
def from_root(score: int, ply: int) -> int:
    """The inverse of `from_here`: mate is that much further away from the root."""
    if score >= DECISIVE:
        return score - ply
    if score <= -DECISIVE:
        return score + ply
    return score
