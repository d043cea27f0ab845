"""Scripted players for the other side of the board.

A player is asked for its actions and gets nothing but values; `hosts` seats it in games and carries the
actions out. The small ones below compose: `At({20: [Draw()]}, RandomPlayer(rng))`.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Protocol

import chess

from bot.local_lichess.seats import Color, Seat

if TYPE_CHECKING:
    from bot.strategies.contract import Turn, TurnFacts

# --- what a player can do -----------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Play:
    uci: str
    offering_draw: bool = False


@dataclass(frozen=True, slots=True)
class Resign:
    """Before both sides have moved this aborts."""


@dataclass(frozen=True, slots=True)
class Abort:
    pass


@dataclass(frozen=True, slots=True)
class Draw:
    """Offer, accept or claim a draw; with `yes` False decline or withdraw one."""

    yes: bool = True


@dataclass(frozen=True, slots=True)
class Takeback:
    """Propose or accept a takeback; with `yes` False decline or withdraw one."""

    yes: bool = True


@dataclass(frozen=True, slots=True)
class Say:
    text: str
    room: str = "player"


@dataclass(frozen=True, slots=True)
class Leave:
    """Close the page and never come back to this game."""


Action = Play | Resign | Abort | Draw | Takeback | Say | Leave

# --- what a player is told ----------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Situation:
    """A game as one of its players sees it. Milliseconds are None in a game without a clock."""

    game_id: str
    side: Color
    variant: str
    initial_fen: str  # a FEN, also for the variant's own start
    moves: tuple[str, ...]
    speed: str
    rated: bool
    opponent: Seat
    white_ms: int | None = None
    black_ms: int | None = None
    increment_ms: int = 0
    opponent_offers_draw: bool = False
    opponent_proposes_takeback: bool = False

    @property
    def ply(self) -> int:
        """Plies played."""
        return len(self.moves)


class Player(Protocol):
    """Plays any number of games. `thinks`: `on_turn` may take its time, so it is called in a thread."""

    thinks: bool

    def on_turn(self, board: chess.Board, game: Situation) -> Sequence[Action]:
        """It is the player's turn. `board` has no history; that is in `game.moves`.

        Asked once for each position and proposal of the opponent's.
        """

    def on_wait(self, game: Situation) -> Sequence[Action]:
        """It is the opponent's turn: after one's own move, and when the opponent proposes something."""


class _Waiting:
    """A player that thinks fast and does nothing out of turn."""

    thinks = False

    def on_wait(self, _game: Situation) -> Sequence[Action]:
        return ()


# --- players --------------------------------------------------------------------------------------------


class RandomPlayer(_Waiting):
    """Any legal move."""

    def __init__(self, rng: random.Random) -> None:
        self._rng = rng

    def on_turn(self, board: chess.Board, _game: Situation) -> Sequence[Action]:
        return (Play(board.uci(self._rng.choice(list(board.legal_moves)))),)


class ListPlayer(_Waiting):
    """Its own moves of a game, in UCI, one after the other; then `then`."""

    def __init__(self, moves: Sequence[str], then: Sequence[Action] = (Resign(),)) -> None:
        self._moves = tuple(moves)
        self._then = tuple(then)

    def on_turn(self, _board: chess.Board, game: Situation) -> Sequence[Action]:
        own_moves = game.ply // 2
        return (Play(self._moves[own_moves]),) if own_moves < len(self._moves) else self._then


class SilentPlayer(_Waiting):
    """Sits there and never moves."""

    def on_turn(self, _board: chess.Board, _game: Situation) -> Sequence[Action]:
        return ()


class StrategyPlayer(_Waiting):
    """What a strategy plays, with so many milliseconds for each move. Its errors are raised as they are."""

    thinks = True

    def __init__(self, strategy: Callable[[Turn], None], *, move_ms: int = 1000) -> None:
        self._strategy = strategy
        self._move_ms = move_ms

    def on_turn(self, board: chess.Board, game: Situation) -> Sequence[Action]:
        from bot.strategies.turn_tools import take_turn  # noqa: PLC0415  the server runs without strategies

        choice = take_turn(self._strategy, _facts(board, game, self._move_ms))
        return (Play(choice.move),)


def _facts(board: chess.Board, game: Situation, move_ms: int) -> TurnFacts:
    from bot.strategies.contract import Clocks, TimeLimit  # noqa: PLC0415  as above
    from bot.strategies.turn_tools import facts_from_fen  # noqa: PLC0415  as above

    facts = facts_from_fen(board.fen(), game.variant)
    opponent = game.opponent
    return replace(
        facts,
        game_id=game.game_id,
        color=game.side,
        initial_fen=game.initial_fen,
        moves=game.moves,
        clocks=Clocks(game.white_ms, game.black_ms, game.increment_ms, game.increment_ms),
        limit=TimeLimit(soft_ms=move_ms, hard_ms=3 * move_ms),
        opponent=replace(
            facts.opponent,
            id=opponent.id or None,
            name=opponent.name,
            title=opponent.title,
            rating=opponent.rating,
            ai_level=opponent.ai_level,
        ),
        speed=game.speed,
        rated=game.rated,
    )


# --- players around players -----------------------------------------------------------------------------


class At:
    """Does something more at given plies (counted when it is its turn), once a game each.

    Takebacks are proposed after the move, everything else comes before it; nobody moves after resigning,
    aborting or leaving.
    """

    def __init__(self, plan: Mapping[int, Sequence[Action]], inner: Player) -> None:
        self.thinks = inner.thinks
        self._plan = plan
        self._inner = inner
        self._done: set[tuple[str, int]] = set()

    def on_turn(self, board: chess.Board, game: Situation) -> Sequence[Action]:
        key = (game.game_id, game.ply)
        extra = () if key in self._done else tuple(self._plan.get(game.ply, ()))
        self._done.add(key)
        if any(isinstance(action, Resign | Abort | Leave) for action in extra):
            return extra
        before = [action for action in extra if not isinstance(action, Takeback)]
        after = [action for action in extra if isinstance(action, Takeback)]
        return (*before, *self._inner.on_turn(board, game), *after)

    def on_wait(self, game: Situation) -> Sequence[Action]:
        return self._inner.on_wait(game)


class Answers:
    """Answers the opponent's draw offers and takeback proposals; None leaves them unanswered."""

    def __init__(self, inner: Player, *, draws: bool | None = None, takebacks: bool | None = None) -> None:
        self.thinks = inner.thinks
        self._inner = inner
        self._draws = draws
        self._takebacks = takebacks

    def on_turn(self, board: chess.Board, game: Situation) -> Sequence[Action]:
        answers = self._answers(game)
        if any(answer.yes for answer in answers):
            return answers
        return (*answers, *self._inner.on_turn(board, game))

    def on_wait(self, game: Situation) -> Sequence[Action]:
        return (*self._answers(game), *self._inner.on_wait(game))

    def _answers(self, game: Situation) -> Sequence[Draw | Takeback]:
        answers: list[Draw | Takeback] = []
        if game.opponent_offers_draw and self._draws is not None:
            answers.append(Draw(self._draws))
        if game.opponent_proposes_takeback and self._takebacks is not None:
            answers.append(Takeback(self._takebacks))
        return tuple(answers)
