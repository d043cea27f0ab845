"""One shard: games of one seed and number until there are enough positions, and the file they go to.

What is in it depends on seed, number, settings and engine only; one with fewer positions holds the first
games of one with more.
"""

from __future__ import annotations

import os
import random
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from bot.engine.table import new_table
from bot.engine.worker import Worker
from bot.lab.files import storing, sync_folder
from bot.lab.openings import all_openings
from bot.learning.jobs import GOES_ON, Job
from bot.learning.origin import Origin
from bot.learning.positions import DRAW, LOSS, POSITION, WIN, Header, Positions, encoded
from bot.learning.selfplay import ENDINGS, GAME, MOST_PLIES, VOID_GAME, play_game
from bot.learning.starts import draw_start

#: A small table, which costs little to empty after each game.
TABLE_MIB = 1
#: An iteration is broken off at so many times the nodes after which none is begun, and not before so many.
HARD_FACTOR, HARD_LEAST = 20, 10_000
#: What a game adds to a shard's counts, besides its result and how it ended.
SUMMED = ("plies", "in_check", "not_quiet", "decisive", "duplicate", "nodes")
RESULTS = {WIN: "white_wins", DRAW: "draws", LOSS: "black_wins"}


def hard_limit(nodes: int) -> int:
    """The nodes at which an iteration is broken off, where none is begun after `nodes`."""
    return max(HARD_LEAST, HARD_FACTOR * nodes)


class Generator:
    """Makes shards, one after the other; loads the engine when it is made. Raises BenchError for a network
    that is gone; see `Judge.load`."""

    def __init__(self, origin: Origin) -> None:
        self._origin = origin
        self._worker = Worker(network=origin.judge.load())
        self._table = new_table(TABLE_MIB)
        self._game = np.zeros(1, GAME)[0]
        self._game["soft_nodes"] = origin.nodes
        self._game["hard_nodes"] = hard_limit(origin.nodes)
        self._openings = [opening.fen for opening in all_openings()]

    def make(self, job: Job, tell: Callable[[int], None]) -> Header:
        """Make a shard and keep it. `tell` hears after each game how many positions there are.

        Raises StorageError.
        """
        out = np.zeros(job.positions + MOST_PLIES, POSITION)
        seen = np.zeros(1 << (2 * len(out)).bit_length(), np.uint64)  # half of it or more stays free
        counts: Counter[str] = Counter()
        made = number = 0
        while made < job.positions:
            self._play(random.Random(f"{job.seed} {job.shard} {number}"), seen, out[made : made + MOST_PLIES])
            made += _count(self._game, counts)
            number += 1
            tell(made)
        header = self._origin.header(job.seed, job.shard, _named(counts, made))
        keep(job.path, encoded(header, out[:made]))
        return header

    def _play(self, rng: random.Random, seen: np.ndarray[Any, Any], out: Positions) -> None:
        """One game, which knows nothing of those before."""
        worker = self._worker
        board = draw_start(rng, self._openings, self._origin.random_plies)
        self._table.fill(0)
        worker.forget()
        worker.begin(board, node_limit=None, contempt=0, age=0)
        play_game(worker.state, self._table, self._game, seen, out)


def _count(game: Any, counts: Counter[str]) -> int:
    """Add a game to the counts; returns how many positions it adds: none, if it does not count."""
    if game["ending"] == VOID_GAME:
        counts["void"] += 1
        return 0
    counts["games"] += 1
    counts[RESULTS[int(game["white"])]] += 1
    counts[ENDINGS[game["ending"]]] += 1
    for name in SUMMED:
        counts[name] += int(game[name])
    return int(game["kept"])


def _named(counts: Mapping[str, int], positions: int) -> dict[str, int]:
    """With every name that there is, in one order."""
    names: Sequence[str] = ("games", *RESULTS.values(), *ENDINGS, *SUMMED)
    return {"positions": positions} | {name: counts.get(name, 0) for name in names}


def keep(path: Path, data: bytes) -> None:
    """Write a file that is there as a whole, and on the disk, or not at all."""
    fresh = path.with_name(f"{path.name}.tmp")
    with storing(path, GOES_ON):
        try:
            with fresh.open("wb") as file:
                file.write(data)
                file.flush()
                os.fsync(file.fileno())
            fresh.replace(path)
        except BaseException:
            fresh.unlink(missing_ok=True)
            raise
        sync_folder(path.parent)
