"""`knightshift move`: positions in, moves out, a line each."""

from __future__ import annotations

import logging
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TextIO

from rich.console import Console

from bot.errors import KnightshiftError, PositionError, StrategyError, UserError
from bot.nursery import Nursery
from bot.strategies import registry
from bot.strategies.turn_tools import facts_from_fen
from bot.thinker import Thinker
from bot.timing.clock import SystemClock
from bot.warming import warm_for


def run_move(fen: str, strategy: str, variant: str, *, stdin: TextIO, stdout: TextIO, stderr: TextIO) -> int:
    """Print a move for each position; returns the exit code.

    `fen` "-": a FEN a line from `stdin`. A line that cannot be answered is answered by a line on `stderr`
    and an empty line on `stdout`, so that the answers keep their places; the exit code is then 1. Raises
    UserError for a strategy that cannot be loaded, and for a single position that cannot be played.

    The strategy runs in a process of its own, as it does in a game. What it prints goes to `stderr`.
    """
    nursery = Nursery()
    failures = 0
    try:
        spec = registry.parse_spec(strategy, search_path=(str(Path.cwd()),))
        warm_for({spec.name}, Console(file=stderr), SystemClock())
        with _prints_shown(stderr), Thinker(spec, nursery) as thinker:
            thinker.load()
            for where, position in _positions(fen, stdin):
                try:
                    print(_move(thinker, position, variant), file=stdout, flush=True)
                except KnightshiftError as error:
                    if isinstance(error, PositionError) and fen != "-":
                        raise UserError(str(error)) from error
                    failures += 1
                    print(file=stdout, flush=True)
                    print(f"{where}{error}", file=stderr, flush=True)
    finally:
        nursery.close()
    return 1 if failures else 0


def _positions(fen: str, stdin: Iterable[str]) -> Iterator[tuple[str, str]]:
    if fen != "-":
        yield "", fen
        return
    for number, line in enumerate(stdin, start=1):
        yield f"line {number}: ", line.strip()


def _move(thinker: Thinker, fen: str, variant: str) -> str:
    facts = facts_from_fen(fen, variant)
    board = facts.board()
    if not any(board.legal_moves):
        raise PositionError(f"no legal move in {fen}: the game is over ({board.result()})")
    choice = thinker.play(facts)
    if choice.note is not None:
        raise StrategyError(f"{choice.move} was played, but then: {choice.note}")
    return choice.move


@contextmanager
def _prints_shown(stderr: TextIO) -> Iterator[None]:
    """Within, what strategies print is written to `stderr`."""
    handler = logging.StreamHandler(stderr)
    handler.setFormatter(logging.Formatter("%(message)s"))
    logger = logging.getLogger("bot.strategy")
    before = logger.level
    logger.addHandler(handler)
    logger.setLevel(logging.DEBUG)
    try:
        yield
    finally:
        logger.setLevel(before)
        logger.removeHandler(handler)
