"""What an engine tells a chess program: lines of UCI. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import chess

if TYPE_CHECKING:
    from bot.engine.found import Found


def info(found: Found, board: chess.Board) -> str:
    """The line for what a search of `board` has found so far."""
    score = f"mate {found.mate_in}" if found.mate_in is not None else f"cp {found.score_cp}"
    time_ms = round(found.elapsed_s * 1000)
    return (
        f"info depth {found.depth} seldepth {found.seldepth} multipv {found.line} score {score} "
        f"nodes {found.nodes} nps {found.nodes * 1000 // max(1, time_ms)} hashfull {found.hashfull} "
        f"time {time_ms} pv {' '.join(line(found.pv, board))}"
    )


def line(moves: Sequence[chess.Move], board: chess.Board) -> list[str]:
    """The moves in UCI, as `board.chess960` wants castling written."""
    shown = board.copy(stack=False)
    words = []
    for move in moves:
        words.append(shown.uci(move))
        shown.push(move)
    return words


def bestmove(moves: Sequence[chess.Move], board: chess.Board) -> str:
    """The answer to a `go`: the first of `moves`, and the second as what to ponder on."""
    words = line(moves[:2], board)
    if not words:
        return "bestmove (none)"
    return f"bestmove {words[0]}" + (f" ponder {words[1]}" if len(words) > 1 else "")


def remark(text: str) -> str:
    """Words for a person to read."""
    return f"info string {' '.join(text.split())}"
