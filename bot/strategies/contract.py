"""What a strategy is given, and what it must do with it.

A strategy is a function of a `Turn`. It looks with `turn.simulate_move` as often as it likes and commits
with `turn.play_move` exactly once:

    def first_move(turn):
        position = turn.simulate_move(turn.fen)
        turn.play_move(position["legal_moves"][0])

It runs in a process of its own; a crash or a hang costs a moment, never the account.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Protocol, TypedDict

import chess

from bot.events import Player, Side
from bot.position import whole_game


class Look(TypedDict):
    """What `simulate_move` returns: one position.

    `game_over` is also true where a draw can be claimed. `winner` is "white", "black" or None;
    `result` is "1-0", "0-1", "1/2-1/2" or "*". `legal_moves` are UCI strings, in no particular order: none
    where the rules of a variant have ended the game, and still some where a draw could merely be claimed.
    """

    fen: str
    legal_moves: list[str]
    game_over: bool
    winner: Side | None
    result: str


class SimulateMove(Protocol):
    def __call__(self, fen: str, move: str | None = None) -> Look: ...


PlayMove = Callable[[str], None]


@dataclass(frozen=True, slots=True)
class Thought:
    """What a strategy has found so far in a turn.

    `depth` in plies; `score_cp` in centipawns for the side to move, or None where `mate_in` says in how many
    moves it mates (negative: is mated); `nodes` and `time_ms` since the turn began; `pv`: the line that it
    expects, in UCI, its own move first.
    """

    depth: int
    nodes: int
    time_ms: int
    score_cp: int | None = None
    mate_in: int | None = None
    pv: tuple[str, ...] = ()

    def __str__(self) -> str:
        parts = [f"depth {self.depth}"]
        if self.mate_in is not None:
            parts.append(f"mate in {self.mate_in}" if self.mate_in > 0 else f"mated in {-self.mate_in}")
        elif self.score_cp is not None:
            parts.append(f"{self.score_cp / 100:+.2f}")
        parts.append(f"{self.nodes:,} nodes")
        return ", ".join(parts)


Tell = Callable[[Thought], None]


def tell_nobody(_: Thought) -> None:
    """Nobody listens to this turn's thoughts."""


@dataclass(frozen=True, slots=True)
class Clocks:
    """Milliseconds left on both clocks, and the increments. None stands for no clock."""

    white_ms: int | None = None
    black_ms: int | None = None
    white_increment_ms: int = 0
    black_increment_ms: int = 0


@dataclass(frozen=True, slots=True)
class TimeLimit:
    """How long a strategy may think about this move, in milliseconds.

    `soft_ms` is what it should aim at; at `hard_ms` the move is taken away from it and the fallback plays.
    """

    soft_ms: int
    hard_ms: int


@dataclass(frozen=True)
class TurnFacts:
    """The facts of a turn: all of them, and picklable."""

    game_id: str
    fen: str
    color: Side
    variant: str  # Lichess key: "standard", "chess960", "fromPosition", "crazyhouse" ...
    initial_fen: str  # a FEN, never "startpos"
    moves: tuple[str, ...]  # UCI, from initial_fen to fen
    clocks: Clocks
    limit: TimeLimit
    opponent: Player
    speed: str = "blitz"
    rated: bool = False

    def board(self) -> chess.Board:
        """The position as a python-chess board of the right variant, with the game's whole move stack. A new
        one each time: it may be played on."""
        return whole_game(self.variant, self.initial_fen, self.moves)


@dataclass(frozen=True)
class Turn(TurnFacts):
    """One turn of a strategy: the facts and the two tools.

    A strategy that searches may `tell` what it has found so far, as often as it likes; it need not.
    """

    simulate_move: SimulateMove = field(kw_only=True, repr=False, compare=False)
    play_move: PlayMove = field(kw_only=True, repr=False, compare=False)
    tell: Tell = field(kw_only=True, default=tell_nobody, repr=False, compare=False)


Strategy = Callable[[Turn], None]


@dataclass(frozen=True, slots=True)
class StrategySpec:
    """Which strategy to load, as the operator wrote it; picklable.

    `name` is a registered name, `package.module:name`, or the path of a script (it ends in .py).
    `options` are passed to the strategy's factory as keyword arguments.
    `search_path` is put in front of sys.path where the strategy is loaded.
    """

    name: str
    options: tuple[tuple[str, str | int | float | bool], ...] = ()
    search_path: tuple[str, ...] = ()
