"""Where the bot is measured: a local Lichess, people who challenge it again and again, the bot's process."""

from __future__ import annotations

import random
import tempfile
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from bot.bench.watch import Watch
from bot.errors import KnightshiftError
from bot.local_lichess import (
    AccountHandle,
    Faults,
    Limits,
    LocalLichess,
    OutgoingChallenge,
    Settings,
    challenge_form,
)
from bot.local_lichess.players import Player, RandomPlayer
from bot.service_process import ServiceProcess
from bot.timing.clock import Clock

BOT = "Knight"
#: The service is up well within this time, even on a slow machine.
START_S = 30.0
LOOK_S = 0.1
#: What Lichess allows in a day does not suffice for what is done here in minutes.
_MANY = 1_000_000
_LIMITS = Limits(
    event_stream_opens=_MANY,
    account_reads=_MANY,
    challenge_credits_per_minute=_MANY,
    challenge_credits_per_day=_MANY,
    bot_games_per_day=_MANY,
    games_in_all=_MANY,
    realtime_games=_MANY,
)


class BenchError(KnightshiftError):
    """The measurement could not be made."""


@dataclass(frozen=True, slots=True)
class Guests:
    """`count` people with a game each at a time, `games` in all.

    Each waits before every move, always the same time, which is drawn from 0.5 to 1.5 times `pause_s`.
    """

    count: int
    games: int
    pause_s: float
    limit_s: int = 300
    increment_s: int = 3


class Arena:
    """A running server with the bot's account. `folder` is the bot's, and lives as long as the arena."""

    def __init__(self, server: LocalLichess, watch: Watch, bot: AccountHandle, folder: Path) -> None:
        self.server = server
        self.watch = watch
        self.bot = bot
        self.folder = folder
        self.games_over = 0  # written on the server's thread
        server.lobby.on_event.append(self._count)

    def start_bot(self, **settings: object) -> ServiceProcess:
        """Start the bot on its account; returns at once."""
        whole: Mapping[str, object] = {"url": self.server.url, "token": self.bot.token, **settings}
        return ServiceProcess(self.folder, whole)

    def wait_online(self, service: ServiceProcess) -> None:
        """BenchError when the bot does not come."""
        try:
            self.server.wait_until(lambda: self.server.lobby.feeds.is_online(self.bot.id), START_S)
        except TimeoutError:
            raise BenchError(f"the bot did not come online\n{service.tail()}") from None

    def invite(
        self, guests: Guests, rng: random.Random, player: Callable[[random.Random], Player] = RandomPlayer
    ) -> None:
        """Let the guests come and challenge the bot; colours alternate."""
        for number in range(guests.count):
            share = guests.games // guests.count + (number < guests.games % guests.count)
            name = f"Guest{number + 1}"
            self.server.add_account(name)
            challenges = [
                OutgoingChallenge(
                    BOT,
                    challenge_form(
                        limit_s=guests.limit_s,
                        increment_s=guests.increment_s,
                        color="white" if (number + game) % 2 else "black",
                    ),
                )
                for game in range(share)
            ]
            pause_s = guests.pause_s * rng.uniform(0.5, 1.5)
            mind = player(random.Random(rng.random()))
            self.server.attach(name, mind, delay_s=pause_s, challenges=challenges)

    def wait_games(
        self, games: int, service: ServiceProcess, done: Callable[[int], None], stalled_s: float
    ) -> bool:
        """Until so many games are over, telling `done`; False when nothing has moved for `stalled_s` seconds.

        BenchError when the bot has ended.
        """
        pause, quiet_s, before = threading.Event(), 0.0, (-1, -1)
        while self.games_over < games:
            if not service.is_running:
                raise BenchError(f"the bot has ended\n{service.tail()}")
            now = (self.games_over, len(self.watch.replies))
            quiet_s, before = (quiet_s + LOOK_S if now == before else 0.0), now
            if quiet_s > stalled_s:
                return False
            pause.wait(LOOK_S)
            done(self.games_over)
        return True

    def _count(self, account: object, event: Mapping[str, object]) -> None:
        if event["type"] == "gameFinish" and getattr(account, "id", None) == self.bot.id:
            self.games_over += 1


@contextmanager
def arena(*, clock: Clock, seed: int, faults: Faults | None = None) -> Iterator[Arena]:
    """A server for the time of the block; `faults` misbehave behind the watch's back."""
    watch = Watch(clock=clock, inner=faults)
    server = LocalLichess(clock=clock, seed=seed, settings=Settings(limits=_LIMITS), faults=watch)
    watch.follow(server)
    with server, tempfile.TemporaryDirectory(prefix="knightshift-bench-") as folder:
        bot = server.add_account(BOT, title="BOT", scopes=("bot:play",))
        yield Arena(server, watch, bot, Path(folder))
