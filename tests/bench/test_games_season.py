"""What ends a season before its time."""

from __future__ import annotations

import random
from collections.abc import Iterator

import pytest

from bot.bench.arena import arena
from bot.bench.games_schedule import schedule
from bot.bench.games_season import Season
from bot.errors import BenchError
from bot.local_lichess.clocks import FineRealtime
from bot.nursery import Nursery
from bot.strategies.contract import StrategySpec
from bot.timing.clock import SystemClock
from tests.hosting import warm_nursery

CONTROL = FineRealtime(15, 1, 600_000, 0)
FIXTURES = schedule(2, ("rival",), random.Random(1))
HANGS = StrategySpec("tests.bench.games_kit:hangs")
SETTINGS = {"strategy": "random", "challenge": {"variants": ["standard", "fromPosition"]}}


@pytest.fixture(scope="module")
def nursery() -> Iterator[Nursery]:
    with warm_nursery() as nursery:
        yield nursery


def test_games_that_stand_still_are_left_as_they_are(nursery: Nursery) -> None:
    with arena(clock=SystemClock(), realtime=CONTROL) as world, world.bot_online(**SETTINGS) as service:
        season = Season(world, FIXTURES[:1], {"rival": HANGS}, nursery, CONTROL)
        season.play(service, parallel=1, told=lambda _: None, stalled_s=4.0)
        assert [game.ending for game in season.played] in (
            ["not finished"],
            [],
        )  # a slow machine has none yet
        service.kill()


def test_a_bot_that_ends_is_an_error(nursery: Nursery) -> None:
    with arena(clock=SystemClock(), realtime=CONTROL) as world, world.bot_online(**SETTINGS) as service:
        season = Season(world, FIXTURES, {"rival": StrategySpec("random")}, nursery, CONTROL)
        service.kill()
        with pytest.raises(BenchError, match="the bot has ended"):
            season.play(service, parallel=2, told=lambda _: None, stalled_s=60.0)
