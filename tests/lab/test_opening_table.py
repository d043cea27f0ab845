"""What openings do to results."""

from __future__ import annotations

from bot.lab.opening_table import opening_table
from bot.lab.openings import Opening
from bot.lab.stats.counts import Wdl

from .pair_kit import AFTER_E4, OPENING, pair


def test_rows_come_in_order_and_tell_flips_from_sweeps() -> None:
    other = Opening(AFTER_E4, "B00", "King's pawn")
    rows = opening_table(
        [
            pair("a", "b", ("1-0", "1-0"), opening=other),  # White won both: the opening did
            pair("a", "b", ("0-1", "0-1")),
            pair("a", "b", ("1-0", "0-1")),  # `a` won both
            pair("a", "b", ("1/2-1/2", "1/2-1/2"), opening=other),
            pair("a", "b", ("1-0", "1/2-1/2"), opening=other),
        ]
    )
    assert [row.opening for row in rows] == [other, OPENING]
    first, second = rows
    assert (first.pairs, first.flipped, first.drawn, first.swept) == (3, 1, 1, 0)
    assert first.white == Wdl(won=3, drawn=3, lost=0)
    assert (second.pairs, second.flipped, second.drawn, second.swept) == (2, 1, 0, 1)
    assert second.white == Wdl(won=1, drawn=0, lost=3)
