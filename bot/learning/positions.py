"""The file format of positions to learn from: one line of JSON, then records of 32 bytes until the end.

The header says how the positions were made, and what they sum up to; see `Header`. Several files make a data
set: a folder with `*.positions`. Everything is little-endian.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field, fields
from pathlib import Path
from typing import Any, TypeAlias

import chess
import numpy as np

from bot.errors import UserError
from bot.learning.record_check import first_fault

FORMAT, VERSION = "knightshift positions", 1
#: How the names of such files end.
SUFFIX = ".positions"

POSITION = np.dtype(
    [
        ("occupied", "<u8"),  # squares: a1 is bit 0, h8 bit 63
        (
            "men",
            "u1",
            16,
        ),  # a nibble a man, in the order of their squares, the lower nibble first: see `men_of`
        ("score", "<i2"),  # of a search: centipawns for the side to move, at most MOST_SCORE either way
        ("result", "u1"),  # of the game, for the side to move: LOSS, DRAW or WIN
        ("turn", "u1"),  # who is to move: 1 White, 0 Black
        ("ply", "<u2"),  # since the start of the game
        ("reserved", "u1", 2),
    ]
)
LOSS, DRAW, WIN = 0, 1, 2
MOST_SCORE = 3000
#: A header is not longer, in bytes.
MOST_HEADER = 1 << 16

Positions: TypeAlias = "np.ndarray[Any, np.dtype[np.void]]"


class PositionsError(UserError):
    """A file that does not hold positions as it should; the message names it, and what is wrong."""


@dataclass(frozen=True, slots=True)
class Header:
    """The first line of a file.

    `settings`: of the generator. `engine`, `generator`: digests of the sources that made the positions;
    `network`: of the weights they were judged with, 8 digits, or "none" for the hand-written evaluation.
    `counts`: what the games of this file sum up to, `counts["positions"]` the records that follow.
    """

    seed: int
    shard: int
    settings: Mapping[str, Any]
    engine: str
    generator: str
    network: str
    project: str
    counts: Mapping[str, int]
    format: str = field(default=FORMAT)
    version: int = field(default=VERSION)
    record_bytes: int = field(default=POSITION.itemsize)

    @property
    def origin(self) -> dict[str, Any]:
        """All that decides what the games of a seed are."""
        return {
            **self.settings,
            "network": self.network,
            "engine": self.engine,
            "generator": self.generator,
        }


def encoded(header: Header, positions: Positions) -> bytes:
    """The bytes of a file."""
    line = json.dumps(asdict(header), sort_keys=True, allow_nan=False)
    return line.encode() + b"\n" + np.ascontiguousarray(positions, dtype=POSITION).tobytes()


def read_header(path: Path) -> Header:
    """The header of a file whose size is as it says. Raises PositionsError."""
    return _read_header(path)[0]


def read_file(path: Path) -> tuple[Header, Positions]:
    """The header of a file, and its positions: read from the disk where they are looked at (a read-only
    memmap). Raises PositionsError, also for a record that is no position, with its number in the file, from
    0."""
    header, begin = _read_header(path)
    count = header.counts["positions"]
    if count == 0:
        return header, np.empty(0, POSITION)
    found = np.memmap(path, POSITION, mode="r", offset=begin, shape=(count,))
    row = first_fault(found, most_score=MOST_SCORE)
    if row is not None:
        raise PositionsError(f"{path}: position {row}: {_fault(found[row])}")
    return header, found


def read_positions(paths: Iterable[Path]) -> Positions:
    """The positions of these files, and of the files in these folders, in memory, one after the other.

    Raises PositionsError.
    """
    parts = [read_file(path)[1] for path in files_of(paths)]
    return np.concatenate(parts) if parts else np.empty(0, POSITION)


def files_of(paths: Iterable[Path]) -> list[Path]:
    """These files, and in place of a folder its files of positions, by name. Raises PositionsError for what
    is not there, and for a folder without any."""
    found: list[Path] = []
    for path in paths:
        if not path.is_dir():
            if not path.exists():
                raise PositionsError(f"{path}: there is no such file")
            found.append(path)
            continue
        inside = sorted(path.glob(f"*{SUFFIX}"))
        if not inside:
            raise PositionsError(f"{path}: there is no file of positions (*{SUFFIX}) in this folder")
        found += inside
    return found


def men_of(record: np.void) -> list[tuple[int, chess.Piece]]:
    """The men of a position with their squares, by square.

    A nibble is python-chess's piece type, 1 pawn to 6 king, and 8 more for White. Raises ValueError for
    other nibbles, and for more men than there is room for.
    """
    occupied = int(record["occupied"])
    if occupied.bit_count() > 32:
        raise ValueError(f"{occupied.bit_count()} men, where 32 is the most")
    found = []
    for number, square in enumerate(chess.scan_forward(occupied)):
        nibble = int(record["men"][number >> 1]) >> 4 * (number & 1) & 15
        if not 1 <= nibble & 7 <= 6:
            raise ValueError(f"nobody is a {nibble}, which stands on {chess.square_name(square)}")
        found.append((square, chess.Piece(nibble & 7, bool(nibble & 8))))
    return found


def to_board(record: np.void) -> chess.Board:
    """The position on a board. Rights to castle, and what can be taken in passing, are not in a record: there
    are none on the board. The move number is the record's. Raises ValueError; see `men_of`."""
    board = chess.Board(None)
    for square, piece in men_of(record):
        board.set_piece_at(square, piece)
    board.turn = bool(record["turn"])
    board.fullmove_number = int(record["ply"]) // 2 + 1
    return board


def from_board(board: chess.Board, *, score: int, result: int) -> np.void:
    """The record of the position on `board`, for tests and for positions from elsewhere.

    `score`, `result`: as in POSITION; the score is clipped. Raises ValueError for more than 32 men.
    """
    squares = list(chess.scan_forward(board.occupied))
    if len(squares) > 32:
        raise ValueError(f"{len(squares)} men, where 32 is the most")
    record = np.zeros(1, POSITION)[0]
    for number, square in enumerate(squares):
        piece = board.piece_at(square)
        assert piece is not None  # noqa: S101  the square is occupied
        record["men"][number >> 1] |= (piece.piece_type + 8 * piece.color) << 4 * (number & 1)
    record["occupied"] = board.occupied
    record["score"] = max(-MOST_SCORE, min(MOST_SCORE, score))
    record["result"] = result
    record["turn"] = board.turn
    record["ply"] = board.ply()
    return record


def _fault(record: np.void) -> str:
    """What is wrong with a record in which something is."""
    score, result, turn = int(record["score"]), int(record["result"]), int(record["turn"])
    if result > WIN:
        return f"its result is {result}, and can be 0, 1 or 2"
    if turn > 1:
        return f"its turn is {turn}, and can be 0 or 1"
    if abs(score) > MOST_SCORE:
        return f"its score is {score}, and can be {MOST_SCORE} either way"
    try:
        men = [piece for _, piece in men_of(record)]
    except ValueError as error:
        return str(error)
    for color, name in ((chess.WHITE, "White"), (chess.BLACK, "Black")):
        own = [piece for piece in men if piece.color == color]
        kings = sum(piece.piece_type == chess.KING for piece in own)
        if kings != 1:
            return f"{name} has {kings} kings"
        if len(own) > 16:
            return f"{name} has {len(own)} men, where 16 is the most"
    return "there is a pawn on the first or the last rank"


def _read_header(path: Path) -> tuple[Header, int]:
    """The header, and where the records begin."""
    try:
        with path.open("rb") as file:
            line = file.readline(MOST_HEADER)
            size = file.seek(0, 2)
    except OSError as error:
        raise PositionsError(f"{path} cannot be read: {error.strerror or error}") from error
    header = _parsed(path, line)
    expected = len(line) + header.counts["positions"] * POSITION.itemsize
    if size != expected:
        what = "cut short" if size < expected else "longer than it should be"
        raise PositionsError(f"{path} is {what}: {size} bytes, and by its header {expected}")
    return header, len(line)


def _parsed(path: Path, line: bytes) -> Header:
    if not line.startswith(b"{") or not line.endswith(b"\n"):
        raise PositionsError(f"{path} is no file of positions: its first line is no JSON object")
    try:
        found = json.loads(line)
    except ValueError as error:
        raise PositionsError(f"{path}: its first line cannot be read: {error}") from error
    if found.get("format") != FORMAT:
        raise PositionsError(f"{path} is no file of positions: its format is {found.get('format')!r}")
    if found.get("version") != VERSION or found.get("record_bytes") != POSITION.itemsize:
        raise PositionsError(
            f"{path} is of version {found.get('version')!r}, with records of {found.get('record_bytes')!r} "
            f"bytes; this program reads version {VERSION}, with {POSITION.itemsize}"
        )
    kinds: Sequence[tuple[str, type]] = (
        ("seed", int),
        ("shard", int),
        ("settings", dict),
        ("engine", str),
        ("generator", str),
        ("network", str),
        ("project", str),
        ("counts", dict),
    )
    for name, kind in kinds:
        if not isinstance(found.get(name), kind):
            raise PositionsError(f"{path}: its header has no proper {name!r}: {found.get(name)!r}")
    counts = found["counts"]
    if (
        not all(isinstance(count, int) and count >= 0 for count in counts.values())
        or "positions" not in counts
    ):
        raise PositionsError(f"{path}: the counts of its header are not what they should be: {counts!r}")
    return Header(**{known.name: found[known.name] for known in fields(Header)})
