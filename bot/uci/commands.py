"""What a chess program tells an engine: lines of UCI, read into values. Pure.

A line that makes no sense raises CommandError, whose message can be shown; of a line that makes sense in
part, the rest is told in `remarks`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import chess

from bot.errors import KnightshiftError

#: As in the protocol; everything else that a `go` may hold is known to be left out.
_NUMBERS = ("wtime", "btime", "winc", "binc", "movestogo", "depth", "nodes", "mate", "movetime")
_FLAGS = ("infinite", "ponder")
_WORDS = frozenset((*_NUMBERS, *_FLAGS, "searchmoves", "perft"))
#: No number of a command is larger than this, or smaller than its negative: a month in milliseconds.
_LARGEST = 2_678_400_000
_LARGEST_NODES = 2**62
#: No game is longer, in plies.
_LARGEST_COUNTER = 1_000_000

#: A side has no more in chess, and the engine no room for more.
MOST_MEN = 16
#: What python-chess finds wrong with a position that can be played on all the same.
_HARMLESS = (
    chess.STATUS_BAD_CASTLING_RIGHTS
    | chess.STATUS_INVALID_EP_SQUARE
    | chess.STATUS_TOO_MANY_CHECKERS
    | chess.STATUS_IMPOSSIBLE_CHECK
    | chess.STATUS_TOO_MANY_WHITE_PAWNS
    | chess.STATUS_TOO_MANY_BLACK_PAWNS
)


class CommandError(KnightshiftError):
    """A line that is not a command, or that cannot be obeyed; the message says why, in one line."""


@dataclass(frozen=True, slots=True)
class Go:
    """How far to search; None where nothing was said. Times in milliseconds, `mate` in moves."""

    white_ms: int | None = None
    black_ms: int | None = None
    white_increment_ms: int = 0
    black_increment_ms: int = 0
    moves_to_go: int | None = None
    depth: int | None = None
    nodes: int | None = None
    mate: int | None = None
    move_time_ms: int | None = None
    infinite: bool = False
    ponder: bool = False
    search_moves: tuple[chess.Move, ...] = ()
    perft: int | None = None
    remarks: tuple[str, ...] = field(default=(), compare=False)


@dataclass(frozen=True, slots=True)
class SetOption:
    """`value` is "" where none was given, as for a button."""

    name: str
    value: str


def read_position(words: Sequence[str], *, chess960: bool) -> chess.Board:
    """The board that the words after `position` describe, its moves played. Raises CommandError."""
    if not words:
        raise CommandError("position: expected startpos or fen")
    kind, *rest = words
    moves_at = rest.index("moves") if "moves" in rest else len(rest)
    placement, moves = rest[:moves_at], rest[moves_at + 1 :]
    if kind == "startpos" and not placement:
        board = chess.Board(chess960=chess960)
    elif kind == "fen" and placement:
        board = _board(" ".join(placement), chess960=chess960)
    else:
        raise CommandError(f"position: expected startpos or fen FEN, found {_quoted(words)}")
    for number, text in enumerate(moves, start=1):
        try:
            board.push(_move(text, board))
        except ValueError:
            raise CommandError(
                f"position: move {number}, {_quoted([text])}, is not legal in {board.fen()}"
            ) from None
    return board


def _board(fen: str, *, chess960: bool) -> chess.Board:
    try:
        board = chess.Board(fen, chess960=chess960)
    except ValueError as error:
        raise CommandError(f"position: {_quoted([fen])} is no FEN: {_printable(str(error))}") from None
    if any(men.bit_count() > MOST_MEN for men in board.occupied_co):
        raise CommandError(f"position: {board.fen()} has more than {MOST_MEN} men of one side")
    wrong = board.status() & ~_HARMLESS
    if wrong:
        names = [status.name for status in chess.Status if status.name and status & wrong]
        words = ", ".join(name.lower().replace("_", " ") for name in names)
        raise CommandError(f"position: {board.fen()} cannot be played: {words}")
    if board.status() & chess.STATUS_INVALID_EP_SQUARE:  # no pawn has come by there
        board.ep_square = None
    board.halfmove_clock = min(board.halfmove_clock, _LARGEST_COUNTER)
    board.fullmove_number = min(board.fullmove_number, _LARGEST_COUNTER)
    return board


def read_go(words: Sequence[str], board: chess.Board) -> Go:
    """What the words after `go` ask for on `board`. What is not understood is left out, with a remark."""
    values: dict[str, int] = {}
    flags: set[str] = set()
    search_moves: list[chess.Move] = []
    remarks: list[str] = []
    waiting = list(words)
    while waiting:
        word = waiting.pop(0)
        if word in _FLAGS:
            flags.add(word)
        elif word == "searchmoves":
            while waiting and waiting[0] not in _WORDS:
                search_moves += _legal(waiting.pop(0), board, remarks)
        elif word in _WORDS:
            text = waiting.pop(0) if waiting and waiting[0] not in _WORDS else ""
            number = _whole(text, _LARGEST_NODES if word == "nodes" else _LARGEST)
            if number is None:
                remarks.append(f"go: {word} without a whole number is left out")
            else:
                values[word] = number
        else:
            remarks.append(f"go: {_quoted([word])} is left out")
    for word in ("movestogo", "depth", "nodes", "mate", "movetime"):
        if word in values and values[word] < 1:
            remarks.append(f"go: {word} {values[word]} is taken as 1")
            values[word] = 1
    return Go(
        white_ms=values.get("wtime"),
        black_ms=values.get("btime"),
        white_increment_ms=max(0, values.get("winc", 0)),
        black_increment_ms=max(0, values.get("binc", 0)),
        moves_to_go=values.get("movestogo"),
        depth=values.get("depth"),
        nodes=values.get("nodes"),
        mate=values.get("mate"),
        move_time_ms=values.get("movetime"),
        infinite="infinite" in flags,
        ponder="ponder" in flags,
        search_moves=tuple(dict.fromkeys(search_moves)),
        perft=values.get("perft"),
        remarks=tuple(remarks),
    )


def read_setoption(words: Sequence[str]) -> SetOption:
    """The words after `setoption`: name NAME [value VALUE], either of them of several words."""
    if len(words) < 2 or words[0] != "name":
        raise CommandError(f"setoption: expected name NAME value VALUE, found {_quoted(words)}")
    rest = list(words[1:])
    value_at = rest.index("value") if "value" in rest else len(rest)
    return SetOption(" ".join(rest[:value_at]), " ".join(rest[value_at + 1 :]))


def _legal(text: str, board: chess.Board, remarks: list[str]) -> list[chess.Move]:
    try:
        return [_move(text, board)]
    except ValueError:
        remarks.append(f"go: {_quoted([text])} is no legal move, and left out")
        return []


def _move(text: str, board: chess.Board) -> chess.Move:
    """Raises ValueError for what is not legal; python-chess lets a pass (0000) through."""
    move = board.parse_uci(text)
    if not move:
        raise ValueError("a pass is no legal move")
    return move


def _whole(text: str, largest: int) -> int | None:
    try:
        number = int(text)
    except ValueError:  # also for one of very many digits
        return None
    return max(-largest, min(largest, number))


def _quoted(words: Sequence[str]) -> str:
    text = _printable(" ".join(words))
    return repr(text if len(text) <= 80 else f"{text[:77]}...")


def _printable(text: str) -> str:
    return "".join(char if char.isprintable() else "?" for char in text)
