"""What a search found, in the terms of the world outside."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import chess

from bot.engine.position import to_chess
from bot.engine.scores import DECISIVE, MATE


@dataclass(frozen=True, slots=True)
class Found:
    """A move, and what it is worth to the side to move.

    `score_cp` in centipawns, or None with `mate_in` in moves, negative when it is being mated. `depth`: the
    iteration that found it, in plies; 0: none was finished. `seldepth`: the furthest ply that was looked at.
    `nodes`: positions searched by all threads, and `elapsed_s`: seconds, since the search began. `hashfull`:
    entries of this search in the table, in thousandths. `pv`: the line that it expects, `move` first.
    `line`: 1 for the best move, 2 for the next best ...
    """

    move: chess.Move
    depth: int
    nodes: int
    elapsed_s: float
    score_cp: int | None = None
    mate_in: int | None = None
    pv: tuple[chess.Move, ...] = ()
    seldepth: int = 0
    hashfull: int = 0
    line: int = 1


def outside(score: int) -> tuple[int | None, int | None]:
    """Centipawns, or the moves to a mate: (score_cp, mate_in) of an engine's score."""
    if abs(score) < DECISIVE:
        return score, None
    moves = (MATE - abs(score) + 1) // 2
    return None, moves if score > 0 else -moves


def legal_line(moves: Sequence[int], board: chess.Board) -> tuple[chess.Move, ...]:
    """The engine's moves as python-chess has them, as far as it agrees that they are legal on `board`."""
    shown = board.copy(stack=False)
    line: list[chess.Move] = []
    for each in moves:
        move = to_chess(each, shown)
        if not shown.is_legal(move):
            break
        line.append(move)
        shown.push(move)
    return tuple(line)
