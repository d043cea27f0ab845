"""A strategy as the opponent: in a process of its own, as the bot's is, and on the same clock."""

from __future__ import annotations

from collections.abc import Sequence

import chess

from bot.errors import BenchError
from bot.events import Player as Person
from bot.lab.budgets import OVERHEAD_MS
from bot.lab.host_mover import HostMover
from bot.lab.referee import Moved, Refused, Waiting
from bot.local_lichess.players import Action, Play, Resign, Situation
from bot.nursery import Nursery
from bot.strategies.contract import Clocks, StrategySpec, TurnFacts
from bot.strategy_host import HostClosedError
from bot.timing.budget import limits
from bot.timing.clock import Clock


class Rival:
    """A player of the local Lichess for one game; must be closed. It thinks where it cannot slow the server
    down, which is on the bot's time."""

    thinks = True

    def __init__(self, spec: StrategySpec, nursery: Nursery, *, clock: Clock) -> None:
        """Begins to load the strategy. `start` waits for it."""
        self._name = spec.name
        self._mover = HostMover(spec, nursery, name=f"rival {spec.name}", clock=clock)
        self._mover.start()
        #: Why it gave up its game, in one line.
        self.fault: str | None = None

    def wait_loaded(self) -> None:
        """BenchError when it cannot be loaded."""
        if (why := self._mover.fault_in_loading()) is not None:
            raise BenchError(f"the opponent {self._name} cannot play: {why}")

    def on_turn(self, board: chess.Board, game: Situation) -> Sequence[Action]:
        """Its move. A fault resigns; one whose time is up says nothing more, and its flag falls. Nor does one
        that was closed: the games of a run that Ctrl-C ended go on for a moment."""
        facts = facts_of(board, game)
        left_ms = game.white_ms if game.side == "white" else game.black_ms
        try:
            outcome = self._mover.choose(facts, facts.limit.hard_ms if left_ms is None else left_ms)
        except HostClosedError:
            return ()
        match outcome:
            case Moved(uci):
                return (Play(uci),)
            case Refused(fault, detail):
                self.fault = f"{fault}: {detail}"
                return (Resign(),)
            case Waiting():
                return ()

    def on_wait(self, _game: Situation) -> Sequence[Action]:
        return ()

    def close(self) -> None:
        """End its process."""
        self._mover.__exit__(None, None, None)


def facts_of(board: chess.Board, game: Situation) -> TurnFacts:
    """The turn as the strategy is told it: its time limit comes from the clocks, as the bot's does."""
    clocks = Clocks(game.white_ms, game.black_ms, game.increment_ms, game.increment_ms)
    moves_played = len(game.moves) // 2
    return TurnFacts(
        game_id=game.game_id,
        fen=board.fen(),
        color=game.side,
        variant=game.variant,
        initial_fen=game.initial_fen,
        moves=game.moves,
        clocks=clocks,
        limit=limits(clocks, game.side, overhead_ms=OVERHEAD_MS, moves_played=moves_played, speed=game.speed),
        opponent=Person(game.opponent.id, game.opponent.name, game.opponent.title, game.opponent.rating),
        speed=game.speed,
        rated=game.rated,
    )
