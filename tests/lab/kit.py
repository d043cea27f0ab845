"""What the lab's tests share: records without games, and players that a test writes move by move."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

from bot.lab.budgets import Unhurried
from bot.lab.openings import Opening
from bot.lab.pair_player import PlaySettings
from bot.lab.player import PlayerSpec
from bot.lab.records import SCHEMA, GameRecord, Mode, MoveRecord, PairRecord, PairSpec, Result, RunHeader
from bot.lab.referee import Moved, Reply
from bot.strategies.contract import TurnFacts
from bot.timing.clock import VirtualClock

ROOT = Path(__file__).parents[2]
AFTER_E4_E5 = Opening(
    "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2", "C20", "King's Pawn Game"
)


def a_header(
    *, players: tuple[str, ...] = ("a", "b"), mode: Mode = "match", pairs: int = 2, seed: int = 1
) -> RunHeader:
    return RunHeader(
        schema=SCHEMA,
        created="2026-01-02T03:04:05+00:00",
        version="0.1.0",
        commit="abc",
        code="c0de",
        players=players,
        player_codes=(None,) * len(players),
        mode=mode,
        pairs=pairs,
        seed=seed,
        opening_source="shipped",
        openings_hash="0" * 16,
        budget="none",
        adjudication="rules",
        max_plies=400,
        tablebase=None,
    )


def a_spec(index: int = 0, *, first: str = "a", second: str = "b") -> PairSpec:
    return PairSpec(index, f"id{index}", first, second, AFTER_E4_E5, 7)


def a_game(white: str, black: str, result: Result = "1/2-1/2", *moves: str) -> GameRecord:
    records = tuple(MoveRecord(move, 3) for move in moves)
    return GameRecord(white, black, result, "checkmate", None, None, None, records)


def a_pair(spec: PairSpec | None = None, *results: Result) -> PairRecord:
    spec = spec or a_spec()
    first, second = results or ("1-0", "1/2-1/2")
    games = (a_game(spec.first, spec.second, first, "g1f3"), a_game(spec.second, spec.first, second, "f1c4"))
    return PairRecord(spec, games, 1234, "here-1")


def settings(*players: str, max_plies: int = 400, stall_ms: int = 60_000) -> PlaySettings:
    """For players of the project and of the tests' own modules."""
    specs = tuple(PlayerSpec.parse(player, search_path=(str(ROOT),)) for player in players)
    return PlaySettings(specs, Unhurried(stall_ms), stall_ms, max_plies, agreed_scores=False, tablebase=None)


@dataclass
class Scripted:
    """A mover that says what it is told to, each after so many seconds, and remembers what it was asked."""

    clock: VirtualClock
    replies: list[Reply]
    takes_s: float = 0.1
    asked: list[tuple[TurnFacts, int]] = field(default_factory=list)

    def choose(self, facts: TurnFacts, deadline_ms: int) -> Reply:
        self.asked.append((facts, deadline_ms))
        self.clock.advance(self.takes_s)
        return self.replies.pop(0)


def moves(*uci: str) -> list[Reply]:
    return [Moved(each) for each in uci]
