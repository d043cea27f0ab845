"""Suites of positions with best moves: those that ship, and EPD files of anybody's own.

A line of such a file is a position, its best moves (`bm`, one or more, in SAN) and a name (`id`); `#` begins
a comment. For the origin of the suites that ship, and how they were checked, see the heads of their files.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from importlib import resources
from pathlib import Path
from types import MappingProxyType

import chess

from bot.errors import UserError
from bot.position import new_board

#: The suites that ship: their files in `bot/bench/suites`.
SHIPPED: Mapping[str, str] = MappingProxyType({"bk": "bratko_kopec.epd", "wac": "win_at_chess.epd"})
#: All that ship.
ALL = "all"


@dataclass(frozen=True, slots=True)
class Problem:
    """A position of standard chess (a full FEN), and the moves that solve it, in UCI."""

    name: str
    fen: str
    best: tuple[str, ...]

    def in_san(self, uci: str) -> str:
        """A legal move as people write it."""
        board = chess.Board(self.fen)
        return board.san(board.parse_uci(uci))


@dataclass(frozen=True, slots=True)
class Suite:
    """`problems`: none of them has the name of another."""

    name: str
    problems: tuple[Problem, ...]


def suites(which: str) -> tuple[Suite, ...]:
    """`which`: `all`, the name of a suite that ships, or the path of an EPD file (it ends in .epd).

    Raises UserError, with file and line, for what cannot be used.
    """
    if which == ALL:
        return tuple(shipped(name) for name in SHIPPED)
    if which in SHIPPED:
        return (shipped(which),)
    if not which.endswith(".epd"):
        names = ", ".join([ALL, *SHIPPED])
        raise UserError(f"--suite {which}: it must be {names}, or the path of an .epd file")
    path = Path(which)
    try:
        text = path.read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        why = error.strerror if isinstance(error, OSError) else "it is not UTF-8 text"
        raise UserError(f"--suite {which}: cannot be read: {why}") from error
    return (parse_suite(path.stem, text, which),)


def shipped(name: str) -> Suite:
    """The suite of that name in `SHIPPED`."""
    file = SHIPPED[name]
    text = resources.files("bot.bench").joinpath("suites", file).read_text(encoding="utf-8")
    return parse_suite(name, text, file)


def parse_suite(name: str, text: str, where: str) -> Suite:
    """The suite called `name` from the text of an EPD file; `where` is what errors call the file.

    Raises UserError.
    """
    problems: dict[str, Problem] = {}
    for number, line in enumerate(text.splitlines(), start=1):
        content = line.strip()
        if not content or content.startswith("#"):
            continue
        try:
            problem = _problem(content)
            if problem.name in problems:
                raise ValueError(f"the id {problem.name!r} comes a second time")
        except ValueError as error:
            raise UserError(f"{where}:{number}: {error}") from error
        problems[problem.name] = problem
    if not problems:
        raise UserError(f"{where}: there are no positions in it")
    return Suite(name, tuple(problems.values()))


def _problem(line: str) -> Problem:
    operations = chess.Board().set_epd(line)
    fen = new_board("standard", " ".join([*line.split()[:4], "0", "1"])).fen()
    best, name = operations.get("bm"), operations.get("id")
    if not isinstance(best, list) or not best:
        raise ValueError("there is no best move (bm)")
    if not isinstance(name, str) or not name:
        raise ValueError("there is no name (id)")
    return Problem(name, fen, tuple(move.uci() for move in best))
