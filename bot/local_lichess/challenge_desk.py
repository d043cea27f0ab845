"""What people do with challenges: send, answer and withdraw them."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping
from typing import Literal, Protocol

from bot.local_lichess.accounts import Account, Accounts, Caller
from bot.local_lichess.challenges import (
    Challenge,
    ChallengeBook,
    challenge_json,
    compat_json,
    decline_reason_key,
)
from bot.local_lichess.clocks import Realtime
from bot.local_lichess.feeds import Feed, Feeds
from bot.local_lichess.game import Game
from bot.local_lichess.limits import DAY_MS, MINUTE_MS, Limiter
from bot.local_lichess.refusal import Refusal, not_found, rate_limited
from bot.local_lichess.rooms import Room, Rooms
from bot.local_lichess.seats import COLORS, Color, other
from bot.local_lichess.settings import Settings
from bot.local_lichess.terms import Form, Terms, is_true, read_ai_level, read_terms, require_bot_speed

Tell = Callable[[Account, Mapping[str, object]], None]


class StartGame(Protocol):
    """Sets up a game; `players` has None for the AI, whose level is `ai_level`."""

    def __call__(
        self,
        game_id: str,
        players: dict[Color, Account | None],
        terms: Terms,
        now_ms: int,
        *,
        ai_level: int | None = None,
    ) -> Room: ...


class ChallengeDesk:
    """Challenges and the limits on them. `tell` sends an event to an account, `start` sets up a game."""

    def __init__(
        self,
        settings: Settings,
        accounts: Accounts,
        feeds: Feeds,
        rooms: Rooms,
        *,
        tell: Tell,
        start: StartGame,
        new_id: Callable[[], str],
        rng: random.Random,
    ) -> None:
        self.book = ChallengeBook()
        self._settings = settings
        self._accounts = accounts
        self._feeds = feeds
        self._rooms = rooms
        self._tell = tell
        self._start = start
        self._new_id = new_id
        self._rng = rng
        limits = settings.limits
        name = "challenge.create.user"
        self._per_minute = Limiter(name, limits.challenge_credits_per_minute, MINUTE_MS)
        self._per_day = Limiter(name, limits.challenge_credits_per_day, DAY_MS)
        self._bot_games = Limiter("bot.vsBot.day", limits.bot_games_per_day, DAY_MS)
        self._ai_games = Limiter("setup.post.bot.ai", limits.ai_games_per_day, DAY_MS)

    # --- sending ------------------------------------------------------------------------------------

    def create(
        self, caller: Caller, dest_name: str, form: Form, now_ms: int
    ) -> tuple[Challenge, Feed | None]:
        """A new challenge, and its stream when the caller keeps it alive. Refusal 400 or 429."""
        me = caller.account
        terms = read_terms(form)
        dest = self._accounts.find(dest_name)
        if dest is None:
            raise Refusal(400, f"No such user: {dest_name}")
        if dest is me:
            raise Refusal(400, "You cannot challenge yourself")
        if dest.is_bot and terms.rules:
            raise Refusal(400, "Rules not applicable for bots")
        if is_true(form.get("onlyIfOpponentFollowsMe")) and me.id not in dest.follows:
            raise Refusal(400, f"{dest_name} does not follow you")
        if me.is_bot or dest.is_bot:
            require_bot_speed(terms)
        self._charge_for_challenge(me, dest, now_ms)
        self._require_bot_quota(me, dest, now_ms)
        self._require_room_for_a_game(terms, me, dest)
        challenge = self._new_challenge(me, dest, terms, now_ms)
        feed = None
        if is_true(form.get("keepAliveStream")):
            challenge.kept_alive = True
            feed = self._feeds.open(
                "challenge", me.id, token=caller.token.text, subject_id=challenge.id, now_ms=now_ms
            )
            self._feeds.send(feed, self.json(challenge, "out"))
        self._tell_both(challenge, "challenge", with_compat=True)
        return challenge, feed

    def create_ai(self, me: Account, form: Form, now_ms: int) -> Room:
        """Start a game against the AI at once. Refusal 400 or 429."""
        terms = read_terms(form)
        level = read_ai_level(form)
        if me.is_bot:
            require_bot_speed(terms)
            if (wait_s := self._ai_games.charge(me.id, 1, now_ms)) is not None:
                raise rate_limited(self._ai_games.name, wait_s)
        color = self._resolved(terms)
        return self._start(self._new_id(), {color: me, other(color): None}, terms, now_ms, ai_level=level)

    # --- answering ----------------------------------------------------------------------------------

    def accept(self, me: Account, challenge_id: str, now_ms: int) -> Room:
        """Start the game. Refusal 404 or 400; 429 or 400 for the bots' quota."""
        challenge = self.book.to_accept(challenge_id, me)
        self._require_bot_quota(me, challenge.challenger, now_ms)
        challenge.status = "accepted"
        if me.is_bot and challenge.challenger.is_bot:
            for account in (me, challenge.challenger):
                self._bot_games.charge(account.id, 1, now_ms)
        sides: dict[Color, Account | None] = {challenge.final_color: challenge.challenger}
        sides[other(challenge.final_color)] = challenge.dest
        self._finish_stream(challenge)
        return self._start(challenge.id, sides, challenge.terms, now_ms)

    def decline(self, me: Account, challenge_id: str, reason: str | None) -> None:
        """Say no. Refusal 404."""
        self._decline(self.book.to_decline(challenge_id, me), reason)

    def cancel(self, me: Account, challenge_id: str, opponent_token: str | None, now_ms: int) -> None:
        """Withdraw a challenge, decline it, or abort the game it became. Refusal 400 or 404."""
        challenge = self.book.to_cancel(challenge_id, me)
        if challenge is None:
            self._cancel_game(me, challenge_id, opponent_token, now_ms)
        elif challenge.challenger is me:
            self._cancel(challenge)
        else:
            self._decline(challenge, None)

    def stream_closed(self, feed: Feed) -> None:
        """The keep-alive stream of a challenge ended; if the challenger hung up, that cancels it."""
        if not self._feeds.close(feed):
            return
        challenge = self.book.find(feed.subject_id or "")
        if challenge is not None and challenge.is_pending:
            self._cancel(challenge)

    # --- showing ------------------------------------------------------------------------------------

    def json(self, challenge: Challenge, direction: Literal["in", "out"] | None = None) -> dict[str, object]:
        return challenge_json(
            challenge,
            base_url=self._settings.base_url,
            online=self._feeds.is_online,
            direction=direction,
        )

    def show(self, me: Account, challenge_id: str) -> dict[str, object]:
        """Refusal 404."""
        challenge = self.book.to_show(challenge_id, me)
        return self.json(challenge, "out" if challenge.challenger is me else "in")

    def list_for(self, me: Account) -> dict[str, object]:
        return {
            "in": [self.json(challenge, "in") for challenge in self.book.incoming(me)],
            "out": [self.json(challenge, "out") for challenge in self.book.outgoing(me)],
        }

    # --- details ------------------------------------------------------------------------------------

    def _new_challenge(self, me: Account, dest: Account, terms: Terms, now_ms: int) -> Challenge:
        challenge = Challenge(
            id=self._new_id(),
            challenger=me,
            dest=dest,
            terms=terms,
            final_color=self._resolved(terms),
            created_ms=now_ms,
            seen_ms=now_ms,
        )
        self.book.add(challenge)
        return challenge

    def _resolved(self, terms: Terms) -> Color:
        return self._rng.choice(COLORS) if terms.color == "random" else terms.color

    def _cancel(self, challenge: Challenge) -> None:
        challenge.status = "canceled"
        self._finish_stream(challenge)
        self._tell_both(challenge, "challengeCanceled")

    def _decline(self, challenge: Challenge, reason: str | None) -> None:
        challenge.status = "declined"
        challenge.decline_reason = decline_reason_key(reason)
        self._finish_stream(challenge)
        self._tell_both(challenge, "challengeDeclined")

    def _cancel_game(self, me: Account, game_id: str, opponent_token: str | None, now_ms: int) -> None:
        room = self._rooms.find(game_id)
        side = None if room is None else room.side_of(me)
        if room is None or side is None:
            raise not_found()
        if room.game.abortable:
            self._rooms.act(room, lambda game: game.abort(side, now_ms), now_ms)
            return
        if not opponent_token:
            raise Refusal(400, "Missing opponentToken")
        token = self._accounts.token_of(f"Bearer {opponent_token}")
        opponent = room.players[other(side)]
        if token is None or opponent is None or token.account_id != opponent.id:
            raise Refusal(400, "Not the opponent token")
        if "challenge:write" not in token.scopes:
            raise Refusal(400, "Not the opponent token")
        self._rooms.act(room, _aborted_by_server(now_ms), now_ms)

    def _finish_stream(self, challenge: Challenge) -> None:
        for feed in self._feeds.of("challenge", subject_id=challenge.id):
            self._feeds.send(feed, {"done": challenge.status})
            self._feeds.close(feed)

    def _tell_both(self, challenge: Challenge, kind: str, *, with_compat: bool = False) -> None:
        for account in (challenge.challenger, challenge.dest):
            event: dict[str, object] = {"type": kind, "challenge": self.json(challenge)}
            if with_compat:
                event["compat"] = compat_json(challenge.terms, for_bot=account.is_bot)
            self._tell(account, event)

    def _charge_for_challenge(self, me: Account, dest: Account, now_ms: int) -> None:
        limits = self._settings.limits
        cost = limits.bot_challenge_cost if dest.is_bot else limits.human_challenge_cost
        if me.id in dest.follows:
            cost = 0
        limiters = (self._per_minute, self._per_day)
        for limiter in limiters:
            if (wait_s := limiter.wait_s(me.id, cost, now_ms)) is not None:
                raise rate_limited(limiter.name, wait_s)
        for limiter in limiters:
            limiter.charge(me.id, cost, now_ms)

    def _require_bot_quota(self, me: Account, opponent: Account, now_ms: int) -> None:
        """Bots play each other so many times a day: my fault is a 429, the opponent's a 400."""
        if not (me.is_bot and opponent.is_bot):
            return
        games = self._settings.limits.bot_games_per_day
        tail = f"played {games} games against other bots today, please wait before challenging another bot."
        if (wait_s := self._bot_games.wait_s(me.id, 1, now_ms)) is not None:
            raise rate_limited(self._bot_games.name, wait_s, f"You {tail}")
        if (wait_s := self._bot_games.wait_s(opponent.id, 1, now_ms)) is not None:
            raise rate_limited(self._bot_games.name, wait_s, f"{opponent.name} {tail}", status=400)

    def _require_room_for_a_game(self, terms: Terms, *accounts: Account) -> None:
        limits = self._settings.limits
        for account in accounts:
            running = self._rooms.running(account)
            realtime = sum(1 for room in running if room.game.speed != "correspondence")
            too_many = isinstance(terms.time_control, Realtime) and realtime >= limits.realtime_games
            if too_many or len(running) >= limits.games_in_all:
                raise Refusal(400, "Challenge not created")


def _aborted_by_server(now_ms: int) -> Callable[[Game], None]:
    return lambda game: game.abort_by_server(now_ms)
