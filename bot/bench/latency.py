"""`knightshift bench latency`: from the state that asks for a move to the arrival of our POST.

Measured by the server: from the moment it hands the line to the connection to the moment it has the whole
request. All that lies between counts, the strategy's own time too: `random`, which needs about 0.3 ms.
"""

from __future__ import annotations

import random

from bot.bench.arena import Guests, arena
from bot.bench.progress import progress
from bot.bench.quantile import quantile
from bot.bench.table import Measured, report
from bot.bench.watch import Reply
from bot.errors import BenchError
from bot.timing.clock import SystemClock

#: What is promised: see README.
P50_MS, P99_MS = 5.0, 25.0
#: No game stands still so long.
STALLED_S = 60.0


def run_latency(*, parallel: int, games: int, seed: int, pause_ms: float, as_json: bool) -> int:
    """Play `games` games, `parallel` at a time, against people who pause before each move; the exit code.

    BenchError when the games do not come to an end.
    """
    with arena(clock=SystemClock(), seed=seed) as world:
        simultaneous = {"max_simultaneous": parallel}
        with world.bot_online(strategy="random", games=simultaneous) as service:
            world.invite(Guests(min(parallel, games), games, pause_ms / 1000), random.Random(seed))
            with progress("games", games) as done:
                if not world.play_out(service, done, STALLED_S):
                    raise BenchError(f"no move for {STALLED_S:g} s\n{service.tail()}")
        replies = world.server.on_loop(lambda: list(world.watch.replies))
    title = f"latency: {games} games, {parallel} at a time, opponents pause {pause_ms:g} ms"
    return report(title, figures_of(replies), as_json=as_json)


def figures_of(replies: list[Reply]) -> list[Measured]:
    """The quantiles, and what became of the promises. BenchError when there is nothing to measure."""
    if not replies:
        raise BenchError("the bot made no move")
    took_ms = [reply.after_s * 1000 for reply in replies]
    first_ms = [reply.after_s * 1000 for reply in replies if reply.ply < 2]
    return [
        Measured("moves", "moves", len(took_ms), ""),
        Measured("p50_ms", "state to POST, p50", quantile(took_ms, 0.50), "ms", P50_MS),
        Measured("p95_ms", "p95", quantile(took_ms, 0.95), "ms"),
        Measured("p99_ms", "p99", quantile(took_ms, 0.99), "ms", P99_MS),
        Measured("max_ms", "longest", max(took_ms), "ms"),
        *(
            [Measured("first_ms", "first moves, p50 (the strategy loads)", quantile(first_ms, 0.5), "ms")]
            if first_ms
            else []
        ),
    ]
