"""The running count of a run: who has won, drawn and lost how often so far. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from bot.lab.records import PairRecord

#: Of a larger field only so many are named in one line.
MOST_NAMED = 4


@dataclass(frozen=True, slots=True)
class Count:
    """Games of one player; `faults`: those it lost by a fault of its own."""

    won: int = 0
    drawn: int = 0
    lost: int = 0
    faults: int = 0

    @property
    def games(self) -> int:
        return self.won + self.drawn + self.lost

    @property
    def points(self) -> float:
        return self.won + self.drawn / 2

    def after(self, points: float, *, fault: bool) -> Count:
        return replace(
            self,
            won=self.won + (points == 1),
            drawn=self.drawn + (points == 0.5),
            lost=self.lost + (points == 0),
            faults=self.faults + fault,
        )


class Tally:
    """Counts pairs as they are added, whichever order they come in."""

    def __init__(self, players: Sequence[str]) -> None:
        self.counts = {player: Count() for player in players}

    def add(self, record: PairRecord) -> None:
        for game in record.games:
            for side, player in (("white", game.white), ("black", game.black)):
                points = game.points("white" if side == "white" else "black")
                self.counts[player] = self.counts[player].after(points, fault=game.fault_by == side)

    @property
    def ranking(self) -> list[tuple[str, Count]]:
        """Best score first."""
        rows = list(self.counts.items())
        return sorted(rows, key=lambda row: row[1].points / max(1, row[1].games), reverse=True)

    def in_one_line(self) -> str:
        """`A 12.5 : 7.5 B (+10 =5 -5)` of two, else the leaders and their scores."""
        if len(self.counts) == 2:
            (first, count), (second, other) = self.counts.items()
            return (
                f"{first} {count.points:g} : {other.points:g} {second} "
                f"(+{count.won} ={count.drawn} -{count.lost})"
            )
        rows = self.ranking
        named = ", ".join(f"{name} {_share(count)}" for name, count in rows[:MOST_NAMED])
        return named if len(rows) <= MOST_NAMED else f"{named} ..."


def _share(count: Count) -> str:
    return f"{count.points / count.games:.0%}" if count.games else "-"
