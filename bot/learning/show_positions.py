"""`knightshift lab positions`: what files of positions hold, for people."""

from __future__ import annotations

import random
from pathlib import Path

import numpy as np
from rich.console import Console

from bot.learning.positions import DRAW, LOSS, WIN, Positions, PositionsError, files_of, read_file, to_board

_RESULTS = {LOSS: "lost", DRAW: "drawn", WIN: "won"}
#: For each of these limits, in centipawns, the share of positions with no further scores is told.
_LIMITS = (50, 100, 200, 400, 1000)


def run_positions(path: Path, *, show: int, seed: int, console: Console) -> int:
    """Print what the file or folder holds, and `show` positions by lot; returns 0. Raises PositionsError."""

    def say(line: str) -> None:
        console.print(line, highlight=False, markup=False, soft_wrap=True)

    parts = []
    for file in files_of([path]):
        header, part = read_file(file)
        parts.append(part)
        origin = ", ".join(f"{name} {value}" for name, value in header.settings.items())
        say(
            f"{file}: {len(part):,} positions of {header.counts.get('games', 0):,} games; "
            f"seed {header.seed}, {origin}, network {header.network}, engine {header.engine}"
        )
    found: Positions = np.concatenate(parts)
    for line in _facts(found):
        say(line)
    rng = random.Random(seed)
    for number in sorted(rng.sample(range(len(found)), min(show, len(found)))):
        record = found[number]
        try:
            board = to_board(record)
        except ValueError as error:
            raise PositionsError(f"{path}: position {number}: {error}") from error
        say(f"\n{board}")
        say(
            f"{number}: {board.fen()}\n{'White' if board.turn else 'Black'} to move, "
            f"{int(record['score']):+d} cp for it; it {_RESULTS.get(int(record['result']), 'has no result')}"
        )
    return 0


def _facts(found: Positions) -> list[str]:
    count = len(found)
    if not count:
        return ["No positions."]
    results = [np.count_nonzero(found["result"] == result) / count for result in (WIN, DRAW, LOSS)]
    far = np.abs(found["score"].astype(np.int64))
    shares = ", ".join(f"{np.count_nonzero(far <= limit) / count:.0%} {limit}" for limit in _LIMITS)
    men = np.bitwise_count(found["occupied"])
    counts = ", ".join(
        f"{np.count_nonzero((men >= least) & (men < least + 8)) / count:.0%} {least}-{least + 7}"
        for least in (1, 9, 17, 25)
    )
    return [
        f"{count:,} positions: the side to move won {results[0]:.1%}, drew {results[1]:.1%}, "
        f"lost {results[2]:.1%}; "
        f"White is to move in {np.count_nonzero(found['turn'] == 1) / count:.1%}",
        f"Scores within centipawns: {shares}. Men: {counts}",
    ]
