"""What one game's owner hears and does: the messages and actions of `game_flow`, all frozen."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from bot.errors import LichessError
from bot.events import ChatRoom, GameEvent, Side
from bot.strategies.contract import Thought, TurnFacts
from bot.stream_reader import StreamNews

#: Who is asked for a move: the configured strategy, or the one that steps in for it.
Role = Literal["strategy", "fallback"]

# --- heard ----------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class ThinkerReady:
    """A thinker's process has loaded its strategy."""

    role: Role


@dataclass(frozen=True, slots=True)
class Chose:
    """A thinker's answer to `ask_id`: a move in UCI."""

    role: Role
    ask_id: int
    move: str
    note: str | None = None  # what went wrong after the move was committed, if anything did
    thought: Thought | None = None  # the last that it told of this turn


@dataclass(frozen=True, slots=True)
class Committed:
    """`play_move` was called, but the strategy has not returned yet."""

    role: Role
    ask_id: int
    move: str


@dataclass(frozen=True, slots=True)
class ThinkerFailed:
    """A thinker will not answer `ask_id` (None: it failed between turns); one plain line says why.

    `died`: its process is gone, and a move that it had committed stands. Otherwise it lives and broke the
    contract of the turn (two calls of `play_move`, an illegal one, none), and nothing of that turn counts.
    """

    role: Role
    ask_id: int | None
    reason: str
    died: bool


@dataclass(frozen=True, slots=True)
class MoveAnswered:
    """The move POST for `ask_id` came back: `error` None means HTTP 200, which is not yet a played move."""

    ask_id: int
    error: LichessError | None
    took_ms: int


@dataclass(frozen=True, slots=True)
class FinishReported:
    """Somebody else says that this game is over.

    `sure`: the event stream named its end. Otherwise it is only missing from the list of ongoing games.
    """

    status: str
    sure: bool


@dataclass(frozen=True, slots=True)
class TurnReported:
    """The list of ongoing games, asked for at `asked_at` (monotonic seconds), says that it is our move."""

    asked_at: float


@dataclass(frozen=True, slots=True)
class Tick:
    """Nothing happened, but time passed."""


GameMessage = (
    GameEvent
    | StreamNews
    | ThinkerReady
    | Chose
    | Committed
    | ThinkerFailed
    | MoveAnswered
    | FinishReported
    | TurnReported
    | Tick
)

# --- done -----------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Ask:
    role: Role
    ask_id: int
    facts: TurnFacts


@dataclass(frozen=True, slots=True)
class StopThinking:
    """Kill the thinker: its time is up, or its position is no longer the game's."""

    role: Role


@dataclass(frozen=True, slots=True)
class Withdraw:
    """Take the question back and let the thinker live: it has not even loaded its strategy yet."""

    role: Role


@dataclass(frozen=True, slots=True)
class Prepare:
    """Have the thinker load its strategy, unless it is at it."""

    role: Role


@dataclass(frozen=True, slots=True)
class PostMove:
    ask_id: int
    move: str
    ply: int


@dataclass(frozen=True, slots=True)
class Errand:
    """A request of the second lane."""

    kind: Literal["abort", "claim_victory", "claim_draw"]


@dataclass(frozen=True, slots=True)
class Say:
    """A line of chat. `once`: not if we have said anything in this game before, in this life or another."""

    room: ChatRoom
    text: str
    once: bool


@dataclass(frozen=True, slots=True)
class Resynchronise:
    """Reopen the game's stream: its first line is the whole truth."""

    why: str


@dataclass(frozen=True, slots=True)
class Report:
    """One line for the log."""

    level: Literal["debug", "info", "warning", "error"]
    text: str


@dataclass(frozen=True, slots=True)
class Finished:
    """The game is over for us; nothing follows."""

    status: str
    winner: Side | None = None


Action = Ask | StopThinking | Withdraw | Prepare | PostMove | Errand | Say | Resynchronise | Report | Finished
