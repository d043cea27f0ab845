"""Training: the parameters that foretell best what they have not learnt from."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt

from bot.engine.network import SCALE
from bot.learning import kernels
from bot.learning.parameters import Floats, Parameters
from bot.learning.positions import MOST_SCORE, Positions
from bot.learning.settings import Settings
from bot.learning.split import split
from bot.learning.trainer import StepWatch, Trainer, words_of


@dataclass(frozen=True, slots=True)
class Epoch:
    """What one pass over the positions has brought."""

    number: int  # 1 is the first
    rate: float  # at its end
    training_loss: float  # mean, while it learnt
    validation_loss: float  # mean, at its end
    error: float  # mean distance from the searches' scores at its end, in centipawns


@dataclass(frozen=True, slots=True)
class Trained:
    """The parameters of the best epoch, and how it went."""

    parameters: Parameters
    best: Epoch
    epochs: tuple[Epoch, ...]
    validation: Positions
    outputs: Floats  # what the parameters say of these
    targets: Floats  # what there was to foretell of these: shares of a point
    constant_loss: float  # what always saying the mean of these loses; who has learnt loses less
    begin_loss: float | None  # what the parameters that it began with lose of these, if it was given any
    learnt_from: int  # positions
    interrupted: bool


class Watch(StepWatch, Protocol):
    """Is told how far it has come."""

    def epoch(self, epoch: Epoch) -> None:
        """After an epoch."""


def train(
    positions: Positions, settings: Settings, *, begin: Parameters | None = None, threads: int, watch: Watch
) -> Trained:
    """Learn until there are no more epochs, or none was better for a while. Ctrl-C ends it as well, and once
    an epoch is finished, with the best so far. `begin`: the parameters to go on from; None: by lot.

    Raises UserError for positions that cannot be used, or too few of them.
    """
    words = words_of(positions)
    learning, held_out = split(positions, settings.validation, settings.seed)
    validation = positions[held_out]
    judge = _Judge(validation, settings)
    epochs: list[Epoch] = []
    best: tuple[Epoch, Floats, Floats] | None = None
    interrupted, begin_loss = False, None
    with ThreadPoolExecutor(threads) as pool:
        trainer = Trainer(words, learning, settings, pool, begin)
        try:
            if begin is not None:
                begin_loss = judge.epoch(0, settings.rate, 0.0, trainer.evaluate(judge.words)).validation_loss
            for number in range(1, settings.epochs + 1):
                loss = trainer.epoch(number, watch)
                outputs = trainer.evaluate(judge.words)
                epochs.append(judge.epoch(number, trainer.rate, loss, outputs))
                if best is None or epochs[-1].validation_loss < best[0].validation_loss:
                    best = epochs[-1], trainer.parameters.vector.copy(), outputs
                watch.epoch(epochs[-1])
                if number - best[0].number >= settings.patience:
                    break
        except KeyboardInterrupt:
            if best is None:
                raise
            interrupted = True
    assert best is not None  # noqa: S101  there is one epoch at least
    return Trained(
        parameters=Parameters(best[1], settings.hidden),
        best=best[0],
        epochs=tuple(epochs),
        validation=validation,
        outputs=best[2],
        targets=judge.targets,
        constant_loss=loss_of(judge.targets.mean(keepdims=True), judge.targets, settings.power),
        begin_loss=begin_loss,
        learnt_from=len(learning),
        interrupted=interrupted,
    )


def shares(centipawns: npt.NDArray[Any], spread: float) -> npt.NDArray[np.floating]:
    """The shares of a point that so many foretell: the logistic function of them over `spread`."""
    foretold: npt.NDArray[np.floating] = (1 + np.tanh(centipawns / (2 * spread))) / 2  # exp would overflow
    return foretold


def loss_of(foretold: npt.NDArray[np.floating], targets: Floats, power: float) -> float:
    """The mean loss of so many shares of a point."""
    misses: npt.NDArray[np.float64] = np.abs(foretold.astype(np.float64) - targets)
    return float((misses**power).mean())


class _Judge:
    """Says how good parameters are by positions that they were not trained with."""

    def __init__(self, positions: Positions, settings: Settings) -> None:
        self.words = words_of(positions)
        self.targets = np.empty(len(positions), np.float32)
        kernels.targets(self.words, settings.mix, settings.spread, self.targets)
        self._scores = positions["score"].astype(np.float64)
        self._power, self._spread = settings.power, settings.spread

    def epoch(self, number: int, rate: float, training_loss: float, outputs: Floats) -> Epoch:
        """`outputs`: of the parameters, for these positions."""
        said = outputs.astype(np.float64) * SCALE
        loss = loss_of(shares(said, self._spread), self.targets, self._power)
        apart = np.abs(np.clip(said, -MOST_SCORE, MOST_SCORE) - self._scores)
        return Epoch(number, rate, training_loss, loss, float(apart.mean()))
