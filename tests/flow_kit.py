"""A game as `game_flow` meets it: full states, short words for messages, and a hand on the clock."""

from __future__ import annotations

from typing import TypeVar

from bot.events import GameFull, GameState, Player
from bot.game_flow import next_wake, step
from bot.game_knowledge import Flow, FlowSettings
from bot.game_messages import Action, Ask, GameMessage, PostMove, Tick

BOT = Player("knight", "Knight", "BOT", 1800)
RIVAL = Player("rival", "Rival", None, 1900)

A = TypeVar("A")


def state(moves: str = "", *, ms: int = 180_000, status: str = "started", bdraw: bool = False) -> GameState:
    return GameState(tuple(moves.split()), ms, ms, 2_000, 2_000, status, bdraw=bdraw)


def full(
    moves: str = "",
    *,
    white: Player = BOT,
    black: Player = RIVAL,
    ms: int = 180_000,
    variant: str = "standard",
    initial_fen: str = "startpos",
    clock: bool = True,
    status: str = "started",
) -> GameFull:
    return GameFull(
        id="Ab3dEf7h",
        variant=variant,
        speed="blitz" if clock else "correspondence",
        rated=False,
        white=white,
        black=black,
        initial_fen=initial_fen,
        state=state(moves, ms=ms, status=status),
        clock_initial_ms=180_000 if clock else None,
        clock_increment_ms=2_000 if clock else None,
    )


class Table:
    """Holds a flow and the time; what was done so far is in `done`."""

    def __init__(self, settings: FlowSettings | None = None) -> None:
        self.flow = Flow("Ab3dEf7h", settings or FlowSettings("knight"))
        self.now = 1000.0
        self.done: list[Action] = []

    def hear(self, message: GameMessage) -> tuple[Action, ...]:
        self.flow, actions = step(self.flow, message, self.now)
        self.done.extend(actions)
        return actions

    def wait(self, seconds: float) -> tuple[Action, ...]:
        """Let time pass, with a Tick at every moment the flow asked for; all that was done meanwhile."""
        end, done = self.now + seconds, list[Action]()
        for _ in range(1000):
            wake_at = next_wake(self.flow)
            if wake_at is None or wake_at > end:
                break
            self.now = max(self.now, wake_at)
            done.extend(self.hear(Tick()))
        else:
            raise AssertionError(f"the flow wants to be woken without end, at {wake_at}, now {self.now}")
        self.now = end
        return tuple(done)

    def asked(self) -> Ask:
        return [action for action in self.done if isinstance(action, Ask)][-1]

    def posted(self) -> list[str]:
        return [action.move for action in self.done if isinstance(action, PostMove)]


def only(kind: type[A], actions: tuple[Action, ...]) -> A:
    """The one action of that kind."""
    (found,) = (action for action in actions if isinstance(action, kind))
    return found


def kinds(actions: tuple[Action, ...]) -> list[str]:
    return [type(action).__name__ for action in actions]
