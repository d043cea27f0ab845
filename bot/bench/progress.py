"""How far a long measurement is: a bar in a terminal, a line now and then elsewhere; always on stderr."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

#: Where there is no terminal, this many lines tell of the whole.
LINES = 10


@contextmanager
def progress(what: str, total: int, console: Console | None = None) -> Iterator[Callable[[int], None]]:
    """Within, call what this gives with how many of `total` are done; more often than needed does no harm."""
    out = console or Console(stderr=True)
    if out.is_terminal:
        with Progress(
            TextColumn(what),
            BarColumn(),
            MofNCompleteColumn(),
            TimeRemainingColumn(),
            console=out,
            transient=True,
        ) as bar:
            task = bar.add_task(what, total=total)
            yield lambda done: bar.update(task, completed=done)
        return
    said = 0

    def say(done: int) -> None:
        nonlocal said
        tenths = LINES * done // max(1, total)
        if tenths > said:
            said = tenths
            out.print(f"{what}: {done} of {total}", highlight=False, soft_wrap=True)

    yield say
