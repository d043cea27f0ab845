"""A Lichess on loopback: real sockets, in a thread of its own."""

from __future__ import annotations

import asyncio
import random
import socket
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from types import TracebackType
from typing import Self, TypeVar

from bot.local_lichess.accounts import Account, Caller, Token
from bot.local_lichess.hosts import Hosts, OutgoingChallenge, carry_out
from bot.local_lichess.http import AnswerOrder, LoggedRequest, Wire, make_app
from bot.local_lichess.lobby import Lobby
from bot.local_lichess.players import Action, Player, RandomPlayer
from bot.local_lichess.rooms import Room
from bot.local_lichess.seam import ControllingFaults, Controls, Faults
from bot.local_lichess.settings import Settings
from bot.local_lichess.snapshot import GameSnapshot, snapshot
from bot.local_lichess.terms import challenge_form
from bot.local_lichess.uvicorn_thread import UvicornThread
from bot.timing.clock import Clock, SystemClock

T = TypeVar("T")

BOT_SCOPES = ("bot:play", "challenge:read", "challenge:write")
HUMAN_SCOPES = ("board:play", "challenge:read", "challenge:write", "follow:write")

_TICK_S = 0.02
_DEFAULT_SETTINGS = Settings()


@dataclass(frozen=True, slots=True)
class AccountHandle:
    id: str
    name: str
    token: str


class LocalLichess:
    """The server; a context manager. While it runs, every method may be called from any thread.

    `clock` (None: the machine's own) drives all that happens in time; `settings` has the rest of its manners
    (`base_url` and `keep_alive_ms` are set here). The same `seed` gives the same ids, colours and orders.
    """

    def __init__(
        self,
        *,
        clock: Clock | None = None,
        port: int = 0,
        seed: int = 0,
        keep_alive_s: float = 7.0,
        settings: Settings = _DEFAULT_SETTINGS,
        answer_order: AnswerOrder = "random",
        faults: Faults | None = None,
        ai: Callable[[int], Player] | None = None,
    ) -> None:
        """Binds 127.0.0.1:`port` (0: any free one) at once. OSError when that cannot be had.

        `ai` makes the player for a level of the server's own AI; by default it moves at random.
        """
        self._clock = SystemClock() if clock is None else clock
        self._epoch_s = self._clock.wall() - self._clock.monotonic()
        self._socket = socket.create_server(("127.0.0.1", port))
        # Every connection inherits it. Without it a line waits for the acknowledgement of the one before, and
        # that takes 40 ms; asyncio sees to it only for sockets that say which protocol they speak.
        self._socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.port: int = self._socket.getsockname()[1]
        self.url = f"http://127.0.0.1:{self.port}"
        self.lobby = Lobby(
            replace(settings, base_url=self.url, keep_alive_ms=max(1, round(keep_alive_s * 1000))),
            random.Random(seed),
        )
        self._waiters: list[tuple[Callable[[], bool], asyncio.Future[None]]] = []
        self._checking = False
        self._thread = UvicornThread(self._socket, beside=self._keep_time, before_stop=self._wind_up)
        self._wire = Wire(
            lobby=self.lobby,
            clock=self._clock,
            now_ms=self._now_ms,
            rng=random.Random(seed + 1),
            hang_up=self._thread.hang_up,
            order=answer_order,
            faults=faults,
            after_change=self._check_waiters,
        )
        if isinstance(faults, ControllingFaults):
            faults.take_controls(
                Controls(
                    self._clock,
                    self._thread.break_connections,
                    lambda: self.lobby.rooms.credit_clocks(self._now_ms()),
                )
            )
        self._hosts = Hosts(
            self.lobby,
            now_ms=self._now_ms,
            flush=self._wire.flush,
            ai=ai or (lambda level: RandomPlayer(random.Random(seed + level))),
        )

    # --- running --------------------------------------------------------------------------------------

    def start(self) -> None:
        """Serve; returns once requests are answered."""
        self._thread.start(make_app(self._wire))

    def stop(self) -> None:
        """End all streams and connections; returns once the port is free. Idempotent."""
        self._thread.stop()

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self.stop()

    # --- people ---------------------------------------------------------------------------------------

    def add_account(
        self,
        name: str,
        title: str | None = None,
        scopes: Iterable[str] | None = None,
        *,
        rating: int = 1500,
        token: str | None = None,
        provisional: bool = False,
        takebacks: bool = True,
    ) -> AccountHandle:
        """A new account with one token, which has all scopes of use to a bot or a human unless told.

        ValueError when the name or token is taken or malformed.
        """
        if scopes is None:
            scopes = BOT_SCOPES if title == "BOT" else HUMAN_SCOPES

        def add() -> AccountHandle:
            account = self.lobby.accounts.add(
                Account(
                    name,
                    title,
                    rating,
                    provisional=provisional,
                    takebacks=takebacks,
                    created_at_ms=self._now_ms(),
                )
            )
            issued = self.lobby.accounts.issue(account, scopes, text=token)
            return AccountHandle(account.id, account.name, issued.text)

        return self.on_loop(add)

    def attach(
        self,
        account_name: str,
        player: Player,
        *,
        accepts: bool = True,
        delay_s: float = 0.0,
        challenges: Sequence[OutgoingChallenge] = (),
    ) -> None:
        """Let `player` play every game of the account that starts from now on; see `Hosts.attach`."""
        account = self._account(account_name)
        self.on_loop(
            lambda: self._hosts.attach(
                account, player, accepts=accepts, delay_s=delay_s, challenges=challenges
            )
        )

    def challenge(
        self,
        challenger: str,
        dest: str,
        *,
        limit_s: int | None = 180,
        increment_s: int = 2,
        days: int | None = None,
        rated: bool = False,
        color: str = "random",
        variant: str = "standard",
        fen: str | None = None,
        rules: Sequence[str] = (),
    ) -> str:
        """Send a challenge as `challenger`; returns its id. `limit_s` None: `days`, or no clock at all.

        Refusal when the server would refuse it.
        """
        form = challenge_form(
            limit_s=limit_s,
            increment_s=increment_s,
            days=days,
            rated=rated,
            color=color,
            variant=variant,
            fen=fen,
            rules=rules,
        )
        account = self._account(challenger)
        caller = Caller(account, Token("inside", account.id, ()))
        return self.on_loop(lambda: self.lobby.challenges.create(caller, dest, form, self._now_ms())[0].id)

    def act(self, account_name: str, game_id: str, action: Action) -> None:
        """Do something in a game as one of its players. LookupError; Refusal when it is not allowed."""
        account = self._account(account_name)

        def do() -> None:
            room, now_ms = self._room(game_id), self._now_ms()
            side = room.side(account)
            self.lobby.rooms.act(room, lambda game: carry_out(game, side, action, now_ms), now_ms)

        self.on_loop(do)

    # --- watching -------------------------------------------------------------------------------------

    def game(self, game_id: str) -> GameSnapshot:
        """The game as it stands. LookupError when there is none."""

        return self._thread.call(lambda: snapshot(self._room(game_id).game, self._now_ms()))

    def pgn(self, game_id: str) -> str:
        """The game so far. LookupError when there is none."""
        return self._thread.call(lambda: self._room(game_id).game.pgn(self._now_ms(), base_url=self.url))

    def games(self) -> list[GameSnapshot]:
        """All games, oldest first."""
        return self.on_loop(lambda: [snapshot(room.game, self._now_ms()) for room in self.lobby.rooms.all()])

    def request_log(self) -> list[LoggedRequest]:
        """The requests so far (the last 100,000), in the order of the answers."""
        return self._thread.call(lambda: list(self._wire.log))

    def wait_until(self, predicate: Callable[[], bool], timeout_s: float | None = 60.0) -> None:
        """Return once `predicate` holds; it is tried after every change and tick, on the server's thread.

        TimeoutError after `timeout_s` seconds of real time (None: never).
        """
        self._thread.run(self._wait(predicate, timeout_s))

    def wait_game_over(self, game_id: str, timeout_s: float = 60.0) -> GameSnapshot:
        """The game once it is over. LookupError when there is none, TimeoutError when it goes on."""
        self.wait_until(lambda: self._room(game_id).game.is_over, timeout_s)
        return self.game(game_id)

    def on_loop(self, work: Callable[[], T]) -> T:
        """Run `work` on the server's thread, where alone its world may be touched, and send what follows."""

        def run() -> T:
            try:
                return work()
            finally:
                self._wire.flush()

        return self._thread.call(run)

    # --- details --------------------------------------------------------------------------------------

    def _account(self, name: str) -> Account:
        account = self.lobby.accounts.find(name)
        if account is None:
            raise LookupError(f"there is no account {name!r}")
        return account

    def _room(self, game_id: str) -> Room:
        room = self.lobby.rooms.find(game_id)
        if room is None:
            raise LookupError(f"there is no game {game_id!r}")
        return room

    def _now_ms(self) -> int:
        """Milliseconds since the epoch, by the monotonic clock."""
        return int((self._clock.monotonic() + self._epoch_s) * 1000)

    async def _keep_time(self) -> None:
        while True:
            await asyncio.sleep(_TICK_S)
            self.lobby.tick(self._now_ms())
            self._wire.flush()

    def _wind_up(self) -> None:
        self._hosts.close()
        self.lobby.feeds.close_all()
        self._wire.flush()

    async def _wait(self, predicate: Callable[[], bool], timeout_s: float | None) -> None:
        if predicate():
            return
        waiter = (predicate, asyncio.get_running_loop().create_future())
        self._waiters.append(waiter)
        try:
            await asyncio.wait_for(waiter[1], timeout_s)
        except TimeoutError:
            raise TimeoutError(f"not so within {timeout_s} s") from None
        finally:
            self._waiters.remove(waiter)

    def _check_waiters(self) -> None:
        if self._checking:  # a predicate changed something
            return
        self._checking = True
        try:
            for predicate, future in self._waiters:
                if not future.done():
                    _try(predicate, future)
        finally:
            self._checking = False


def _try(predicate: Callable[[], bool], future: asyncio.Future[None]) -> None:
    try:
        if predicate():
            future.set_result(None)
    except Exception as error:  # noqa: BLE001  the predicate's; raised again in the thread that waits
        future.set_exception(error)
