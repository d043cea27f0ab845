"""`knightshift warm`: compile the engine ahead of its first use, and say how long it took."""

from __future__ import annotations

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

from bot.engine.load_all import function_count
from bot.engine.warm import Warmed, WarmError, readiness, warm
from bot.timing.clock import Clock

WARM, FAILED = 0, 1


def run_warm(console: Console, clock: Clock, *, quiet: bool = False) -> int:
    """Compile what is not compiled; returns the exit code: 0 the engine is ready, 1 it cannot be had.

    On a terminal, shows what is being compiled; elsewhere a line before and one after. `quiet`: errors only.
    """
    try:
        warmed = _shown(console, clock) if console.is_terminal and not quiet else _told(console, clock, quiet)
    except WarmError as error:
        console.print(f"{error}", style="red", highlight=False, soft_wrap=True)
        return FAILED
    if not quiet:
        console.print(_summary(warmed), highlight=False, soft_wrap=True)
    return WARM


def _summary(warmed: Warmed) -> str:
    if warmed.compile_s:
        did = f"Compiled {warmed.functions} functions in {warmed.compile_s:.0f} s"
    else:
        did = f"All {warmed.functions} functions were compiled already"
    return f"{did}; a new process loads them in {warmed.load_s:.1f} s. They are in {warmed.directory}"


def _shown(console: Console, clock: Clock) -> Warmed:
    columns = (
        TextColumn("Compiling"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeElapsedColumn(),
        TextColumn("{task.description}"),
    )
    with Progress(*columns, console=console, transient=True) as progress:
        task = progress.add_task("", total=function_count())

        def begun(name: str) -> None:
            progress.update(task, advance=1, description=name.removeprefix("bot.engine."))

        def waiting() -> None:
            progress.update(task, description="another process is at it: waiting for it")

        return warm(clock, begun, waiting)


def _told(console: Console, clock: Clock, quiet: bool) -> Warmed:
    def say(text: str) -> None:
        if not quiet:
            console.print(text, highlight=False, soft_wrap=True)

    if readiness() == "cold":
        say(f"Compiling the engine, {function_count()} functions: this takes about half a minute, once.")
    return warm(clock, lambda _: None, lambda: say("Another process is compiling it: waiting."))
