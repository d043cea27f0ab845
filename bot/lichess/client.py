"""Everything we ask of Lichess, on berserk's public parts, each failure a LichessError.

Reads go through `berserk.Requestor` into our own tolerant parsing (berserk's converters raise on odd values);
actions through `berserk.Client` where it has them, else through the Requestor.
"""

from __future__ import annotations

import logging
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

import berserk
from pydantic import SecretStr

from bot.errors import ConnectionTroubleError
from bot.events import Account, ChatRoom, DeclineReason, GameInfo, TokenInfo, Unreadable
from bot.lichess.answers import parse_account, parse_ongoing, parse_speakers, parse_token_info
from bot.lichess.mover import Mover
from bot.lichess.paths import path_id
from bot.lichess.sessions import (
    LichessSession,
    check_agent,
    check_token,
    check_url,
    introduction,
    is_in_clear,
)
from bot.lichess.transport import LineStream, open_lines
from bot.lichess.troubles import answer_error, as_lichess_errors
from bot.timing.clock import Clock, SystemClock

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Timeouts:
    """How long to wait, in seconds: for a connection, and then between two bytes of an answer."""

    connect_s: float = 3.05  # just over the time in which TCP repeats a lost first packet
    read_s: float = 10.0
    silence_s: float = 15.0  # on a stream: two keep-alives of 7 s missed
    move_s: float = 5.0


class Lichess:
    """One account on one server. Thread-safe.

    Every stream and every mover has a session of its own; all other requests take turns on one. Without a
    `user_agent` of the caller's we introduce ourselves, and name the account once `account` has been asked.
    """

    def __init__(
        self,
        url: str,
        token: SecretStr | str,
        *,
        user_agent: str | None = None,
        timeouts: Timeouts | None = None,
        clock: Clock | None = None,
    ) -> None:
        """Sends nothing yet. UserError if `url`, `token` or `user_agent` cannot be one."""
        self.url = check_url(url)
        self._token = check_token(token)
        if is_in_clear(self.url):
            log.warning("%s is not https: everybody on the way can read the token", self.url)
        self._names_itself = user_agent is None
        self._user_agent = introduction() if user_agent is None else check_agent(user_agent)
        self._timeouts = timeouts or Timeouts()
        self._clock = clock or SystemClock()  # the sockets' time is real whatever the caller's is
        self._turn = threading.Lock()  # on the shared session
        self._session = self._new_session()
        self._api = berserk.Requestor(self._session, self.url, berserk.JSON)
        self._berserk = berserk.Client(self._session, base_url=self.url)
        self._registry = threading.Lock()
        self._open: set[LineStream | Mover] = set()
        self._closed = False

    # --- look-ups ---------------------------------------------------------------------------------------

    def account(self) -> Account:
        """Whose token this is. Lichess allows 30 of these in 5 minutes."""
        with self._asking("account"):
            account = parse_account(self._api.get("/api/account"))
            if self._names_itself:
                self._user_agent = introduction(account.username)
                self._session.headers["User-Agent"] = self._user_agent
            return account

    def token_info(self) -> TokenInfo | None:
        """The token's owner, scopes and expiry; None when Lichess does not know it."""
        token = self._token.get_secret_value()
        with self._asking("token test"):
            # Not through berserk, which logs request bodies at debug level.
            answer = self._session.post(
                f"{self.url}/api/token/test", data=token, headers={"Content-Type": "text/plain"}
            )
            if not answer.ok:
                raise answer_error("token test", answer, self._session.mask)
            return parse_token_info(answer.json(), token)

    def ongoing_games(self) -> tuple[GameInfo, ...]:
        """The games we are in, most urgent first, 50 at most."""
        with self._asking("ongoing games"):
            answer = self._api.get("/api/account/playing", params={"nb": 50})
        games = parse_ongoing(answer)
        for game in games:
            if isinstance(game, Unreadable):
                log.warning("an entry of the ongoing games was ignored: %s", game.why)
        return tuple(game for game in games if isinstance(game, GameInfo))

    # --- streams and moves --------------------------------------------------------------------------------

    def open_event_stream(self) -> LineStream:
        """The account's events. Lichess allows 30 of these in 10 minutes, and ends the one before."""
        return self._open_stream("event stream", "/api/stream/event")

    def open_game_stream(self, game_id: str) -> LineStream:
        """One game's events; its first line is the whole game."""
        return self._open_stream(f"game stream {game_id}", f"/api/bot/game/stream/{path_id(game_id)}")

    def mover(self) -> Mover:
        """A connection for one game's moves. It is made with the first move, while the clock stands still."""
        mover = Mover(
            self._new_session(),
            self.url,
            connect_s=self._timeouts.connect_s,
            answer_s=self._timeouts.move_s,
            on_close=self._forget,
        )
        self._register(mover)
        return mover

    # --- actions ----------------------------------------------------------------------------------------

    def upgrade_to_bot(self) -> None:
        """Turn the account into a BOT account, for good. Refused once it has played a game."""
        with self._asking("upgrade to a bot account"):
            self._api.post("/api/bot/account/upgrade")

    def accept(self, challenge_id: str) -> None:
        with self._asking(f"accept {challenge_id}"):
            self._berserk.bots.accept_challenge(path_id(challenge_id))

    def decline(self, challenge_id: str, reason: DeclineReason = "generic") -> None:
        with self._asking(f"decline {challenge_id}"):
            self._berserk.bots.decline_challenge(path_id(challenge_id), reason)

    def cancel(self, challenge_id: str) -> None:
        """Withdraw our challenge; if it has become a game, abort that."""
        with self._asking(f"cancel {challenge_id}"):
            self._berserk.challenges.cancel(path_id(challenge_id))

    def abort(self, game_id: str) -> None:
        """Refused once both sides have moved."""
        with self._asking(f"abort {game_id}"):
            self._berserk.bots.abort_game(path_id(game_id))

    def resign(self, game_id: str) -> None:
        """Before both sides have moved, Lichess aborts instead."""
        with self._asking(f"resign {game_id}"):
            self._berserk.bots.resign_game(path_id(game_id))

    def draw(self, game_id: str, *, accept: bool) -> None:
        """True: offer, accept, or claim a threefold repetition. False: decline. HTTP 200 in any case."""
        self._game_action(game_id, f"draw/{'yes' if accept else 'no'}")

    def takeback(self, game_id: str, *, accept: bool) -> None:
        """True: propose or accept. False: decline. HTTP 200 in any case."""
        self._game_action(game_id, f"takeback/{'yes' if accept else 'no'}")

    def claim_victory(self, game_id: str) -> None:
        """When the opponent has been gone long enough."""
        self._game_action(game_id, "claim-victory")

    def claim_draw(self, game_id: str) -> None:
        """When the opponent has been gone long enough; a threefold repetition is claimed by `draw`."""
        self._game_action(game_id, "claim-draw")

    def chat(self, game_id: str, room: ChatRoom, text: str) -> None:
        """`text` has 1 to 140 characters; a bot's line with a link in it is dropped without a word."""
        with self._asking(f"chat in {game_id}"):
            self._berserk.bots.post_message(path_id(game_id), text, spectator=room == "spectator")

    def chat_speakers(self, game_id: str) -> frozenset[str]:
        """Who has said something in the players' room: account ids, in lower case."""
        with self._asking(f"chat of {game_id}"):
            return parse_speakers(self._api.get(f"/api/bot/game/{path_id(game_id)}/chat"))

    def close(self) -> None:
        """Wake every open stream and close all connections; opening afterwards raises. Any number of times.

        A stream that is just being opened ends within its own time limits.
        """
        with self._registry:
            self._closed = True
            still_open = tuple(self._open)
        for one in still_open:
            one.close()
        self._session.close()

    # --- inside -----------------------------------------------------------------------------------------

    def _game_action(self, game_id: str, action: str) -> None:
        with self._asking(f"{action} in {game_id}"):
            self._api.post(f"/api/bot/game/{path_id(game_id)}/{action}")

    @contextmanager
    def _asking(self, what: str) -> Iterator[None]:
        """A turn on the shared session."""
        with self._turn:
            if self._closed:
                raise _closed_error(what)
            with as_lichess_errors(what, self._session.mask):
                yield

    def _new_session(self) -> LichessSession:
        timeout = (self._timeouts.connect_s, self._timeouts.read_s)
        return LichessSession(self._token, user_agent=self._user_agent, timeout=timeout, clock=self._clock)

    def _open_stream(self, what: str, path: str) -> LineStream:
        stream = open_lines(
            self._new_session(),
            self.url,
            path,
            what=what,
            connect_s=self._timeouts.connect_s,
            silence_s=self._timeouts.silence_s,
            on_end=self._forget,
        )
        self._register(stream)
        return stream

    def _register(self, connection: LineStream | Mover) -> None:
        with self._registry:
            if not self._closed:
                self._open.add(connection)
                return
        connection.close()
        raise _closed_error("opening a connection")

    def _forget(self, connection: LineStream | Mover) -> None:
        with self._registry:
            self._open.discard(connection)


def _closed_error(what: str) -> ConnectionTroubleError:
    return ConnectionTroubleError(f"{what}: not sent, the client was closed")
