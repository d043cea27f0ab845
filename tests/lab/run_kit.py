"""Runs that were never played: headers and pairs with the results that a test wants."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence

from bot.lab.openings import Opening, all_openings, opening_hash
from bot.lab.records import (
    SCHEMA,
    Fault,
    GameRecord,
    Mode,
    MoveRecord,
    PairRecord,
    PairSpec,
    Result,
    RunHeader,
)
from bot.lab.schedule import schedule

OPENINGS: tuple[Opening, ...] = all_openings()[:40]
#: Results of both games for what the first player scores in a pair.
GAMES: Mapping[float, tuple[Result, Result]] = {
    0: ("0-1", "1-0"),
    0.5: ("1/2-1/2", "1-0"),
    1: ("1/2-1/2", "1/2-1/2"),
    1.5: ("1-0", "1/2-1/2"),
    2: ("1-0", "0-1"),
}


def header(
    *players: str,
    mode: Mode = "match",
    pairs: int = 10,
    seed: int = 1,
    registration: str | None = None,
    created: str = "2026-10-06T12:00:00+00:00",
) -> RunHeader:
    return RunHeader(
        schema=SCHEMA,
        created=created,
        version="0.1.0",
        commit="0123456789ab",
        code="feedfacecafebeef",
        players=players,
        player_codes=(None,) * len(players),
        mode=mode,
        pairs=pairs,
        seed=seed,
        opening_source="shipped",
        openings_hash=opening_hash(OPENINGS),
        budget="none; a stall after 120 s",
        adjudication="rules",
        max_plies=400,
        tablebase=None,
        registration=registration,
    )


def specs(of: RunHeader) -> tuple[PairSpec, ...]:
    return schedule(of.players, of.mode, of.pairs, OPENINGS, of.seed)


def pair(
    spec: PairSpec,
    score: float = 1,
    *,
    fault: Fault | None = None,
    results: tuple[Result, Result] | None = None,
    moves: Sequence[str] | None = None,
    ms: int = 10,
) -> PairRecord:
    """`spec` with that score of its first player, or those results. `fault`: of the loser of game 1. `moves`:
    of both games; otherwise some that no other pair has."""
    found = results or GAMES[score]
    rng = random.Random(spec.pair_id)
    own = moves or [f"{rng.choice('abcdefgh')}2{rng.choice('abcdefgh')}4" for _ in range(12)]
    records = tuple(MoveRecord(uci, ms + rng.randrange(3), nodes=1000, depth=3) for uci in own)
    guilty = found[0] in ("1-0", "0-1") and fault is not None
    games = [
        GameRecord(
            white,
            black,
            result,
            fault if guilty and number == 0 and fault is not None else _ending(result, rng),
            fault if guilty and number == 0 else None,
            ("black" if result == "1-0" else "white") if guilty and number == 0 else None,
            "it broke" if guilty and number == 0 else None,
            records if number == 0 else records[::-1],
        )
        for number, (white, black, result) in enumerate(
            ((spec.first, spec.second, found[0]), (spec.second, spec.first, found[1]))
        )
    ]
    return PairRecord(spec, (games[0], games[1]), 1000, "here-1")


def played(of: RunHeader, scores: Sequence[float]) -> tuple[PairRecord, ...]:
    """The first pairs of the schedule, with these scores of the first player."""
    return tuple(pair(spec, score) for spec, score in zip(specs(of), scores, strict=False))


def scattered(of: RunHeader, strengths: Mapping[str, float], seed: int = 1) -> tuple[PairRecord, ...]:
    """All pairs of the schedule, with results by lot: `strengths` in Elo, a third of the games drawn."""
    rng = random.Random(seed)
    found = []
    for spec in specs(of):
        share = 1 / (1 + 10 ** ((strengths[spec.second] - strengths[spec.first]) / 400))
        results: list[Result] = []
        for white in (share, 1 - share):
            drawn = min(0.33, 2 * min(white, 1 - white))
            lot = rng.random()
            results.append("1/2-1/2" if lot < drawn else "1-0" if lot < drawn / 2 + white else "0-1")
        found.append(pair(spec, results=(results[0], results[1]), ms=int(3 + strengths[spec.first] / 10)))
    return tuple(found)


def _ending(result: Result, rng: random.Random) -> str:
    if result == "1/2-1/2":
        return rng.choice(["threefold repetition", "fifty moves", "stalemate", "insufficient material"])
    return "checkmate"
