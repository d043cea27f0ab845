"""Scores of a search: centipawns from the view of the side to move, and mate with its distance."""

from __future__ import annotations

from bot.evaluation import MATE

#: Beyond every score. Mate in n plies is worth MATE - n, so that the nearer one is preferred.
INFINITY = MATE + 1
DRAW = 0
#: No search goes further than this from its root, in plies.
MAX_PLY = 96
#: From here on a score is a mate, and no evaluation comes near it.
DECISIVE = MATE - 2 * MAX_PLY


def mated_in(plies: int) -> int:
    """The side to move is mated in so many plies: 0, it is mated."""
    return plies - MATE


def mate_in(plies: int) -> int:
    """The side to move mates with its so manieth ply: 1, at once."""
    return MATE - plies


def plies_to_mate(score: int) -> int | None:
    """How far away the mate is that `score` tells of, for whichever side; None: it tells of none."""
    return MATE - abs(score) if abs(score) >= DECISIVE else None


def moves_to_mate(score: int) -> int | None:
    """In how many moves the side to move mates by `score`; negative: is mated. None: it tells of no mate."""
    plies = plies_to_mate(score)
    if plies is None:
        return None
    return (plies + 1) // 2 if score > 0 else -((plies + 1) // 2)


def from_root(score: int, ply: int) -> int:
    """A score told from a position `ply` plies after the root, as the root sees it: mate is that much
    further away. The inverse of `from_here`."""
    if score >= DECISIVE:
        return score - ply
    return score + ply if score <= -DECISIVE else score


def from_here(score: int, ply: int) -> int:
    """A score told from the root, as the position `ply` plies after it sees it: what a table can keep."""
    if score >= DECISIVE:
        return score + ply
    return score - ply if score <= -DECISIVE else score
