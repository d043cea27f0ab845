"""How far a run has come: a bar with the live score in a terminal, else a line now and then."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Protocol, TextIO

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from bot.timing.clock import Clock

#: Between two lines where there is no terminal.
LINE_EVERY_S = 10.0
#: In a terminal, the time that is left is estimated from what was finished within so many seconds.
ESTIMATED_OVER_S = 1800.0


class Watch(Protocol):
    """Is told after each finished pair: how many there are, and the score of those that the schedule begins
    with, up to the first one that is missing. (Other things than pairs are counted as well.)"""

    def show(self, finished: int, score: str) -> None: ...


class SilentWatch:
    """For a run that nobody looks at."""

    def show(self, finished: int, score: str) -> None:
        pass


@contextmanager
def watching(
    stream: TextIO, *, total: int, before: int, clock: Clock, counted: str = "pairs"
) -> Iterator[Watch]:
    """A watch that writes to `stream`; `before` of `total` pairs (or what is `counted`) were there when it
    began."""
    console = Console(file=stream)
    if console.is_terminal:
        with _bar(console, counted) as progress:
            yield _Bar(progress, total, before)
    else:
        yield _Lines(stream, total, before, clock, counted)


def _bar(console: Console, counted: str) -> Progress:
    return Progress(
        BarColumn(bar_width=24),
        MofNCompleteColumn(),
        TextColumn(f"{counted},"),
        TimeRemainingColumn(compact=True, elapsed_when_finished=True),
        TextColumn("{task.description}", markup=False),
        console=console,
        transient=True,
        speed_estimate_period=ESTIMATED_OVER_S,
    )


class _Bar:
    def __init__(self, progress: Progress, total: int, before: int) -> None:
        self._progress = progress
        self._task = progress.add_task("", total=total, completed=before)

    def show(self, finished: int, score: str) -> None:
        self._progress.update(self._task, completed=finished, description=score)


class _Lines:
    def __init__(self, stream: TextIO, total: int, before: int, clock: Clock, counted: str) -> None:
        self._counted = counted
        self._stream = stream
        self._total = total
        self._before = before
        self._clock = clock
        self._began_at = self._due_at = clock.monotonic()

    def show(self, finished: int, score: str) -> None:
        now = self._clock.monotonic()
        if now < self._due_at and finished < self._total:
            return
        self._due_at = now + LINE_EVERY_S
        left = self._total - finished
        rate_s = (now - self._began_at) / max(1, finished - self._before)
        eta = f", about {duration(left * rate_s)} left" if left and finished > self._before else ""
        self._stream.write(f"{finished} of {self._total} {self._counted}{eta}: {score}\n")
        self._stream.flush()


def duration(seconds: float) -> str:
    """`45 s`, `3 min`, `2 h 5 min`."""
    if seconds < 90:
        return f"{seconds:.0f} s"
    minutes = round(seconds / 60)
    return f"{minutes} min" if minutes < 90 else f"{minutes // 60} h {minutes % 60} min"
