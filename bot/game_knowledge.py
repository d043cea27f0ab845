"""What is known about one game, and about the move that is owed in it. Frozen."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Literal

from bot.events import UNLIMITED_MS, GameFull, GameState, Player, Side
from bot.game_messages import Action, Finished, Role, StopThinking
from bot.strategies.contract import TurnFacts
from bot.timing.overhead import Overhead

FIRST_GUESS = Overhead(guess_ms=250)

Stage = Literal["strategy", "fallback", "chosen"]

#: After a refused move only a stream opened since then tells the truth: a full state that was already under
#: way could make us send a second move for a position that has passed. Hence lost first, then reopened.
Doubt = Literal["none", "asked", "lost", "reopened"]


@dataclass(frozen=True, slots=True)
class FlowSettings:
    bot_id: str  # lower case
    abort_unmoved_after_s: float = 60.0
    greeting: str = ""  # empty: nothing is said
    farewell: str = ""


@dataclass(frozen=True, slots=True)
class Debt:
    """A move that is owed to the position after `moves`."""

    ask_id: int
    moves: tuple[str, ...]
    facts: TurnFacts
    asked_at: float
    deadline: float  # when the present thinker loses the turn
    stage: Stage = "strategy"
    committed: str | None = None  # play_move was called; the strategy has not returned yet
    move: str | None = None  # chosen: this is what is POSTed
    in_flight: bool = False
    posted_at: float = 0.0
    attempts: int = 0
    retry_at: float | None = None
    shown_by: float | None = None  # answered 200: the stream must show it by then
    doubted: str | None = None  # refused once, though it is legal: it gets a second chance
    refused: frozenset[str] = frozenset()  # moves that the server called illegal here
    doubt: Doubt = "none"


@dataclass(frozen=True, slots=True)
class Flow:
    """All that is known about one game."""

    game_id: str
    settings: FlowSettings
    full: GameFull | None = None
    state: GameState | None = None
    full_by: float | None = None  # a stream was opened, and its first line is to come by then
    heard_at: float | None = None  # when it came, or when the stream that is to tell it was opened
    overhead: Overhead = FIRST_GUESS  # of a move, learned as the game goes on
    debt: Debt | None = None
    last_ask_id: int = 0
    ready: frozenset[Role] = frozenset()  # the thinkers whose strategies are loaded
    is_late: bool = False  # the strategy was not loaded when its time was up
    misses: int = 0  # turns in a row in which the strategy's time ran out
    abort_at: float | None = None  # None: nothing to abort
    end_reported: Finished | None = None  # by the event stream; taken for true at `end_by`
    end_by: float | None = None
    over: Finished | None = None


Step = tuple[Flow, tuple[Action, ...]]


def stopped(flow: Flow, role: Role) -> tuple[Flow, StopThinking]:
    """The thinker of this role is killed; its successor has to load first."""
    return replace(flow, ready=flow.ready - {role}), StopThinking(role)


def our_side(flow: Flow, full: GameFull) -> Side:
    """Which side of the game is ours: by id, else by name, else the side that it does not name."""
    me, white, black = flow.settings.bot_id, full.white, full.black
    if me in (white.id, black.id):
        return "white" if white.id == me else "black"
    if me in (white.name.lower(), black.name.lower()):
        return "white" if white.name.lower() == me else "black"
    return "black" if _is_named(white) else "white"


def _is_named(player: Player) -> bool:
    """The server's own AI has neither id nor name, but a level."""
    return player.id is not None or player.ai_level is not None or player.name not in ("", "Anonymous")


def with_times(flow: Flow, full: GameFull, state: GameState) -> GameState:
    """`state`, and where it lacks a time that its game must have, the last one that was known."""
    if full.clock_initial_ms is None:
        return state
    last_w, last_b = full.clock_initial_ms, full.clock_initial_ms
    if flow.state is not None:
        last_w, last_b = flow.state.wtime_ms, flow.state.btime_ms
    return replace(
        state,
        wtime_ms=last_w if state.wtime_ms == UNLIMITED_MS else state.wtime_ms,
        btime_ms=last_b if state.btime_ms == UNLIMITED_MS else state.btime_ms,
    )
