"""The bot in this process, put together as `bot.app` does it, but with short timeouts."""

from __future__ import annotations

import logging
import random
import threading
from collections.abc import Callable
from dataclasses import dataclass

from bot.account import Account
from bot.account_messages import SessionEnded
from bot.game_knowledge import FlowSettings
from bot.game_session import GameSession, SessionSettings
from bot.lichess.client import Lichess, Timeouts
from bot.lichess.lanes import ErrandLane
from bot.local_lichess import AccountHandle, LocalLichess
from bot.nursery import Nursery
from bot.record.heartbeat import Heartbeat
from bot.service import Service
from bot.settings import ChallengeSettings, GameSettings
from bot.strategies.contract import StrategySpec
from bot.timing.clock import SystemClock
from bot.timing.overhead import Overhead
from tests.hosting import ROOT

PATIENCE_S = 100.0  # generous: only a failing test ever waits so long

#: Streams say something five times a second; after two missed keep-alives and some grace they count as dead.
KEEP_ALIVE_S = 0.2
TIMEOUTS = Timeouts(connect_s=2.0, read_s=1.0, silence_s=0.8, move_s=1.0)

SHUFFLES = "tests.e2e.own_strategies:shuffles"
TWO_GAMES = GameSettings(max_simultaneous=2, stop_deadline_s=0)
ANY_CHALLENGE = ChallengeSettings()


def spec(name: str) -> StrategySpec:
    return StrategySpec(name, search_path=(str(ROOT),))


class Log(logging.Handler):
    """What the bot logs."""

    def __init__(self) -> None:
        super().__init__(logging.INFO)
        self.lines: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        self.lines.append(f"{record.levelname} {record.threadName}: {record.getMessage()}")

    def has(self, text: str) -> bool:
        return any(text in line for line in list(self.lines))


@dataclass(frozen=True)
class Manners:
    """How the bot is set up; the rest is as in production."""

    strategy: str = SHUFFLES
    fallback: str = SHUFFLES
    games: GameSettings = TWO_GAMES
    challenge: ChallengeSettings = ANY_CHALLENGE
    abort_unmoved_after_s: float = 60.0
    greeting: str = ""
    farewell: str = ""
    timeouts: Timeouts = TIMEOUTS
    memory_limit_mib: int | None = None


class LiveBot:
    """`bot.service.Service` in a thread of its own, put together as `bot.app` does it."""

    def __init__(
        self, server: LocalLichess, handle: AccountHandle, nursery: Nursery, manners: Manners
    ) -> None:
        clock, rng = SystemClock(), random.Random(1)
        self._lichess = Lichess(server.url, handle.token, timeouts=manners.timeouts)
        self._lane = ErrandLane(clock=clock, gap_s=0.02)
        settings = SessionSettings(
            flow=FlowSettings(
                bot_id=handle.id,
                abort_unmoved_after_s=manners.abort_unmoved_after_s,
                greeting=manners.greeting,
                farewell=manners.farewell,
            ),
            overhead=Overhead(100),
            strategy=spec(manners.strategy),
            fallback=spec(manners.fallback),
            memory_limit_mib=manners.memory_limit_mib,
        )

        def new_session(game_id: str, ended: Callable[[SessionEnded], None]) -> GameSession:
            return GameSession(
                game_id,
                settings,
                lichess=self._lichess,
                lane=self._lane,
                nursery=nursery,
                ended=ended,
                clock=clock,
                rng=random.Random(rng.random()),
            )

        self.ledger = Account(handle.id, manners.challenge, manners.games, manners.games.stop_deadline_s)
        self._service = Service(
            self.ledger,
            lichess=self._lichess,
            lane=self._lane,
            new_session=new_session,
            heartbeat=Heartbeat({}),
            clock=clock,
            rng=rng,
        )
        self.left: str | None = None
        self._thread = threading.Thread(target=self._run, name="service")

    def _run(self) -> None:
        self.left = self._service.run().why

    def start(self) -> None:
        self._lane.start()
        self._thread.start()

    @property
    def is_serving(self) -> bool:
        return self._thread.is_alive()

    def stop(self) -> None:
        self._service.request_stop()
        self._thread.join(PATIENCE_S)
        assert not self._thread.is_alive(), "the service does not stop"
        self._lane.close(0.0)
        self._lichess.close()
