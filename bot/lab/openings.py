"""The openings that games start from: the set that ships, or a file of EPD or PGN.

The set that ships has two moves a side; see the head of `openings.epd` for its origin.
"""

from __future__ import annotations

import hashlib
import io
import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from importlib import resources
from pathlib import Path

import chess
import chess.pgn

from bot.errors import PositionError, UserError
from bot.position import new_board

#: How the set that ships is called where a run says what it was played from.
SHIPPED = "shipped"
#: Plies of each game of a PGN file that are taken.
PGN_PLIES = 16


@dataclass(frozen=True, slots=True)
class Opening:
    """A position to start from, as a full FEN; `eco` ("B20") and `name` are "" where nobody gave them."""

    fen: str
    eco: str = ""
    name: str = ""


@cache
def all_openings() -> tuple[Opening, ...]:
    """Those that ship, in the order of the file."""
    text = resources.files("bot.lab").joinpath("openings.epd").read_text(encoding="utf-8")
    return tuple(_known(line) for line in text.splitlines() if line and not line.startswith("#"))


def draw_openings(count: int, rng: random.Random) -> tuple[str, ...]:
    """`count` of those that ship by lot, as FENs; none comes twice before all have come once."""
    return tuple(opening.fen for opening in shuffled(all_openings(), count, rng))


def shuffled(openings: Sequence[Opening], count: int, rng: random.Random) -> tuple[Opening, ...]:
    """`count` of `openings` by lot; none comes twice before all have come once."""
    drawn: list[Opening] = []
    while len(drawn) < count:
        everything = list(openings)
        rng.shuffle(everything)
        drawn += everything
    return tuple(drawn[:count])


def opening_hash(openings: Sequence[Opening]) -> str:
    """Sixteen hexadecimal digits that tell one sequence of positions from another; names do not count."""
    return hashlib.sha256("\n".join(opening.fen for opening in openings).encode()).hexdigest()[:16]


def read_openings(path: Path) -> tuple[Opening, ...]:
    """The openings in `path`: PGN where its name ends so, else EPD or FEN, one a line; `#` begins a comment.

    Of an EPD, `c0 "B20 Sicilian Defense"` is read as ECO and name, `eco` and `id` as well. Of a PGN, the
    first 16 plies of the main line of each game. A position that comes again is left out.

    Raises UserError, with file and line, for what cannot be played from.
    """
    try:
        text = path.read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        why = error.strerror if isinstance(error, OSError) else "it is not UTF-8 text"
        raise UserError(f"openings {path}: cannot be read: {why}") from error
    found = _from_pgn(path, text) if path.suffix.lower() == ".pgn" else _from_epd(path, text)
    unique = {opening.fen: opening for opening in found}
    if not unique:
        raise UserError(f"openings {path}: there are none in it")
    return tuple(unique.values())


def _known(line: str) -> Opening:
    """A line of the set that ships: no need to look twice, and 7,314 of them would take a second."""
    position, _, operations = line.partition(" hmvc ")
    clock, number, comment = operations.split(";")[:3]
    eco, _, name = comment.partition('"')[2].rstrip('"').partition(" ")
    return Opening(f"{position} {clock} {number.removeprefix(' fmvn ')}", eco, name)


def _from_epd(path: Path, text: str) -> Iterator[Opening]:
    for number, line in enumerate(text.splitlines(), start=1):
        content = line.strip()
        if not content or content.startswith("#"):
            continue
        try:
            yield _epd_line(content)
        except ValueError as error:
            raise UserError(f"openings {path}:{number}: {error}") from error


def _epd_line(line: str) -> Opening:
    fields = line.split()
    operations: dict[str, object] = {}
    if len(fields) == 6 and fields[4].isdigit() and fields[5].isdigit():
        fen = line
    else:
        board = chess.Board()
        operations = dict(board.set_epd(line))
        fen = board.fen()
    eco, name = str(operations.get("eco") or ""), str(operations.get("id") or "")
    if (comment := operations.get("c0")) is not None:
        first, _, rest = str(comment).partition(" ")
        is_code = len(first) == 3 and first[0] in "ABCDE" and first[1:].isdigit()
        eco, name = (first, rest) if is_code else (eco, str(comment))
    return Opening(_playable(fen), eco, name)


def _from_pgn(path: Path, text: str) -> Iterator[Opening]:
    stream = io.StringIO(text)
    line = 1
    while True:
        begin = stream.tell()
        game = chess.pgn.read_game(stream)
        if game is None:
            return
        read = text[begin : stream.tell()]
        at = line + len(read[: len(read) - len(read.lstrip())].splitlines())
        line += read.count("\n")
        if game.errors:
            raise UserError(f"openings {path}:{at}: in the game that begins here: {game.errors[0]}")
        if game.headers.get("Variant", "Standard").lower() not in ("standard", "from position"):
            raise UserError(f"openings {path}:{at}: a game of {game.headers['Variant']}; only standard chess")
        node: chess.pgn.GameNode = game
        while node.variations and node.ply() - game.ply() < PGN_PLIES:
            node = node.variations[0]
        headers = game.headers
        names = [name for key in ("Opening", "Variation") if (name := headers.get(key, "?")) not in ("", "?")]
        eco = headers.get("ECO", "")
        try:
            yield Opening(_playable(node.board().fen()), "" if eco == "?" else eco, ": ".join(names))
        except ValueError as error:
            raise UserError(f"openings {path}:{at}: {error}") from error


def _playable(fen: str) -> str:
    """`fen` in full. Raises PositionError for a position in which no game can go on."""
    board = new_board("standard", fen)
    if board.outcome() is not None:
        raise PositionError(f"the game is over in {fen!r}")
    return board.fen()
