"""`knightshift move`: positions in, moves out, a line each."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import redirect_stdout
from pathlib import Path
from typing import TextIO

from bot.errors import KnightshiftError, PositionError, StrategyError
from bot.strategies import registry
from bot.strategies.contract import Strategy
from bot.strategies.turn_tools import facts_from_fen, take_turn


def run_move(fen: str, strategy: str, variant: str, *, stdin: TextIO, stdout: TextIO, stderr: TextIO) -> int:
    """Print a move for each position; returns the exit code.

    `fen` "-": a FEN a line from `stdin`. A line that cannot be answered is answered by a line on `stderr`
    and an empty line on `stdout`, so that the answers keep their places; the exit code is then 1.
    """
    play = registry.load(registry.parse_spec(strategy, search_path=(str(Path.cwd()),)))
    failures = 0
    for where, position in _positions(fen, stdin):
        try:
            print(_move(play, position, variant, stderr), file=stdout, flush=True)
        except KnightshiftError as error:
            failures += 1
            print(file=stdout, flush=True)
            print(f"{where}{error}", file=stderr, flush=True)
    return 1 if failures else 0


def _positions(fen: str, stdin: Iterable[str]) -> Iterator[tuple[str, str]]:
    if fen != "-":
        yield "", fen
        return
    for number, line in enumerate(stdin, start=1):
        yield f"line {number}: ", line.strip()


def _move(play: Strategy, fen: str, variant: str, stderr: TextIO) -> str:
    facts = facts_from_fen(fen, variant)
    board = facts.board()
    if not any(board.legal_moves):
        raise PositionError(f"no legal move in {fen}: the game is over ({board.result()})")
    with redirect_stdout(stderr):  # what a strategy prints is no answer
        choice = take_turn(play, facts)
    if choice.note is not None:
        raise StrategyError(f"{choice.move} was played, but then: {choice.note}")
    return choice.move
