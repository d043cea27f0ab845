"""What is told of a training while it runs."""

from __future__ import annotations

import io

from bot.learning.train import Epoch
from bot.learning.train_progress import LINE_EVERY_S, TrainingProgress
from bot.timing.clock import VirtualClock


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def test_without_a_terminal_there_is_a_line_now_and_then_and_one_an_epoch() -> None:
    out, clock = io.StringIO(), VirtualClock()
    progress = TrainingProgress(out, clock, 4)
    clock.advance(LINE_EVERY_S / 2)
    progress.step(1, 10_000_000, 100_000_000, 0.5)
    clock.advance(LINE_EVERY_S / 2)
    progress.step(1, 20_000_000, 100_000_000, 0.25)
    progress.epoch(Epoch(1, 0.001, 0.25, 0.125, 61.23))
    progress.epoch(Epoch(2, 0.0005, 0.25, 0.126, 61.5))
    progress.done()

    assert out.getvalue().splitlines() == [
        "epoch 1 of 4, 20% of all, loss 0.250000, 0.67 M positions/s, at most 2 min left",
        "epoch   1: loss 0.250000, validation 0.125000, mean error 61.2 cp, rate 0.001000",
        "epoch   2: loss 0.250000, validation 0.126000 (not better), mean error 61.5 cp, rate 0.000500",
    ]


def test_in_a_terminal_one_line_is_written_over_and_goes_away() -> None:
    out, clock = Terminal(), VirtualClock()
    progress = TrainingProgress(out, clock, 2)
    for step in (1, 2, 3):
        clock.advance(0.15)
        progress.step(1, step * 1000, 10_000, 0.5)
    progress.done()

    assert out.getvalue().count("epoch 1 of 2") == 1  # not every time
    assert "\n" not in out.getvalue()
    assert out.getvalue().endswith("\r\x1b[K")
