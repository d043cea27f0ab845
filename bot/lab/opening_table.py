"""What each opening made of the players: whom it favours, and whether it decides anything. Pure."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from bot.lab.openings import Opening
from bot.lab.records import PairRecord
from bot.lab.stats.counts import Wdl


@dataclass(frozen=True, slots=True)
class OpeningRow:
    """All pairs from one opening. `white`: the games from White's side.

    `flipped`: pairs that one colour won twice: the opening decided, not the players; `drawn`: pairs of two
    draws; `swept`: pairs that one player won twice.
    """

    opening: Opening
    pairs: int
    white: Wdl
    flipped: int
    drawn: int
    swept: int


def opening_table(records: Iterable[PairRecord]) -> tuple[OpeningRow, ...]:
    """A row for each opening, in the order in which they came."""
    rows: dict[Opening, OpeningRow] = {}
    for record in records:
        row = rows.get(record.spec.opening, OpeningRow(record.spec.opening, 0, Wdl(), 0, 0, 0))
        results = [game.result for game in record.games]
        decisive = "1/2-1/2" not in results
        rows[record.spec.opening] = OpeningRow(
            row.opening,
            row.pairs + 1,
            row.white + Wdl(results.count("1-0"), results.count("1/2-1/2"), results.count("0-1")),
            row.flipped + (decisive and results[0] == results[1]),
            row.drawn + (results.count("1/2-1/2") == 2),
            row.swept + (decisive and results[0] != results[1]),
        )
    return tuple(rows.values())
