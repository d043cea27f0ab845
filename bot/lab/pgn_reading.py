"""Reads the games of a PGN file strictly: what is neither a move that is legal there nor one of the few other
things that may stand between moves is an error, and not left out."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

import chess

from bot.errors import PositionError
from bot.position import new_board

#: `%` at the beginning of a line is an escape: the line says nothing.
_TAG_PAIR = re.compile(r'\[\s*(\w+)\s+"((?:[^"\\]|\\.)*)"\s*\]')
_TOKEN = re.compile(
    r"""(?P<gap>\s+|;[^\n]*|(?m:^%[^\n]*))
      | (?P<comment>\{[^}]*\})
      | (?P<tag>\[)
      | (?P<result>(?:1-0|0-1|1/2-1/2|\*)(?![^\s(){};\[]))
      | (?P<begin>\()
      | (?P<end>\))
      | (?P<nag>\$\d+|[!?]{1,2})
      | (?P<number>\d+\.+|\d+(?=\s)|\.+(?=\s))
      | (?P<san>[A-Za-z0][^\s(){};!?$]*)
    """,
    re.VERBOSE,
)
STANDARD = ("standard", "from position", "chess", "normal")


class PgnError(PositionError):
    """What is wrong with a game, and in which line (from 1)."""

    def __init__(self, line: int, reason: str) -> None:
        super().__init__(reason)
        self.line = line


@dataclass(slots=True)
class Game:
    """`line` (from 1) is where it begins. `moves` of the main line, from `start`, a FEN."""

    line: int
    tags: Mapping[str, str]
    start: str
    moves: list[chess.Move] = field(default_factory=list)


def read_games(text: str) -> Iterator[Game]:
    """The games of `text`, each with all of its lines checked. Raises PgnError."""
    at = 0
    while (begin := _skip_gap(text, at)) < len(text):
        line = text.count("\n", 0, begin) + 1
        tags, at = _tags(text, begin)
        game = Game(line, tags, _start(tags, line).fen())
        at = _movetext(text, at, game)
        if not game.moves:
            raise PgnError(line, "a game without moves begins here")
        yield game


def _tags(text: str, at: int) -> tuple[dict[str, str], int]:
    tags: dict[str, str] = {}
    at = _skip_gap(text, at)
    while text.startswith("[", at):
        found = _TAG_PAIR.match(text, at)
        if found is None:
            raise PgnError(_line(text, at), f"{_word(text, at)!r} begins no tag pair")
        tags[found[1]] = re.sub(r"\\(.)", r"\1", found[2])
        at = _skip_gap(text, found.end())
    return tags, at


def _start(tags: Mapping[str, str], line: int) -> chess.Board:
    variant = tags.get("Variant", "Standard")
    if variant.lower() not in STANDARD:
        raise PgnError(line, f"a game of {variant}; only standard chess")
    try:
        return new_board("standard", tags.get("FEN", "startpos"))
    except PositionError as error:
        raise PgnError(line, str(error)) from error


def _movetext(text: str, at: int, game: Game) -> int:
    """Read up to the end of the game; returns where the next one may begin."""
    board = new_board("standard", game.start)
    begun: list[chess.Board] = []  # as they stood where the variations within which we are were begun
    while at < len(text):
        token = _TOKEN.match(text, at)
        if token is None:
            raise PgnError(_line(text, at), f"{_word(text, at)!r} is nothing that stands between moves")
        kind = token.lastgroup
        if kind == "tag" and not begun:
            return at  # of the next game: this one has no result
        if kind == "result" and not begun:
            return token.end()
        if kind == "begin":
            if not board.move_stack:
                raise PgnError(_line(text, at), "a variation begins before any move")
            begun.append(board)
            board = board.copy()
            board.pop()
        elif kind == "end":
            if not begun:
                raise PgnError(_line(text, at), "a variation ends that has not begun")
            board = begun.pop()
        elif kind == "san":
            move = _move(board, text, token)
            board.push(move)
            if not begun:
                game.moves.append(move)
        elif kind == "tag":
            raise PgnError(_line(text, at), "'[' stands between moves")
        at = token.end()
    if begun:
        raise PgnError(_line(text, at), "a variation has no end")
    return at


def _move(board: chess.Board, text: str, token: re.Match[str]) -> chess.Move:
    try:
        move = board.parse_san(token[0])
    except ValueError:
        raise PgnError(
            _line(text, token.start()), f"{token[0]!r} is no legal move in {board.fen()}"
        ) from None
    if not move:
        raise PgnError(_line(text, token.start()), f"{token[0]!r} is no move")
    return move


def _skip_gap(text: str, at: int) -> int:
    """Over white space and comments."""
    while (token := _TOKEN.match(text, at)) is not None and token.lastgroup in ("gap", "comment"):
        at = token.end()
    return at


def _word(text: str, at: int) -> str:
    return text[at : at + 40].split(maxsplit=1)[0]


def _line(text: str, at: int) -> int:
    return text.count("\n", 0, at) + 1
