"""Which positions are learnt from, and which only show how well: whole games, and their neighbours."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from bot.errors import UserError
from bot.learning.positions import Positions

#: More positions than this say nothing more about a network.
MOST_VALIDATION = 500_000
#: Neighbouring games share openings: they are taken together, so many positions or a little more, but in so
#: many places at least.
BLOCK, LEAST_BLOCKS = 4096, 16

Rows = npt.NDArray[np.int32]


def split(positions: Positions, share: float, seed: int) -> tuple[Rows, Rows]:
    """Rows to learn from, and rows for validation: about `share` of all. By lot, but no game is in both.

    Raises UserError where there are not games enough.
    """
    total = len(positions)
    wanted = min(share * total, MOST_VALIDATION)
    borders = blocks(positions, max(1, min(BLOCK, int(wanted / LEAST_BLOCKS))))
    sizes = np.diff(borders, append=total)
    if len(borders) < 2:
        raise UserError(f"{total} positions of one game are too few to learn from and to validate with")
    lot = np.random.default_rng([seed, len(borders)]).permutation(len(borders))
    taken = 1 + int(np.searchsorted(np.cumsum(sizes[lot]), wanted))
    held_out = np.zeros(len(borders), bool)
    held_out[lot[: min(taken, len(borders) - 1)]] = True
    by_row = np.repeat(held_out, sizes)
    return np.flatnonzero(~by_row).astype(np.int32), np.flatnonzero(by_row).astype(np.int32)


def blocks(positions: Positions, least: int) -> npt.NDArray[np.int64]:
    """Where blocks of whole games begin, of about `least` positions each.

    A game begins where the ply does not rise.
    """
    plies = positions["ply"].astype(np.int64)
    starts = np.flatnonzero(np.diff(plies, prepend=1 << 16) <= 0)
    firsts = np.unique(starts // least, return_index=True)[1]
    return starts[firsts]
