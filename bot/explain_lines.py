"""What the compiled engine makes of a position: its best lines, for `knightshift explain`."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import chess
from rich import box
from rich.console import Console
from rich.table import Table
from rich.text import Text

from bot.engine.warm import NO_NUMBA, readiness
from bot.search.limits import Limits
from bot.timing.clock import Clock
from bot.warm_command import WARM, run_warm

if TYPE_CHECKING:
    from bot.engine.found import Found

#: Milliseconds of a search that nobody has limited.
TIME_MS = 1_000
#: Of a line so many plies are shown: two rows of a narrow terminal.
SHOWN_PLIES = 16
#: How often, in seconds, a search that goes on lets Ctrl-C through.
LISTENS_EVERY_S = 0.1


@dataclass(frozen=True, slots=True)
class Wanted:
    """How many lines, and how far the search for them goes."""

    lines: int
    limits: Limits


def wanted(lines: int, *, time_ms: int | None, depth: int | None) -> Wanted:
    """As asked for on a command line: where nobody has set a limit, it is `TIME_MS`."""
    if time_ms is None and depth is None:
        time_ms = TIME_MS
    return Wanted(lines, Limits(depth=depth, hard_s=None if time_ms is None else time_ms / 1000))


def show_lines(board: chess.Board, asked: Wanted, *, console: Console, errors: Console, clock: Clock) -> None:
    """Search `board`, which has a legal move, and print the best lines; where that cannot be, a sentence.

    `errors` hears of an engine that has to be compiled first.
    """
    try:
        found = _search(board, asked, errors=errors, clock=clock)
    except _CannotError as why:
        console.print(f"No lines of the engine: {why}.", highlight=False)
        return
    for part in (_heading(found), _table(found, board), _key(found)):
        console.print(part)


def score_text(found: Found, turn: chess.Color) -> str:
    """From White's side: pawns, such as `+0.35`, or `#3` and `#-3`, where White mates or is mated in 3."""
    sign = 1 if turn == chess.WHITE else -1
    if found.mate_in is not None:
        return f"#{sign * found.mate_in}"
    return f"{sign * (found.score_cp or 0) / 100:+.2f}" if found.score_cp else "0.00"


def line_text(moves: Sequence[chess.Move], board: chess.Board) -> str:
    """`11.Bd3 Bd7 12.e4`, or `11...Bd7 12.e4`: a number and its move are one word, which no line break
    parts."""
    shown = board.copy(stack=False)
    words: list[str] = []
    for move in moves[:SHOWN_PLIES]:
        number = f"{shown.fullmove_number}."
        if shown.turn == chess.BLACK:
            number = "" if words else f"{number}.."
        words.append(f"{number}{shown.san(move)}")
        shown.push(move)
    return " ".join(words)


class _CannotError(Exception):
    """The engine has nothing to say about this position; the message says why."""


class Iterations:
    """Hears of a search, line by line, and keeps the newest iteration that has all of its lines."""

    def __init__(self, lines: int) -> None:
        self._lines = lines
        self._next: list[Found] = []
        #: The best line first; empty until the first iteration is done.
        self.whole: tuple[Found, ...] = ()

    def hear(self, found: Found) -> None:
        if self._next and found.depth != self._next[0].depth:
            self._next = []
        self._next.append(found)
        if len(self._next) == self._lines:
            self.whole = tuple(sorted(self._next, key=_worth, reverse=True))


def _worth(found: Found) -> float:
    """Orders scores of one side: a mate that is near is better than one that is far."""
    if found.mate_in is None:
        return found.score_cp or 0
    return 1e6 / found.mate_in


def _search(board: chess.Board, asked: Wanted, *, errors: Console, clock: Clock) -> tuple[Found, ...]:
    """The best lines, the best one first. Raises _CannotError."""
    if type(board) is not chess.Board:
        raise _CannotError("it plays chess and Chess960, and no other variant")
    ready = readiness()
    if ready == "missing":
        raise _CannotError(NO_NUMBA)
    if ready == "cold" and run_warm(errors, clock) != WARM:
        raise _CannotError("it could not be compiled")
    try:
        from bot.engine.position import playable  # noqa: PLC0415  numba, and the engine's machine code
        from bot.engine.searcher import Searcher  # noqa: PLC0415
    except ImportError as error:  # numba is there, and fits nothing else: numpy may be too new for it
        raise _CannotError(f"it cannot be loaded ({error})") from error
    if not playable(board):
        raise _CannotError("one side has more men than a game begins with, which it cannot play")
    searcher = Searcher(clock=clock)
    heard = Iterations(min(asked.lines, board.legal_moves.count()))
    last: list[Found] = []

    def search() -> None:
        last.append(searcher.search(board, asked.limits, report=heard.hear, lines=asked.lines))

    searcher.begin()
    thread = threading.Thread(target=search, name="search", daemon=True)
    thread.start()
    try:
        while thread.is_alive():  # machine code hears no Ctrl-C, so it is another thread's
            thread.join(LISTENS_EVERY_S)
    finally:
        searcher.stop()
        thread.join()
    return heard.whole or tuple(last)


def _heading(found: Sequence[Found]) -> Text:
    newest = max(found, key=lambda each: each.elapsed_s)
    return Text(
        f"The engine, {newest.depth} plies deep in {newest.elapsed_s:.2f} s "
        f"({newest.nodes:,} positions), expects:"
    )


def _table(found: Sequence[Found], board: chess.Board) -> Table:
    table = Table(box=box.SIMPLE_HEAD, padding=(0, 1, 0, 0))
    table.add_column("score", justify="right", no_wrap=True)
    table.add_column("line", overflow="fold")
    for number, each in enumerate(found):
        table.add_row(
            score_text(each, board.turn),
            line_text(each.pv or (each.move,), board),
            style="" if number else "bold",
        )
    return table


def _key(found: Sequence[Found]) -> Text:
    mates = "; #3: White mates in 3 moves, #-3: Black does" if any(each.mate_in for each in found) else ""
    return Text(f"Scores in pawns from White's side{mates}.", style="dim")
