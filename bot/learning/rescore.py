"""Searching positions again, deeper: better scores for fewer of them than games would cost.

Imports the engine when it is made.
"""

from __future__ import annotations

import functools
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from importlib import metadata
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from bot.errors import BenchError
from bot.learning.crew import Crew, Work
from bot.learning.generate import Far, Made, file_crew
from bot.learning.judge import Judge
from bot.learning.origin import engine_digest, rescorer_digest
from bot.learning.positions import (
    MOST_SCORE,
    POSITION,
    Header,
    PositionsError,
    encoded,
    read_file,
    to_board,
)

if TYPE_CHECKING:
    from bot.engine.state import State

#: It is told after so many positions how far it is.
TELL_EVERY = 64


@dataclass(frozen=True, slots=True)
class Rescoring:
    """What decides the scores. `nodes`: no iteration of a search is begun once so many are searched. `every`:
    of so many positions one is taken."""

    nodes: int
    every: int
    judge: Judge
    engine: str
    generator: str

    @classmethod
    def here(cls, *, nodes: int, every: int, judge: Judge) -> Rescoring:
        """With the sources as they are now."""
        return cls(nodes, every, judge, engine_digest(), rescorer_digest())

    def header(self, of: Header, counts: Mapping[str, int]) -> Header:
        """Of the file that comes of the one with the header `of`."""
        return Header(
            seed=of.seed,
            shard=of.shard,
            settings={
                "nodes": self.nodes,
                "every": self.every,
                "of": {**of.origin, "positions": of.counts["positions"]},
            },
            engine=self.engine,
            generator=self.generator,
            network=self.judge.name,
            project=metadata.version("knightshift"),
            counts=dict(counts),
        )


@dataclass(frozen=True, slots=True)
class Job:
    """Search the positions of `source` again, and keep them as `path`."""

    source: Path
    path: Path


def rescore_crew(order: Rescoring, jobs: Sequence[Job], processes: int) -> Crew[Job, Far, Made]:
    """Has all `jobs` to do."""
    return file_crew(functools.partial(_begin, order), jobs, processes, name=lambda job: job.path.name)


def _begin(order: Rescoring) -> Work[Job, Far, Made]:
    return Rescorer(order).make


class Rescorer:
    """Searches files again, one after the other; loads the engine when it is made. Raises BenchError for a
    network that is gone; see `Judge.load`."""

    def __init__(self, order: Rescoring) -> None:
        from bot.engine.table import new_table  # noqa: PLC0415  loads the engine
        from bot.engine.worker import Worker  # noqa: PLC0415
        from bot.learning.selfplay import GAME, choose  # noqa: PLC0415
        from bot.learning.shard import TABLE_MIB, hard_limit  # noqa: PLC0415

        self._order = order
        self._worker = Worker(network=order.judge.load())
        self._table = new_table(TABLE_MIB)
        self._game = np.zeros(1, GAME)[0]
        self._game["soft_nodes"] = order.nodes
        self._game["hard_nodes"] = hard_limit(order.nodes)
        self._choose: Callable[[State, Any, Any], int] = choose

    def make(self, job: Job, tell: Callable[[Far], None]) -> Made:
        """Make a file and keep it. A score depends on its position, not on those before.

        Raises BenchError for a file that is damaged by now, or has what is no position, and StorageError.
        """
        from bot.engine.moves import NO_MOVE  # noqa: PLC0415  as above
        from bot.engine.scores import DECISIVE  # noqa: PLC0415
        from bot.learning.shard import keep  # noqa: PLC0415

        began = time.process_time()
        try:
            of, there = read_file(job.source)
        except PositionsError as error:
            raise BenchError(str(error)) from None
        taken = np.array(there[:: self._order.every], POSITION)
        kept = np.zeros(len(taken), bool)
        counts = {"positions": 0, "decisive": 0, "void": 0}
        for row, record in enumerate(taken):
            board = to_board(record)
            if board.was_into_check():
                number = row * self._order.every
                raise BenchError(f"{job.source}: position {number}: the side that waits is in check")
            self._worker.forget()
            self._table.fill(0)
            self._worker.begin(board, node_limit=None, contempt=0, age=0)
            move = int(self._choose(self._worker.state, self._table, self._game))
            score = int(self._game["score"])
            kind = "void" if move == NO_MOVE else "decisive" if abs(score) >= DECISIVE else "positions"
            counts[kind] += 1
            if kind == "positions":
                record["score"] = max(-MOST_SCORE, min(MOST_SCORE, score))
                kept[row] = True
            if row % TELL_EVERY == 0:
                tell(Far(row + 1, time.process_time() - began))
        header = self._order.header(of, counts)
        keep(job.path, encoded(header, taken[kept]))
        return Made(header, time.process_time() - began)
