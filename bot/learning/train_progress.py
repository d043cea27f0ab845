"""How far a training has come: a line written over and over in a terminal, else one now and then."""

from __future__ import annotations

from typing import TextIO

from bot.lab.run_progress import duration
from bot.lab.ticker import Ticker
from bot.learning.train import Epoch
from bot.timing.clock import Clock

#: Between two lines: in a terminal, and elsewhere.
TERMINAL_EVERY_S, LINE_EVERY_S = 0.2, 30.0


class TrainingProgress:
    """Tells of a training on `stream`: every epoch keeps a line of its own."""

    def __init__(self, stream: TextIO, clock: Clock, epochs: int) -> None:
        self._stream = stream
        self._ticker = Ticker(stream)
        self._clock = clock
        self._epochs = epochs
        self._every_s = TERMINAL_EVERY_S if stream.isatty() else LINE_EVERY_S
        self._began_at = clock.monotonic()
        self._due_at = self._began_at + self._every_s
        self._best: float | None = None

    def step(self, epoch: int, done: int, total: int, loss: float) -> None:
        """See `train.Watch`."""
        now = self._clock.monotonic()
        if now < self._due_at:
            return
        self._due_at = now + self._every_s
        rate = done / max(now - self._began_at, 0.001)
        self._ticker.say(
            f"epoch {epoch} of {self._epochs}, {done / total:.0%} of all, loss {loss:.6f}, "
            f"{rate / 1e6:.2f} M positions/s, at most {duration((total - done) / rate)} left"
        )

    def epoch(self, epoch: Epoch) -> None:
        """See `train.Watch`."""
        self._ticker.done()
        better = self._best is None or epoch.validation_loss < self._best
        if better:
            self._best = epoch.validation_loss
        self._stream.write(
            f"epoch {epoch.number:>3}: loss {epoch.training_loss:.6f}, validation "
            f"{epoch.validation_loss:.6f}{'' if better else ' (not better)'}, "
            f"mean error {epoch.error:.1f} cp, rate {epoch.rate:.6f}\n"
        )
        self._stream.flush()

    def done(self) -> None:
        """Leave nothing half-written behind."""
        self._ticker.done()
