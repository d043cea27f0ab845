"""How far the making of positions has come: a bar in a terminal, else a line now and then."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Protocol, TextIO

from rich.console import Console
from rich.progress import BarColumn, Progress, TaskID, TextColumn, TimeRemainingColumn

from bot.lab.run_progress import duration
from bot.timing.clock import Clock

#: Between two lines where there is no terminal.
LINE_EVERY_S = 30.0


class Watch(Protocol):
    """Is told often how many positions there are, how many a second of processor time, and of what is going
    on besides, if anything."""

    def show(self, positions: int, per_cpu_s: float, note: str = "") -> None: ...


@contextmanager
def watching(stream: TextIO, *, total: int, before: int, clock: Clock) -> Iterator[Watch]:
    """A watch that writes to `stream`; `before` of `total` positions were there when it began."""
    console = Console(file=stream)
    if console.is_terminal:
        with _bar(console) as progress:
            yield _Bar(progress, progress.add_task("", total=total, completed=before))
    else:
        yield _Lines(stream, total, before, clock)


def _bar(console: Console) -> Progress:
    return Progress(
        BarColumn(bar_width=24),
        TextColumn("{task.completed:,.0f} of {task.total:,.0f} positions,"),
        TimeRemainingColumn(compact=True, elapsed_when_finished=True),
        TextColumn("{task.description}", markup=False),
        console=console,
        transient=True,
    )


class _Bar:
    def __init__(self, progress: Progress, task: TaskID) -> None:
        self._progress = progress
        self._task = task

    def show(self, positions: int, per_cpu_s: float, note: str = "") -> None:
        said = note or (f"{per_cpu_s:,.0f}/s a core" if per_cpu_s else "")
        self._progress.update(self._task, completed=positions, description=said)


class _Lines:
    def __init__(self, stream: TextIO, total: int, before: int, clock: Clock) -> None:
        self._stream = stream
        self._total = total
        self._before = before
        self._clock = clock
        self._began_at = clock.monotonic()
        self._due_at = self._began_at + LINE_EVERY_S
        self._note = ""

    def show(self, positions: int, per_cpu_s: float, note: str = "") -> None:
        if note:
            if note != self._note:
                self._write(note)
            self._note = note
            return
        now = self._clock.monotonic()
        if now < self._due_at:
            return
        self._due_at = now + LINE_EVERY_S
        new, left = positions - self._before, max(0, self._total - positions)
        eta = f", about {duration(left * (now - self._began_at) / new)} left" if left and new > 0 else ""
        self._write(f"{positions:,} of {self._total:,} positions, {per_cpu_s:,.0f}/s a core{eta}")

    def _write(self, text: str) -> None:
        self._stream.write(f"{text}\n")
        self._stream.flush()
