"""Parameters that learn: steps of Adam along the gradients of batches, on several threads.

The same positions, settings and seed give the same parameters, however many threads there are: a batch is
always cut into the same shards, whose gradients are added in the same order. Another processor, or another
version of numba or numpy, may round otherwise.
"""

from __future__ import annotations

import math
from concurrent.futures import Executor
from itertools import pairwise
from typing import Protocol

import numpy as np
import numpy.typing as npt

from bot.errors import UserError
from bot.learning import kernels
from bot.learning.parameters import Floats, Parameters, bounds, fresh
from bot.learning.positions import POSITION, Positions
from bot.learning.settings import Settings
from bot.learning.split import Rows

#: Parts of a batch, each with a gradient of its own, and of whatever else is done at once: as many threads
#: can work.
SHARDS = 4

Words = npt.NDArray[np.uint64]


class StepWatch(Protocol):
    """Is told how far an epoch has come."""

    def step(self, epoch: int, done: int, total: int, loss: float) -> None:
        """After a batch: `done` of `total` positions of all epochs, and the mean loss of this one so far."""


def words_of(positions: Positions) -> Words:
    """The same positions, four words each, as `kernels` has them. Raises UserError for what is none:
    reading a file has found what is wrong before."""
    words: Words = np.ascontiguousarray(positions, POSITION).view(np.uint64).reshape(-1, 4)
    if (row := kernels.first_fault(words)) >= 0:
        raise UserError(f"position {row} of the data set cannot be")
    return words


class Trainer:
    """Learns from the rows `rows` of `words`; its threads are those of `pool`. `begin`: the parameters to
    begin with, of as many units as the settings say; None: by lot."""

    def __init__(
        self, words: Words, rows: Rows, settings: Settings, pool: Executor, begin: Parameters | None = None
    ) -> None:
        self._words = words
        self._order = rows.copy()
        self._settings = settings
        self._pool = pool
        self._batch = min(settings.batch, len(rows))
        self._steps = len(rows) // self._batch
        self._rng = np.random.default_rng([settings.seed, 0])
        self.parameters = fresh(settings.hidden, self._rng)
        if begin is not None:
            self.parameters.vector[:] = begin.vector
        size = len(self.parameters.vector)
        self._slopes = np.zeros((SHARDS, size), np.float32)
        self._means, self._squares = np.zeros(size, np.float32), np.zeros(size, np.float32)
        self._parts = [
            (begin + part_begin, begin + part_end, bound)
            for begin, end, bound in bounds(settings.hidden)
            for part_begin, part_end in pairwise(_cuts(end - begin))
        ]
        self._step = 0
        self.rate = settings.rate

    def epoch(self, number: int, watch: StepWatch) -> float:
        """All rows once, in a new order, but for the few that fill no batch; returns the mean loss."""
        self._rng.shuffle(self._order)
        per_epoch = self._steps * self._batch
        before, total = (number - 1) * per_epoch, self._settings.epochs * per_epoch
        loss, done = 0.0, 0
        for rows in np.split(self._order[:per_epoch], self._steps):
            loss += self._learn(rows)
            done += len(rows)
            watch.step(number, before + done, total, loss / done)
        return loss / done

    def evaluate(self, words: Words) -> Floats:
        """What the network says of each, for the side to move; 1.0 is `network.SCALE` centipawns."""
        found = np.empty(len(words), np.float32)

        def part(begin: int, end: int) -> None:
            kernels.evaluate(
                words[begin:end], self.parameters.vector, self._settings.hidden, found[begin:end]
            )

        cuts = _cuts(len(words))
        list(self._pool.map(part, cuts[:-1], cuts[1:]))
        return found

    def _learn(self, rows: Rows) -> float:
        """One step; returns the sum of losses before it."""
        settings, vector = self._settings, self.parameters.vector
        cuts = _cuts(len(rows))

        def slope(shard: int) -> float:
            return kernels.gradient(
                self._words,
                rows[cuts[shard] : cuts[shard + 1]],
                vector,
                settings.hidden,
                settings.mix,
                settings.spread,
                settings.power,
                1 / len(rows),
                self._slopes[shard],
            )

        loss = sum(self._pool.map(slope, range(SHARDS)))
        self._step += 1
        self.rate = self._rate_of(self._step)
        rate = self.rate / (1 - kernels.MEAN_KEPT**self._step)
        correction = 1 / math.sqrt(1 - kernels.SQUARE_KEPT**self._step)
        decay = self.rate * settings.decay

        def move(begin: int, end: int, bound: float) -> None:
            kernels.adam(
                vector,
                self._slopes,
                self._means,
                self._squares,
                rate,
                decay,
                correction,
                bound,
                begin,
                end,
            )

        list(self._pool.map(move, *zip(*self._parts, strict=True)))
        return loss

    def _rate_of(self, step: int) -> float:
        """A cosine, from the first rate to the last one."""
        settings = self._settings
        far = step / (self._steps * settings.epochs)
        return settings.last_rate + (settings.rate - settings.last_rate) * (1 + math.cos(math.pi * far)) / 2


def _cuts(length: int) -> list[int]:
    """Where the shards of so many begin, and the end."""
    return [length * shard // SHARDS for shard in range(SHARDS + 1)]
