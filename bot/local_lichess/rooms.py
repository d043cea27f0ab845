"""Games being played: who sits at them, and which streams hear of them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

from bot.local_lichess.accounts import Account, Caller
from bot.local_lichess.feeds import Feed, Feeds
from bot.local_lichess.game import Game
from bot.local_lichess.refusal import Refusal
from bot.local_lichess.seats import COLORS, Color, other

Api = Literal["bot", "board"]

_GAME_ID_LENGTH = 8
_CREDIT_S = 20
_NOT_A_BOT = (
    "This endpoint can only be used with a Bot account. "
    "See https://lichess.org/api#operation/botAccountUpgrade"
)


@dataclass(slots=True, eq=False)
class Room:
    """One game and the accounts at it; None stands for the server's own AI."""

    game: Game
    players: dict[Color, Account | None]
    end_told: bool = False

    def side_of(self, account: Account) -> Color | None:
        return next((side for side in COLORS if self.players[side] is account), None)

    def side(self, account: Account) -> Color:
        """LookupError when the account does not play here."""
        side = self.side_of(account)
        if side is None:
            raise LookupError(f"{account.name} does not play in {self.game.id}")
        return side


class Rooms:
    """All games since the start of the server, over or not.

    `finished` is called once for every game that ends, after its streams have their last line.
    """

    def __init__(self, feeds: Feeds, *, finished: Callable[[Room, int], None]) -> None:
        #: Called after every change of a game, once its streams have been told.
        self.on_change: list[Callable[[Room], None]] = []
        self._feeds = feeds
        self._finished = finished
        self._rooms: dict[str, Room] = {}
        self._running: dict[str, Room] = {}

    def add(self, room: Room) -> None:
        self._rooms[room.game.id] = room
        self._running[room.game.id] = room

    def all(self) -> list[Room]:
        """Oldest first."""
        return list(self._rooms.values())

    def find(self, game_id: str) -> Room | None:
        """By game id, or by the 12 characters of a player's full id."""
        return self._rooms.get(game_id[:_GAME_ID_LENGTH])

    def running(self, account: Account) -> list[Room]:
        """The account's games that are not over, oldest first."""
        return [room for room in self._running.values() if room.side_of(account) is not None]

    def seat(self, api: Api, caller: Caller, game_id: str) -> tuple[Room, Color]:
        """The game and the caller's side in it. Refusal 400 or 404 when there is no such thing."""
        if api == "bot" and not caller.account.is_bot:
            raise Refusal(400, _NOT_A_BOT)
        if api == "board" and caller.account.is_bot:
            raise Refusal(400, "This API endpoint is not for Bot accounts.")
        room, side = self.place(caller.account, game_id)
        if api == "bot" and not room.game.bot_compatible:
            raise Refusal(400, "This game cannot be played with the Bot API.")
        if api == "board" and not room.game.board_compatible:
            raise Refusal(400, "This game cannot be played with the Board API.")
        return room, side

    def place(self, account: Account, game_id: str) -> tuple[Room, Color]:
        """The game and the account's side in it. Refusal 404."""
        room = self.find(game_id)
        if room is None:
            raise Refusal(404, "No such game")
        side = room.side_of(account)
        if side is None:
            raise Refusal(404, "Not your game")
        return room, side

    def open_stream(self, api: Api, caller: Caller, game_id: str, *, user_agent: str, now_ms: int) -> Feed:
        """A stream of the game: all of it first. The same client's older stream of it ends."""
        room, side = self.seat(api, caller, game_id)
        game = room.game
        older = [
            feed
            for feed in self._feeds.of("game", account_id=caller.account.id, subject_id=game.id)
            if feed.user_agent == user_agent
        ]
        feed = self._feeds.open(
            "game",
            caller.account.id,
            token=caller.token.text,
            user_agent=user_agent,
            subject_id=game.id,
            now_ms=now_ms,
        )
        self._feeds.send(feed, game.full_json(now_ms))
        if game.is_over:
            self._feeds.close(feed)
            return feed
        game.connected(side, now_ms)
        for replaced in older:
            self.stream_closed(replaced, now_ms)
        self.deliver(room, now_ms)
        return feed

    def stream_closed(self, feed: Feed, now_ms: int) -> None:
        """A stream of a game has ended, from either side; only the first call counts."""
        if not self._feeds.close(feed):
            return
        room = self._rooms.get(feed.subject_id or "")
        if room is None or room.game.is_over:
            return
        for side in COLORS:
            player = room.players[side]
            if player is not None and player.id == feed.account_id:
                room.game.disconnected(side, now_ms)
        self.deliver(room, now_ms)

    def act(self, room: Room, action: Callable[[Game], None], now_ms: int) -> None:
        """Do something to a game and tell everybody what came of it. Refusal as the game says."""
        try:
            action(room.game)
        finally:
            self.deliver(room, now_ms)

    def tick(self, now_ms: int) -> None:
        """Let time pass in every game."""
        for room in list(self._running.values()):
            due_ms = room.game.next_event_ms()
            if due_ms is not None and due_ms <= now_ms:
                room.game.tick(now_ms)
                self.deliver(room, now_ms)

    def credit_clocks(self, now_ms: int) -> None:
        """What Lichess does when it was restarted: 20 s for the side to move, 10 s for the other.

        A game whose flag has fallen is called off.
        """
        for room in list(self._running.values()):
            clock = room.game.clock
            if clock.is_flagged(now_ms):
                room.game.abort_by_server(now_ms)
            else:
                clock.give(clock.turn, _CREDIT_S, now_ms)
                clock.give(other(clock.turn), _CREDIT_S // 2, now_ms)
            self.deliver(room, now_ms)

    def deliver(self, room: Room, now_ms: int) -> None:
        """Hand what the game has to say to its streams; end them when it is over."""
        game = room.game
        for emitted in game.drain():
            for feed in self._feeds.of("game", subject_id=game.id):
                if emitted.to == "both" or self._is_of(feed, room, emitted.to):
                    self._feeds.send(feed, emitted.line)
        if game.is_over and not room.end_told:
            room.end_told = True
            self._end(room, now_ms)
        for listener in self.on_change:
            listener(room)

    def _end(self, room: Room, now_ms: int) -> None:
        del self._running[room.game.id]
        for feed in self._feeds.of("game", subject_id=room.game.id):
            self._feeds.close(feed)
        if room.game.is_deleted:
            del self._rooms[room.game.id]
        else:
            self._finished(room, now_ms)

    @staticmethod
    def _is_of(feed: Feed, room: Room, side: Color) -> bool:
        player = room.players[side]
        return player is not None and player.id == feed.account_id
