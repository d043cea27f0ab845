"""The whole world of the server, in the time that is handed in: people, challenges, games, streams.

Synchronous, and without a socket. Every method that is refused raises `Refusal`; after any call the streams
that have something new are woken by `feeds.flush()`.
"""

from __future__ import annotations

import random
import string
from collections.abc import Callable, Mapping

from bot.local_lichess.accounts import Account, Accounts, Caller
from bot.local_lichess.challenge_desk import ChallengeDesk
from bot.local_lichess.clocks import Realtime
from bot.local_lichess.feeds import Feed, Feeds
from bot.local_lichess.game import Game
from bot.local_lichess.limits import MINUTE_MS, Limiter
from bot.local_lichess.refusal import Refusal, not_found, rate_limited
from bot.local_lichess.rooms import Room, Rooms
from bot.local_lichess.rules import chess960_fen
from bot.local_lichess.seats import COLORS, Color, Seat
from bot.local_lichess.settings import Settings
from bot.local_lichess.terms import Terms
from bot.local_lichess.user_json import extended_user, public_user, status_user

_ID_LETTERS = string.ascii_letters + string.digits
_MIN_GIFT_S, _MAX_GIFT_S = 5, 60


class Lobby:
    """Accounts, challenges, games and open streams of one server."""

    def __init__(self, settings: Settings, rng: random.Random) -> None:
        self.settings = settings
        self.accounts = Accounts(rng)
        self.feeds = Feeds(keep_alive_ms=settings.keep_alive_ms, rng=rng)
        self.rooms = Rooms(self.feeds, finished=self._game_finished)
        self.challenges = ChallengeDesk(
            settings,
            self.accounts,
            self.feeds,
            self.rooms,
            tell=self.tell,
            start=self.start_game,
            new_id=self._new_id,
            rng=rng,
        )
        #: Called with every game that starts; for players that live inside the server.
        self.on_game_start: list[Callable[[Room], None]] = []
        #: Called with every event an account is told, whether or not it has a stream open.
        self.on_event: list[Callable[[Account, Mapping[str, object]], None]] = []
        self._rng = rng
        limits = settings.limits
        self._event_opens = Limiter("api.stream.event.bearer", limits.event_stream_opens, 10 * MINUTE_MS)
        self._account_reads = Limiter("api.account.user", limits.account_reads, 5 * MINUTE_MS)

    # --- time and streams ---------------------------------------------------------------------------

    def tick(self, now_ms: int) -> None:
        """Let time pass: games, stale challenges, keep-alives."""
        self.rooms.tick(now_ms)
        self.challenges.book.sweep(now_ms)
        self.feeds.keep_alive(now_ms)

    def open_events(self, caller: Caller, *, user_agent: str, now_ms: int) -> Feed:
        """The account's event stream: ongoing games, then incoming challenges. The token's older one ends."""
        token = caller.token.text
        if self._event_opens.charge(token, 1, now_ms) is not None:
            raise Refusal(429, "Please don't poll this endpoint. Keep one stream open instead.")
        for feed in self.feeds.of("events", account_id=caller.account.id):
            if feed.token == token:
                self.feeds.close(feed)
        feed = self.feeds.open("events", caller.account.id, token=token, user_agent=user_agent, now_ms=now_ms)
        for room in self.rooms.running(caller.account):
            self.feeds.send(feed, self._game_event("gameStart", room, caller.account, now_ms))
        for challenge in self.challenges.book.incoming(caller.account):
            self.feeds.send(feed, {"type": "challenge", "challenge": self.challenges.json(challenge)})
        return feed

    def stream_closed(self, feed: Feed, now_ms: int) -> None:
        """The reader of a stream is gone, or has read it to its end."""
        match feed.kind:
            case "game":
                self.rooms.stream_closed(feed, now_ms)
            case "challenge":
                self.challenges.stream_closed(feed)
            case "events":
                self.feeds.close(feed)

    def tell(self, account: Account, event: Mapping[str, object]) -> None:
        """Send an event to all of the account's event streams."""
        for feed in self.feeds.of("events", account_id=account.id):
            self.feeds.send(feed, event)
        for listener in self.on_event:
            listener(account, event)

    # --- games --------------------------------------------------------------------------------------

    def start_game(
        self,
        game_id: str,
        players: dict[Color, Account | None],
        terms: Terms,
        now_ms: int,
        *,
        ai_level: int | None = None,
    ) -> Room:
        """Set up a game and tell its players. A chess960 game without a position draws one."""
        initial_fen = terms.initial_fen
        if initial_fen is None and terms.variant == "chess960":
            initial_fen = chess960_fen(self._rng.randrange(960))
        settings = self.settings
        time_control = terms.time_control
        if settings.realtime is not None and isinstance(time_control, Realtime):
            time_control = settings.realtime
        accounts = [account for account in players.values() if account is not None]
        game = Game(
            game_id,
            _seat(players["white"], ai_level),
            _seat(players["black"], ai_level),
            time_control=time_control,
            now_ms=now_ms,
            full_ids={side: game_id + self._letters(4) for side in COLORS},
            variant=terms.variant,
            initial_fen=initial_fen,
            rated=terms.rated and ai_level is None,
            source="friend" if ai_level is None else "ai",
            rules=terms.rules,
            takebacks=all(account.takebacks for account in accounts),
            king_takes_rook=settings.king_takes_rook,
            flag_grace_ms=settings.flag_grace_ms,
            flag_check_ms=settings.keep_alive_ms,
            sweep_ms=settings.sweep_ms,
        )
        room = Room(game, players)
        self.rooms.add(room)
        for account in accounts:
            account.games += 1
        self._rng.shuffle(accounts)
        for account in accounts:
            self.tell(account, self._game_event("gameStart", room, account, now_ms))
        for listener in self.on_game_start:
            listener(room)
        self.rooms.deliver(room, now_ms)
        return room

    def add_time(self, account: Account, game_id: str, seconds: int, now_ms: int) -> None:
        """Give the opponent 5 to 60 seconds. Refusal 400 or 404."""
        room, side = self.rooms.place(account, game_id)
        if not _MIN_GIFT_S <= seconds <= _MAX_GIFT_S:
            raise not_found()
        self.rooms.act(room, lambda game: game.add_time(side, seconds, now_ms), now_ms)

    def now_playing(self, account: Account, count: int, now_ms: int) -> dict[str, object]:
        """GET /api/account/playing: the most urgent games first."""
        running = self.rooms.running(account)
        games = sorted((room.game.playing_json(room.side(account), now_ms) for room in running), key=_urgency)
        mine = sum(1 for game in games if game["isMyTurn"])
        return {"nbMyTurn": mine, "nowPlaying": games[: max(1, min(count, 50))]}

    # --- people -------------------------------------------------------------------------------------

    def my_account(self, account: Account, now_ms: int) -> dict[str, object]:
        """GET /api/account. Refusal 429."""
        if (wait_s := self._account_reads.charge(account.id, 1, now_ms)) is not None:
            raise rate_limited(self._account_reads.name, wait_s)
        return self.user(account.name)

    def user(self, name: str) -> dict[str, object]:
        """GET /api/user/{name}. Refusal 404."""
        account = self.accounts.get(name)
        running = self.rooms.running(account)
        playing = f"{running[0].game.id}/{running[0].side(account)}" if running else None
        return extended_user(
            account, base_url=self.settings.base_url, playing=playing, games_now=len(running)
        )

    def statuses(self, names: list[str]) -> list[dict[str, object]]:
        """GET /api/users/status; unknown names are left out."""
        found = [account for name in names[:100] if (account := self.accounts.find(name)) is not None]
        return [
            status_user(
                account,
                online=self.feeds.is_online(account.id),
                playing=bool(self.rooms.running(account)),
            )
            for account in found
        ]

    def online_bots(self, count: int) -> list[dict[str, object]]:
        """GET /api/bot/online: bots with a stream open."""
        online = [account for account in self.accounts if account.is_bot and self.feeds.is_online(account.id)]
        return [public_user(account) for account in online[: max(1, min(count, 512))]]

    def upgrade_to_bot(self, account: Account) -> None:
        """Make it a BOT account, for ever. Refusal 400 or 404."""
        if account.managed:
            raise Refusal(404, "Managed accounts cannot be bots.")
        if account.games > 0:
            raise Refusal(400, "You already have games played. Make a new account.")
        account.title = "BOT"

    # --- details ------------------------------------------------------------------------------------

    def _game_finished(self, room: Room, now_ms: int) -> None:
        game = room.game
        for side in COLORS:
            account = room.players[side]
            if account is None:
                continue
            if game.status != "aborted":
                _count_result(account, game, side)
            self.tell(account, self._game_event("gameFinish", room, account, now_ms))

    @staticmethod
    def _game_event(kind: str, room: Room, account: Account, now_ms: int) -> dict[str, object]:
        return {"type": kind, "game": room.game.playing_json(room.side(account), now_ms)}

    def _new_id(self) -> str:
        while True:
            new = self._letters(8)
            if self.rooms.find(new) is None and self.challenges.book.find(new) is None:
                return new

    def _letters(self, count: int) -> str:
        return "".join(self._rng.choices(_ID_LETTERS, k=count))


def _seat(account: Account | None, ai_level: int | None) -> Seat:
    if account is None:
        return Seat(id="", name="", ai_level=ai_level)
    return Seat(account.id, account.name, account.title, account.rating, account.provisional)


def _count_result(account: Account, game: Game, side: Color) -> None:
    if game.winner is None:
        account.draws += 1
    elif game.winner == side:
        account.wins += 1
    else:
        account.losses += 1
    difference = game.rating_diff(side)
    if difference is not None:
        account.rated_games += 1
        account.rating += difference


def _urgency(game: Mapping[str, object]) -> tuple[bool, float]:
    seconds = game.get("secondsLeft")
    return (not game["isMyTurn"], float(seconds) if isinstance(seconds, int) else float("inf"))
