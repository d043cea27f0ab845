"""When a game is over: by the rules, by a tablebase, by scores that both players agree on. Pure.

Draws that can be claimed on the board as it stands are claimed.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, Protocol

import chess

from bot.lab.records import Result
from bot.strategies.contract import Thought

#: Both players have seen the same side so far ahead for so many of their moves in a row: it has won.
WIN_CP, WIN_MOVES = 1_000, 4
#: From this move on, neither player has seen more than this for so many of its moves in a row: a draw.
DRAW_FROM_MOVE, DRAW_CP, DRAW_MOVES = 40, 10, 8

Rules = Literal["rules", "agreed scores"]


def in_words(rules: Rules) -> str:
    """For the head of a journal: what `rules` means here and now."""
    if rules == "rules":
        return rules
    return (
        f"rules, and agreed scores: {WIN_CP} cp for {WIN_MOVES} moves of both wins; at most {DRAW_CP} cp for "
        f"{DRAW_MOVES} moves of both from move {DRAW_FROM_MOVE} on draws"
    )


@dataclass(frozen=True, slots=True)
class Ending:
    """The result of a game, and why, in a few words."""

    result: Result
    why: str


def by_the_rules(board: chess.Board) -> Ending | None:
    """Mate, stalemate, material that cannot mate, a position for the third time, fifty moves."""
    outcome = board.outcome()
    if outcome is not None:
        return Ending(outcome_result(outcome.winner), outcome.termination.name.lower().replace("_", " "))
    if board.is_repetition(3):
        return Ending("1/2-1/2", "threefold repetition")
    return Ending("1/2-1/2", "fifty moves") if board.is_fifty_moves() else None


def outcome_result(winner: chess.Color | None) -> Result:
    if winner is None:
        return "1/2-1/2"
    return "1-0" if winner == chess.WHITE else "0-1"


class Tablebase(Protocol):
    """What `chess.syzygy.Tablebase` can be asked; None: not in its files."""

    def get_wdl(self, board: chess.Board) -> int | None: ...

    def get_dtz(self, board: chess.Board) -> int | None: ...


def by_tablebase(board: chess.Board, tables: Tablebase, most_men: int) -> Ending | None:
    """What must come with best play under the fifty-move rule; None where that is not known for sure."""
    if chess.popcount(board.occupied) > most_men or board.castling_rights:
        return None
    wdl = tables.get_wdl(board)
    if wdl is None:
        return None
    if abs(wdl) < 2:  # 1: a win that the fifty moves come before
        return Ending("1/2-1/2", "tablebase")
    if board.halfmove_clock:  # the tables think that the count begins here
        dtz = tables.get_dtz(board)
        if dtz is None or abs(dtz) + board.halfmove_clock > 99:
            return None
    return Ending(outcome_result(board.turn if wdl > 0 else not board.turn), "tablebase")


class AgreedScores:
    """Hears what the players tell of their moves. A move about which nothing is told breaks a row."""

    def __init__(self) -> None:
        self._winning = {
            chess.WHITE: 0,
            chess.BLACK: 0,
        }  # moves in a row by either that see this side winning
        self._quiet = 0

    def after(self, board: chess.Board, thought: Thought | None) -> Ending | None:
        """`board` as it stands after the move, `thought` of the player that made it."""
        mover = not board.turn
        score = None if thought is None else _score_cp(thought)
        for side in chess.COLORS:
            sees = score is not None and (score if side == mover else -score) >= WIN_CP
            self._winning[side] = self._winning[side] + 1 if sees else 0
            if self._winning[side] >= 2 * WIN_MOVES:
                return Ending(outcome_result(side), "agreed scores")
        quiet = score is not None and abs(score) <= DRAW_CP
        self._quiet = self._quiet + 1 if quiet and board.fullmove_number >= DRAW_FROM_MOVE else 0
        return Ending("1/2-1/2", "agreed scores") if self._quiet >= 2 * DRAW_MOVES else None


def _score_cp(thought: Thought) -> int | None:
    if thought.mate_in is None:
        return thought.score_cp
    return 100_000 if thought.mate_in > 0 else -100_000
