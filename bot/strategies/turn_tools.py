"""One turn of a strategy: from its facts, through its two tools, to its move or its fault.

Used wherever a strategy plays: in the child process, on the command line, by scripted players.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, fields

import chess

from bot.errors import (
    IllegalMoveError,
    NoMoveError,
    PositionError,
    SecondMoveError,
    StrategyError,
)
from bot.events import Player
from bot.position import new_board, parse_move, to_uci
from bot.simulate_move import past_of, tool_for
from bot.strategies.blame import describe
from bot.strategies.contract import Clocks, Strategy, Tell, Thought, TimeLimit, Turn, TurnFacts, tell_nobody
from bot.strategies.diary import Diary


@dataclass(frozen=True, slots=True)
class Choice:
    """The move of a turn, in UCI as it is sent to Lichess.

    `note` is None, or one line on what went wrong after the move had been committed. `thought` is the last
    that the strategy told.
    """

    move: str
    note: str | None = None
    thought: Thought | None = None


class Commit:
    """The second tool, for one turn. `move` is the move that was committed, if any.

    The first fault is kept in `fault`, whatever the strategy does about the exception: a turn in which
    `play_move` went wrong is a failed turn.
    """

    def __init__(self, board: chess.Board, on_commit: Callable[[str], None] | None = None) -> None:
        self._board = board
        self._on_commit = on_commit
        self._closed = False
        self.move: str | None = None
        self.fault: StrategyError | None = None

    def play_move(self, move: str) -> None:
        """Commit `move` (UCI, castling in either notation) as the turn's move. Once.

        Raises IllegalMoveError for anything that is not a legal move of the turn's position, and
        SecondMoveError for every call after the first, whatever its move and whatever became of the first.
        """
        if self._closed:
            raise SecondMoveError(f"play_move({move!r}): this turn is over")
        if self.move is not None:
            raise self._keep(
                SecondMoveError(f"play_move({move!r}): {self.move} was played already in this turn")
            )
        if self.fault is not None:
            raise self._keep(
                SecondMoveError(f"play_move({move!r}): the turn's one call was used up by a bad move")
            )
        try:
            committed = to_uci(self._board, parse_move(self._board, move))
        except PositionError as error:
            raise self._keep(IllegalMoveError(f"play_move: {error}")) from None
        self.move = committed
        if self._on_commit is not None:
            self._on_commit(committed)

    def close(self) -> None:
        """The turn is over; a call that comes later (from a thread, or a kept tool) must not count."""
        self._closed = True

    def _keep(self, error: StrategyError) -> StrategyError:
        if self.fault is None:
            self.fault = error
        return error


def take_turn(
    strategy: Strategy,
    facts: TurnFacts,
    *,
    on_commit: Callable[[str], None] | None = None,
    on_thought: Tell = tell_nobody,
) -> Choice:
    """Let `strategy` choose the move of the turn that `facts` describes.

    `on_commit` is called with the move, in UCI as it is sent, at the moment it is committed: before the
    strategy returns, and before anything that may still go wrong. `on_thought` is called with each thought
    that the strategy tells.

    Raises IllegalMoveError or SecondMoveError for the first wrong call of `play_move`, even where the
    strategy caught it; NoMoveError when it returned without a call; StrategyError, in one line with file and
    line number, for an exception of its own. An exception after one correct call does not undo the move: it
    comes back as the choice's note. Raises PositionError when the facts themselves cannot be.
    """
    past = past_of(facts.variant, facts.initial_fen, facts.moves)
    commit = Commit(past.board, on_commit)
    diary = Diary(on_thought)
    turn = Turn(
        **{field.name: getattr(facts, field.name) for field in fields(TurnFacts)},
        simulate_move=tool_for(facts.variant, past),
        play_move=commit.play_move,
        tell=diary.tell,
    )
    own_error: str | None = None
    cause: BaseException | None = None
    try:
        strategy(turn)
    except (Exception, SystemExit) as error:  # noqa: BLE001  somebody else's code: whatever it raises is its answer
        own_error, cause = describe(error), error
    finally:
        commit.close()
    if commit.fault is not None:
        raise commit.fault from (None if cause is commit.fault else cause)
    if commit.move is not None:
        return Choice(commit.move, own_error, diary.last)
    if own_error is not None:
        raise StrategyError(own_error) from cause
    raise NoMoveError("the strategy returned without calling play_move")


def facts_from_fen(fen: str, variant: str = "standard") -> TurnFacts:
    """A turn in the position `fen` ("startpos": the variant's own start), outside of any game.

    Nothing was played before, there is no clock, nobody sits opposite, and there is time enough.
    Raises PositionError.
    """
    board = new_board(variant, fen)
    return TurnFacts(
        game_id="analysis",
        fen=board.fen(),
        color="white" if board.turn == chess.WHITE else "black",
        variant=variant,
        initial_fen=board.fen(),
        moves=(),
        clocks=Clocks(),
        limit=TimeLimit(soft_ms=5_000, hard_ms=15_000),
        opponent=Player(id=None, name="nobody"),
        speed="correspondence",
    )
