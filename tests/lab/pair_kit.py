"""Pairs that were never played: results as somebody wants them."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from dataclasses import replace

from bot.events import Side
from bot.lab.openings import Opening
from bot.lab.records import Fault, GameRecord, Mode, MoveRecord, PairRecord, PairSpec, Result, RunHeader

START = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"
AFTER_E4 = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1"
OPENING = Opening(START, "A00", "Start position")

#: Results of both games, for the points of the first player.
GAMES: dict[float, tuple[Result, Result]] = {
    0: ("0-1", "1-0"),
    0.5: ("0-1", "1/2-1/2"),
    1: ("1/2-1/2", "1/2-1/2"),
    1.5: ("1-0", "1/2-1/2"),
    2: ("1-0", "0-1"),
}
_PLACES = itertools.count()


def header(*players: str, mode: Mode = "match", pairs: int = 10) -> RunHeader:
    return RunHeader(
        schema=1,
        created="2026-10-01T12:00:00+00:00",
        version="0.1.0",
        commit=None,
        code="c0de",
        players=players,
        player_codes=(None,) * len(players),
        mode=mode,
        pairs=pairs,
        seed=1,
        opening_source="shipped",
        openings_hash="0" * 16,
        budget="whatever it takes",
        adjudication="rules",
        max_plies=400,
        tablebase=None,
    )


def game(
    white: str, black: str, result: Result, *moves: MoveRecord, fault: Fault | None = None
) -> GameRecord:
    """A fault is that of whoever lost."""
    loser: Side = "black" if result == "1-0" else "white"
    ending = fault or ("stalemate" if result == "1/2-1/2" else "checkmate")
    return GameRecord(white, black, result, ending, fault, None if fault is None else loser, None, moves)


def pair(
    first: str,
    second: str,
    results: tuple[Result, Result],
    *,
    opening: Opening = OPENING,
    moves: Sequence[MoveRecord] | None = None,
    faults: tuple[Fault | None, Fault | None] = (None, None),
) -> PairRecord:
    """`moves`: of both games; by default such as no other pair has."""
    place = next(_PLACES)
    played = (MoveRecord(f"move {place}", 5), MoveRecord("e7e5", 15)) if moves is None else tuple(moves)
    spec = PairSpec(place, f"{place:012x}", first, second, opening, 7)
    one = game(first, second, results[0], *played, fault=faults[0])
    two = game(second, first, results[1], *played, fault=faults[1])
    return PairRecord(spec, (one, two), duration_ms=9, worker="here")


def pairs_of(first: str, second: str, *points: float) -> Iterator[PairRecord]:
    """A pair for each of the points of `first`."""
    for each in points:
        yield pair(first, second, GAMES[each])


def again(record: PairRecord) -> PairRecord:
    """The same games, at another place of the schedule."""
    place = next(_PLACES)
    return replace(record, spec=replace(record.spec, index=place, pair_id=f"{place:012x}"))
