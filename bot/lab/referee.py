"""One game between two movers: asks them in turn, keeps their time, and says how it ended.

Whatever a player does wrong loses the game, and has a name. The referee measures with the clock it is given.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

import chess

from bot.errors import PositionError
from bot.events import Player, Side, Speed
from bot.lab.adjudication import AgreedScores, Ending, Tablebase, by_tablebase, by_the_rules, outcome_result
from bot.lab.budgets import Timer
from bot.lab.records import Fault, MoveRecord, Result, fitting
from bot.position import parse_move
from bot.strategies.contract import Clocks, Thought, TurnFacts
from bot.timing.clock import Clock


@dataclass(frozen=True, slots=True)
class Moved:
    """A move in UCI, and what the player last told of it."""

    uci: str
    thought: Thought | None = None


@dataclass(frozen=True, slots=True)
class Refused:
    """No move that counts: what went wrong, and one line on it."""

    fault: Fault
    detail: str


@dataclass(frozen=True, slots=True)
class Waiting:
    """There was none when the deadline had come; the mover has stopped its player."""


Reply = Moved | Refused | Waiting


class Mover(Protocol):
    def choose(self, facts: TurnFacts, deadline_ms: int) -> Reply:
        """Wait for the move of a turn, for so long at most."""
        ...


@dataclass(frozen=True, slots=True)
class Seat:
    """One side of the board."""

    name: str
    mover: Mover
    timer: Timer


@dataclass(frozen=True, slots=True)
class Rulebook:
    """What ends a game besides the rules of chess. `most_men`: of the largest tables."""

    max_plies: int
    agreed_scores: bool = False
    tables: Tablebase | None = None
    most_men: int = 0


@dataclass(frozen=True, slots=True)
class Played:
    """How a game went; see `records.GameRecord`."""

    result: Result
    ending: str
    moves: tuple[MoveRecord, ...]
    fault: Fault | None = None
    fault_by: Side | None = None
    detail: str | None = None


def play(
    white: Seat, black: Seat, opening: str, *, game_id: str, speed: Speed, book: Rulebook, clock: Clock
) -> Played:
    """Play on from `opening` (a FEN of standard chess) to the end."""
    board = chess.Board(opening)
    moves: list[MoveRecord] = []
    agreed = AgreedScores() if book.agreed_scores else None
    ending = _over(board, book, moves)
    while ending is None:
        seat, other = (white, black) if board.turn == chess.WHITE else (black, white)
        color: Side = "white" if board.turn == chess.WHITE else "black"
        clocks = Clocks(
            white.timer.remaining_ms,
            black.timer.remaining_ms,
            white.timer.increment_ms,
            black.timer.increment_ms,
        )
        allowance = seat.timer.allow(clocks, color, len(moves) // 2)
        facts = TurnFacts(
            game_id=game_id,
            fen=board.fen(),
            color=color,
            variant="standard",
            initial_fen=opening,
            moves=tuple(move.uci for move in moves),
            clocks=clocks,
            limit=allowance.told,
            opponent=Player(id=None, name=other.name),
            speed=speed,
        )
        left_ms = seat.timer.remaining_ms
        began = clock.monotonic()
        reply = seat.mover.choose(facts, allowance.deadline_ms)
        elapsed_ms = round((clock.monotonic() - began) * 1000)
        if isinstance(reply, Refused):
            return _lost(color, reply, moves)
        if not seat.timer.spend(elapsed_ms) or isinstance(reply, Waiting):
            limit_ms = allowance.deadline_ms if left_ms is None else left_ms
            late = "no move" if isinstance(reply, Waiting) else f"{reply.uci} came"
            detail = f"{late} after {elapsed_ms / 1000:.3f} s of {limit_ms / 1000:g} s"
            return _lost(color, Refused(allowance.fault, detail), moves)
        try:
            board.push(parse_move(board, reply.uci))
        except PositionError as error:
            return _lost(color, Refused("illegal move", str(error)), moves)
        moves.append(_record(reply, elapsed_ms))
        ending = _over(board, book, moves)
        if agreed is not None and (decided := agreed.after(board, reply.thought)) is not None:
            ending = ending or decided
    return Played(ending.result, ending.why, tuple(moves))


def _over(board: chess.Board, book: Rulebook, moves: list[MoveRecord]) -> Ending | None:
    ending = by_the_rules(board)
    if ending is None and book.tables is not None:
        ending = by_tablebase(board, book.tables, book.most_men)
    if ending is None and len(moves) >= book.max_plies:
        ending = Ending("1/2-1/2", "maximum length")
    return ending


def _lost(color: Side, why: Refused, moves: list[MoveRecord]) -> Played:
    result = outcome_result(chess.BLACK if color == "white" else chess.WHITE)
    return Played(result, why.fault, tuple(moves), why.fault, color, why.detail)


def _record(reply: Moved, elapsed_ms: int) -> MoveRecord:
    thought = reply.thought
    if thought is None:
        return MoveRecord(reply.uci, elapsed_ms)
    return MoveRecord(
        reply.uci,
        elapsed_ms,
        fitting("score_cp", thought.score_cp),
        fitting("mate_in", thought.mate_in),
        fitting("depth", thought.depth),
        fitting("nodes", thought.nodes),
    )
