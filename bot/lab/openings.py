"""The openings that games start from: the set that ships, or a file of EPD or PGN.

The set that ships has two moves a side; see the head of `openings.epd` for its origin.
"""

from __future__ import annotations

import hashlib
import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from importlib import resources
from pathlib import Path

import chess

from bot.errors import PositionError, UserError
from bot.lab.pgn_reading import PgnError, read_games
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
    Only standard chess.

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
        fen = f"{' '.join(fields[:4])} {board.halfmove_clock} {board.fullmove_number}"
    eco, name = str(operations.get("eco") or ""), str(operations.get("id") or "")
    if (comment := operations.get("c0")) is not None:
        first, _, rest = str(comment).partition(" ")
        is_code = len(first) == 3 and first[0] in "ABCDE" and first[1:].isdigit()
        eco, name = (first, rest) if is_code else (eco, str(comment))
    return Opening(_playable(fen), eco, name)


def _from_pgn(path: Path, text: str) -> Iterator[Opening]:
    try:
        for game in read_games(text):
            board = new_board("standard", game.start)
            for move in game.moves[:PGN_PLIES]:
                board.push(move)
            names = [
                name for key in ("Opening", "Variation") if (name := game.tags.get(key, "?")) not in ("", "?")
            ]
            eco = game.tags.get("ECO", "")
            try:
                start = _playable(board.fen(), game.tags.get("FEN"))
            except PositionError as error:
                raise PgnError(game.line, f"in the game that begins here: {error}") from error
            yield Opening(start, "" if eco == "?" else eco, ": ".join(names))
    except PgnError as error:
        raise UserError(f"openings {path}:{error.line}: {error}") from error


def _playable(fen: str, given: str | None = None) -> str:
    """`fen` in full. `given`: the FEN that it comes from, if that is another one.

    Raises PositionError for a position in which no game can go on, one where a draw can be claimed at once,
    and one with rights to castle that standard chess does not have: they would be lost without a word.
    """
    board = new_board("standard", fen)
    _check_castling(board if given is None else new_board("standard", given), given or fen)
    outcome = board.outcome(claim_draw=True)
    if outcome is not None:
        how = outcome.termination.name.lower().replace("_", " ")
        raise PositionError(f"the game is over, or a draw can be claimed ({how}), in {fen!r}")
    return board.fen()


def _check_castling(board: chess.Board, fen: str) -> None:
    given = fen.split()[2:3]
    if given and given != ["-"] and len(given[0]) != chess.popcount(board.clean_castling_rights()):
        raise PositionError(
            f"castling {given[0]!r}: king and rook of each right must stand where standard chess has them "
            f"(Chess960 is not played here), in {fen!r}"
        )
