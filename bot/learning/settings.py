"""What decides, with the positions, which network training makes, and which weights a fit."""

from __future__ import annotations

from dataclasses import dataclass

#: Accumulators are so many units wide, or a multiple: what a vector instruction takes at once.
WIDTHS = 8


@dataclass(frozen=True, slots=True)
class Settings:
    """Of one training."""

    hidden: int = 128  # units of an accumulator
    epochs: int = 30  # passes over the positions, at most
    batch: int = 8192  # positions a step
    rate: float = 0.001  # of learning, at the beginning
    last_rate: float = 0.00001  # at the end; a cosine between
    decay: float = 0.01  # of parameters, times the rate, a step
    mix: float = 0.95  # of the score in what is foretold; the rest is the game's result
    spread: float = 400.0  # centipawns that foretell 73 % of a point, the logistic function of 1
    power: float = 2.0  # of the miss, in the loss
    validation: float = 0.05  # share of the positions
    patience: int = 5  # epochs without a better one, after which it ends
    seed: int = 1  # of the first parameters, the order of positions, and what is held out


DEFAULTS = Settings()


@dataclass(frozen=True, slots=True)
class FitSettings:
    """Of one fit of the weights written by hand; what has a name of `Settings` means the same."""

    epochs: int = 4
    mix: float = 0.7
    spread: float = 200.0
    validation: float = 0.05
    seed: int = 1


FIT_DEFAULTS = FitSettings()
