"""Having the compiled engine ready where a strategy needs it: loaded ahead, or compiled meanwhile."""

from __future__ import annotations

import logging
import subprocess
import threading
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import replace

from rich.console import Console

from bot.engine.warm import NO_NUMBA, readiness, start_warming
from bot.errors import UserError
from bot.strategies.contract import StrategySpec
from bot.timing.clock import Clock
from bot.warm_command import WARM, run_warm

log = logging.getLogger(__name__)

#: The registered name of the strategy that plays with the engine, and the module that it needs.
COMPILED, ENGINE = "compiled", "bot.engine.searcher"
#: The compiling process ends within this time when it is told to.
END_S = 5.0


def meanwhile(spec: StrategySpec) -> StrategySpec:
    """The same strategy, as a service wants it: not waiting for a compiler while a clock runs."""
    if spec.name != COMPILED or "meanwhile" in dict(spec.options):
        return spec
    return replace(spec, options=(*spec.options, ("meanwhile", True)))


def _reap(process: subprocess.Popen[bytes]) -> None:
    """Wait for the compiling process, which else would stay a zombie as long as the service lives."""
    if process.wait() > 0:  # negative: it was told to end
        log.warning("the engine could not be compiled (knightshift warm tells why): classical plays for it")


@contextmanager
def warming(strategies: Iterable[str]) -> Iterator[tuple[str, ...]]:
    """For a service with these strategies: yields what its process server should import in advance.

    Where the engine still has to be compiled, another process does so within; until it is done, `compiled`
    plays as `classical` does. The process server has begun without the engine then, and stays so: for the
    rest of the service each child loads it itself, in a second or two, and classical plays meanwhile. numba
    costs the process server some 90 MiB, so nothing is imported there that is not played.
    """
    if COMPILED not in strategies:
        yield ()
        return
    found = readiness()
    if found == "ready":
        yield (ENGINE,)
    elif found == "missing":
        log.warning("%s: classical plays for it", NO_NUMBA)
        yield ()
    else:
        log.info("the engine is being compiled, which takes about half a minute; classical plays meanwhile")
        process = start_warming()
        reaper = threading.Thread(target=_reap, args=(process,), name="waits for the compiler", daemon=True)
        reaper.start()
        try:
            yield ()
        finally:
            process.terminate()  # no effect once it has ended
            reaper.join(END_S)


def warm_for(strategies: Iterable[str], console: Console, clock: Clock) -> None:
    """For a command that measures or shows strategies: compile the engine first, if one of them needs it.

    Progress goes to `console`. Raises UserError where the engine cannot be had: nothing else would be what
    was asked for.
    """
    if COMPILED not in strategies or readiness() == "ready":
        return
    if run_warm(console, clock) != WARM:
        raise UserError("the strategy compiled cannot play; classical needs no compiler")
