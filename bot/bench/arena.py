"""Where the bot is measured: a local Lichess, people who challenge it again and again, the bot's process."""

from __future__ import annotations

import random
import tempfile
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from bot.bench.processes import relatives
from bot.bench.watch import Watch
from bot.errors import BenchError
from bot.local_lichess import AccountHandle, Faults, GameSnapshot, Limits, LocalLichess, Settings
from bot.local_lichess.accounts import Account
from bot.local_lichess.clocks import Realtime
from bot.local_lichess.players import Player, RandomPlayer
from bot.service_process import ServiceProcess
from bot.timing.clock import Clock

BOT = "Knight"
#: The service is up well within this time, even on a slow machine.
START_S = 60.0
#: How often the guests are looked after.
LOOK_S = 0.05
#: What a process that has ended had started must be gone by then.
CHILDREN_END_S = 20.0
#: A guest whose challenge is not answered within this time sends another.
PATIENCE_S = 25.0
#: A guest who was declined asks again after this time.
DECLINED_S = 0.5
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


@dataclass(frozen=True, slots=True)
class Guests:
    """`count` people with a game each at a time, `games` in all (None: without end).

    Each waits before every move, always the same time, which is drawn from 0.5 to 1.5 times `pause_s`.
    """

    count: int
    games: int | None
    pause_s: float
    limit_s: int = 300
    increment_s: int = 3


@dataclass(slots=True)
class _Guest:
    name: str
    has_white: bool  # in the next game
    challenge_id: str = ""  # the last one
    asked_at: float = -PATIENCE_S  # monotonic seconds


class Arena:
    """A running server with the bot's account. `folder` is the bot's, and lives as long as the arena."""

    def __init__(
        self, server: LocalLichess, watch: Watch, bot: AccountHandle, folder: Path, clock: Clock
    ) -> None:
        self.server = server
        self.watch = watch
        self.bot = bot
        self.folder = folder
        self.clock = clock
        self._guests: list[_Guest] = []
        self._invited = Guests(0, 0, 0.0)
        self._pause = threading.Event()

    # --- the bot --------------------------------------------------------------------------------------

    def start_bot(self, **settings: object) -> ServiceProcess:
        """Start the bot on its account; returns at once."""
        whole: Mapping[str, object] = {"url": self.server.url, "token": self.bot.token, **settings}
        return ServiceProcess(self.folder, whole)

    @contextmanager
    def bot_online(self, **settings: object) -> Iterator[ServiceProcess]:
        """The bot, online when the block begins and stopped after it. BenchError when it does not come."""
        service = self.start_bot(**settings)
        try:
            self.wait_online(service)
            yield service
            service.stop()
        finally:
            service.kill()  # no effect on one that has ended; one that failed us is not waited for

    def wait_online(self, service: ServiceProcess) -> None:
        """BenchError when the bot does not come."""
        try:
            self.server.wait_until(lambda: self.server.lobby.feeds.is_online(self.bot.id), START_S)
        except TimeoutError:
            raise BenchError(f"the bot did not come online\n{service.tail()}") from None

    def left_behind(self, services: Sequence[ServiceProcess]) -> int:
        """How many processes that these, which have ended, had started are still there, after a while."""
        until = self.clock.monotonic() + CHILDREN_END_S
        while left := sum(len(relatives(service)) for service in services):
            if self.clock.monotonic() > until:
                break
            self.wait_a_while(LOOK_S)
        return left

    # --- the guests -----------------------------------------------------------------------------------

    def invite(
        self, guests: Guests, rng: random.Random, player: Callable[[random.Random], Player] = RandomPlayer
    ) -> None:
        """Let the guests come. They challenge the bot while `wait` is waiting; colours alternate."""
        self._invited = guests
        for number in range(guests.count):
            guest = _Guest(f"Guest{number + 1}", has_white=number % 2 == 1)
            self.server.add_account(guest.name)
            mind = player(random.Random(rng.random()))
            self.server.attach(guest.name, mind, delay_s=guests.pause_s * rng.uniform(0.5, 1.5))
            self._guests.append(guest)

    def wait(self, predicate: Callable[[], bool], timeout_s: float) -> bool:
        """Until `predicate` holds, which is asked on the server's thread; False after `timeout_s` seconds."""
        until = self.clock.monotonic() + timeout_s
        while not self.server.on_loop(predicate):
            if self.clock.monotonic() > until:
                return False
            self.look_after_guests()
            self._pause.wait(LOOK_S)
        return True

    def wait_a_while(self, seconds: float) -> None:
        """Let the games go on."""
        self.wait(lambda: False, seconds)

    def play_out(self, service: ServiceProcess, done: Callable[[int], None], stalled_s: float) -> bool:
        """Until all games are over, telling `done` how many; False when nothing moves for `stalled_s` s.

        BenchError when the bot ends.
        """
        moves, since = -1, self.clock.monotonic()
        while (over := self._games_over()) < (self._invited.games or 0):
            done(over)
            if not service.is_running:
                raise BenchError(f"the bot has ended\n{service.tail()}")
            now = self.clock.monotonic()
            if (made := len(self.watch.replies)) != moves:
                moves, since = made, now
            elif now - since > stalled_s:
                return False
            self.wait_a_while(LOOK_S)
        done(over)
        return True

    def running(self) -> list[str]:
        """The ids of the bot's games that are not over. On the server's thread."""
        return [room.game.id for room in self.server.lobby.rooms.running(self._account(self.bot.id))]

    def games(self) -> list[GameSnapshot]:
        return self.server.games()

    def look_after_guests(self) -> None:
        """Have every guest without a game challenge the bot, as long as there are games to be played."""
        for guest in self.server.on_loop(self._idle_guests):
            color = "white" if guest.has_white else "black"
            limit_s, increment_s = self._invited.limit_s, self._invited.increment_s
            guest.challenge_id = self.server.challenge(
                guest.name, BOT, limit_s=limit_s, increment_s=increment_s, color=color
            )
            guest.asked_at = self.clock.monotonic()
            guest.has_white = not guest.has_white

    def _idle_guests(self) -> list[_Guest]:
        """Those who should challenge the bot now."""
        rooms = self.server.lobby.rooms
        free = [guest for guest in self._guests if not rooms.running(self._account(guest.name))]
        waiting = [guest for guest in free if self._is_waiting(guest)]
        games = self._invited.games
        left = len(free) if games is None else games - len(rooms.all()) - len(waiting)
        return [guest for guest in free if guest not in waiting][: max(0, left)]

    def _is_waiting(self, guest: _Guest) -> bool:
        """For an answer, or a little, having been declined."""
        challenge = self.server.lobby.challenges.book.find(guest.challenge_id)
        patience_s = PATIENCE_S if challenge is not None and challenge.is_pending else DECLINED_S
        return self.clock.monotonic() < guest.asked_at + patience_s

    def _games_over(self) -> int:
        return self.server.on_loop(lambda: sum(room.game.is_over for room in self.server.lobby.rooms.all()))

    def _account(self, name: str) -> Account:
        return self.server.lobby.accounts.get(name)


@contextmanager
def arena(
    *, clock: Clock, seed: int = 0, faults: Faults | None = None, realtime: Realtime | None = None
) -> Iterator[Arena]:
    """A server for the time of the block; `faults` misbehave behind the watch's back. `realtime`: the time
    control of all games, whatever their challenges ask for."""

    def moves_of(game_id: str) -> tuple[str, ...]:
        room = server.lobby.rooms.find(game_id)
        return () if room is None else room.game.moves

    watch = Watch(clock=clock, moves_of=moves_of, inner=faults)
    settings = Settings(limits=_LIMITS, realtime=realtime)
    server = LocalLichess(clock=clock, seed=seed, settings=settings, faults=watch)
    with server, tempfile.TemporaryDirectory(prefix="knightshift-bench-") as folder:
        bot = server.add_account(BOT, title="BOT", scopes=("bot:play",))
        yield Arena(server, watch, bot, Path(folder), clock)
