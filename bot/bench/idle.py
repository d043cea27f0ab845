"""`knightshift bench idle`: memory of the idle service, and how soon its event stream is open."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import threading
from pathlib import Path

from bot.bench.table import Measured, report
from bot.errors import UserError
from bot.local_lichess import LocalLichess
from bot.timing.clock import SystemClock

RUNS = 5
#: What is promised: see README.
RESIDENT_MIB, OPEN_S = 60.0, 1.5
#: The service is looked at again this long after its stream opened, when it has settled.
SETTLE_S = 2.0


def run_idle(*, as_json: bool) -> int:
    """Start the service `RUNS` times against a local Lichess; the medians are reported."""
    if not Path("/proc/self/status").exists():
        raise UserError("bench idle reads /proc, which this system does not have")
    opened, resident, children = zip(*(_one_run() for _ in range(RUNS)), strict=True)
    figures = [
        Measured("resident_mib", "main process, resident", _median(resident), "MiB", RESIDENT_MIB),
        Measured("open_s", "start to open event stream", _median(opened), "s", OPEN_S),
        Measured("helpers_mib", "process server and tracker, resident", _median(children), "MiB"),
    ]
    return report(f"idle, median of {RUNS} starts", figures, as_json=as_json)


def _one_run() -> tuple[float, float, float]:
    clock = SystemClock()
    with LocalLichess() as server, tempfile.TemporaryDirectory(prefix="knightshift-bench-") as folder:
        bot = server.add_account("Knight", title="BOT", scopes=("bot:play",))
        config = Path(folder) / "config.yml"
        config.touch(mode=0o600)
        config.write_text(f"url: {server.url}\ntoken: {bot.token}\n", encoding="utf-8")
        environment = {name: value for name, value in os.environ.items() if name != "LICHESS_BOT_TOKEN"}
        started = clock.monotonic()
        process = subprocess.Popen(  # noqa: S603  our own program, with arguments of our own
            [sys.executable, "-m", "bot", "run", "--config", str(config)],
            stderr=subprocess.DEVNULL,
            env=environment,
        )
        try:
            server.wait_until(lambda: server.lobby.feeds.is_online(bot.id), 30.0)
            open_s = clock.monotonic() - started
            threading.Event().wait(SETTLE_S)
            return open_s, _resident_mib(process.pid), sum(map(_resident_mib, _descendants(process.pid)))
        finally:
            process.terminate()
            process.wait(15)


def _resident_mib(pid: int) -> float:
    status = Path(f"/proc/{pid}/status").read_text(encoding="ascii", errors="replace")
    lines = (line.split() for line in status.splitlines())
    return next((int(words[1]) / 1024 for words in lines if words[0] == "VmRSS:"), 0.0)


def _descendants(pid: int) -> list[int]:
    found: list[int] = []
    for task in Path(f"/proc/{pid}/task").iterdir():
        for child in (task / "children").read_text(encoding="ascii").split():
            found += [int(child), *_descendants(int(child))]
    return found


def _median(values: tuple[float, ...]) -> float:
    return sorted(values)[len(values) // 2]
