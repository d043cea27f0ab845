"""`knightshift bench latency`: from the state that asks for a move to the arrival of our POST."""

from __future__ import annotations

import random

from bot.bench.arena import Guests, arena
from bot.bench.progress import progress
from bot.bench.table import Measured, report
from bot.timing.clock import SystemClock

#: What is promised: see README.
P50_MS, P99_MS = 5.0, 25.0
#: No game stands still so long.
STALLED_S = 60.0


def run_latency(*, parallel: int, games: int, seed: int, pause_ms: float, as_json: bool) -> int:
    """Play `games` games, `parallel` at a time, against people who answer at once or after a pause."""
    clock, rng = SystemClock(), random.Random(seed)
    with arena(clock=clock, seed=seed) as world:
        service = world.start_bot(
            strategy="random", games={"max_simultaneous": parallel, "max_per_opponent": 1}
        )
        try:
            world.wait_online(service)
            world.invite(Guests(parallel, games, pause_ms / 1000), rng)
            with progress("games", games) as done:
                complete = world.wait_games(games, service, done, STALLED_S)
        finally:
            service.stop()
    replies = world.watch.replies
    took = sorted(reply.after_s * 1000 for reply in replies)
    return report(str(complete), [
        Measured("n", "n", len(took), ""),
        Measured("p50", "p50", took[len(took)//2], "ms", P50_MS),
        Measured("p95", "p95", took[len(took)*95//100], "ms"),
        Measured("p99", "p99", took[len(took)*99//100], "ms", P99_MS),
        Measured("max", "max", took[-1], "ms"),
    ], as_json=as_json)
