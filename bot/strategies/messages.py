"""What a strategy's process, its host, and the host's owner say to each other: frozen and picklable."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from bot.strategies.contract import StrategySpec, Thought, TurnFacts

# --- host → child -----------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class ChildSettings:
    """What a child is born with: the strategy to load, and how little of the machine it may take.

    `tracebacks`: print the whole traceback of what the strategy raises; the one line of it is sent anyway.
    `niceness` is added to the process's own (0 or more). `memory_limit_mib` None means no limit.
    """

    spec: StrategySpec
    niceness: int = 5
    memory_limit_mib: int | None = None
    tracebacks: bool = True


@dataclass(frozen=True, slots=True)
class Think:
    """Choose a move. `ask_id` comes back with everything that is said about it."""

    ask_id: int
    facts: TurnFacts


@dataclass(frozen=True, slots=True)
class Leave:
    """No more turns: end."""


Request = Think | Leave

# --- child → host → owner: passed on as they are ----------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Committed:
    """`play_move` was called with a legal move; the strategy has not returned yet.

    Sent at once, so that the move survives whatever the strategy does next.
    """

    ask_id: int
    move: str


@dataclass(frozen=True, slots=True)
class Chose:
    """The turn is over, with a move. `elapsed_ms` counts from the request's arrival in the child.

    `note` is None, or one line on what the strategy raised after it had committed the move. `thought` is the
    last that it told in this turn.
    """

    ask_id: int
    move: str
    elapsed_ms: int
    note: str | None = None
    thought: Thought | None = None


@dataclass(frozen=True, slots=True)
class Thinking:
    """What the strategy has told of this turn; not each of its thoughts, and not the last one."""

    ask_id: int
    thought: Thought


# --- child → host -----------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Loaded:
    """The strategy is loaded; turns are welcome."""

    load_ms: int


@dataclass(frozen=True, slots=True)
class NotLoaded:
    """The strategy could not be loaded, in one line; the child ends."""

    reason: str


@dataclass(frozen=True, slots=True)
class Faulted:
    """The turn is over without a move that counts; the child is alive and welcomes the next turn.

    `Committed` may have come before: a strategy that calls `play_move` twice has failed its turn.
    """

    ask_id: int
    reason: str


Answer = Loaded | NotLoaded | Thinking | Committed | Chose | Faulted

# --- host → owner -----------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Ready:
    """A child of the host named `host` has loaded its strategy. Comes once for each child."""

    host: str
    load_ms: int


#: Whose doing a failure was: the strategy's own; SIGKILL, which a strategy may send itself, and so may the
#: system when memory runs out, and anybody else; or what the process stands on gave way.
Cause = Literal["own", "killed", "infrastructure"]


@dataclass(frozen=True, slots=True)
class Failed:
    """`ask_id` will not be answered; None: something failed while no move was asked for.

    `reason` is one plain line. `died` says that the child is gone and the next ask starts a fresh one;
    otherwise the same child takes the next ask.
    """

    ask_id: int | None
    reason: str
    died: bool
    cause: Cause = "own"


HostMessage = Ready | Thinking | Committed | Chose | Failed
