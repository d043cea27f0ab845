"""A lobby in virtual time, and short words for what people do in it."""

from __future__ import annotations

import random
from collections.abc import Mapping
from typing import Any

from bot.local_lichess.accounts import Account, Caller
from bot.local_lichess.feeds import Feed
from bot.local_lichess.limits import Limits
from bot.local_lichess.lobby import Lobby
from bot.local_lichess.refusal import Refusal
from bot.local_lichess.rooms import Room
from bot.local_lichess.settings import Settings

BLITZ = {"clock.limit": "180", "clock.increment": "2"}
START_MS = 1_750_000_000_000


class World:
    """Everybody has one token with the scopes that go with their title. `now_ms` is the time."""

    def __init__(self, limits: Limits | None = None, *, keep_alive_ms: int = 7000, seed: int = 1) -> None:
        self.now_ms = START_MS
        self.lobby = Lobby(
            Settings(base_url="http://local.test", keep_alive_ms=keep_alive_ms, limits=limits or Limits()),
            random.Random(seed),
        )
        self._callers: dict[str, Caller] = {}

    def add(self, name: str, title: str | None = None, **more: Any) -> Caller:
        account = self.lobby.accounts.add(Account(name, title, **more))
        play = "bot:play" if title == "BOT" else "board:play"
        scopes = (play, "challenge:read", "challenge:write")
        token = self.lobby.accounts.issue(account, scopes, text=f"lip_{account.id}")
        self._callers[account.id] = Caller(account, token)
        return self._callers[account.id]

    def caller(self, name: str) -> Caller:
        return self._callers[name]

    def account(self, name: str) -> Account:
        return self._callers[name].account

    # --- time -----------------------------------------------------------------------------------------

    def wait(self, seconds: float, *, step_s: float = 1.0) -> None:
        """Let time pass, with a tick at least every `step_s`."""
        end_ms = self.now_ms + round(seconds * 1000)
        while self.now_ms < end_ms:
            self.now_ms = min(end_ms, self.now_ms + round(step_s * 1000))
            self.lobby.tick(self.now_ms)

    # --- challenges -----------------------------------------------------------------------------------

    def events(self, name: str, **headers: str) -> Feed:
        return self.lobby.open_events(
            self.caller(name), user_agent=headers.get("user_agent", ""), now_ms=self.now_ms
        )

    def challenge(self, challenger: str, dest: str, form: Mapping[str, str] = BLITZ, **more: str) -> str:
        challenge, _ = self.lobby.challenges.create(
            self.caller(challenger), dest, {**form, **more}, self.now_ms
        )
        return challenge.id

    def accept(self, name: str, challenge_id: str) -> Room:
        return self.lobby.challenges.accept(self.account(name), challenge_id, self.now_ms)

    def decline(self, name: str, challenge_id: str, reason: str | None = None) -> None:
        self.lobby.challenges.decline(self.account(name), challenge_id, reason)

    def cancel(self, name: str, challenge_id: str, token: str | None = None) -> None:
        self.lobby.challenges.cancel(self.account(name), challenge_id, token, self.now_ms)

    # --- games ----------------------------------------------------------------------------------------

    def game(self, white: str, black: str, form: Mapping[str, str] = BLITZ, **more: str) -> Room:
        """A game that has just been accepted."""
        return self.accept(black, self.challenge(white, black, form, color="white", **more))

    def stream(self, name: str, room: Room, *, user_agent: str = "") -> Feed:
        caller = self.caller(name)
        return self.lobby.rooms.open_stream(
            "bot" if caller.account.is_bot else "board",
            caller,
            room.game.id,
            user_agent=user_agent,
            now_ms=self.now_ms,
        )

    def play(self, room: Room, moves: str) -> None:
        """Moves of both sides in turn, in UCI, a second each."""
        for uci in moves.split():
            self.now_ms += 1000
            side = room.game.turn
            self.lobby.rooms.act(room, lambda game: game.move(side, uci, self.now_ms), self.now_ms)  # noqa: B023  called at once


def types(messages: list[dict[str, Any]]) -> list[str]:
    return [str(message["type"]) for message in messages]


def answer(refusal: Refusal) -> tuple[int, object]:
    """Status and error text of a refusal."""
    return refusal.status, refusal.body["error"]
