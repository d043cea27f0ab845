"""`knightshift bench idle`: memory of the idle service, and how soon its event stream is open."""

from __future__ import annotations

import threading

from bot.bench.arena import arena
from bot.bench.processes import descendants, need_proc, resident_mib
from bot.bench.table import Measured, report
from bot.timing.clock import SystemClock

RUNS = 5
#: What is promised: see README.
RESIDENT_MIB, OPEN_S = 60.0, 1.5
#: The service is looked at again this long after its stream opened, when it has settled.
SETTLE_S = 2.0


def run_idle(*, as_json: bool) -> int:
    """Start the service `RUNS` times against a local Lichess; the medians are reported."""
    need_proc("bench idle")
    opened, resident, children = zip(*(_one_run() for _ in range(RUNS)), strict=True)
    figures = [
        Measured("resident_mib", "main process, resident", _median(resident), "MiB", RESIDENT_MIB),
        Measured("open_s", "start to open event stream", _median(opened), "s", OPEN_S),
        Measured("helpers_mib", "process server and tracker, resident", _median(children), "MiB"),
    ]
    return report(f"idle, median of {RUNS} starts", figures, as_json=as_json)


def _one_run() -> tuple[float, float, float]:
    clock = SystemClock()
    with arena(clock=clock) as world:
        started = clock.monotonic()
        with world.bot_online() as service:
            open_s = clock.monotonic() - started
            threading.Event().wait(SETTLE_S)
            pid = service.pid
            return open_s, resident_mib(pid), sum(map(resident_mib, descendants(pid)))


def _median(values: tuple[float, ...]) -> float:
    return sorted(values)[len(values) // 2]
