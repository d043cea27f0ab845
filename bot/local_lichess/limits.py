"""Rate limits: so many credits in a period that begins with the first use."""

from __future__ import annotations

from dataclasses import dataclass

MINUTE_MS = 60_000
DAY_MS = 24 * 60 * MINUTE_MS


@dataclass(frozen=True, slots=True)
class Limits:
    """The numbers Lichess enforces; a test may hand in smaller ones."""

    event_stream_opens: int = 30  # per 10 minutes and token
    account_reads: int = 30  # per 5 minutes and user
    challenge_credits_per_minute: int = 25
    challenge_credits_per_day: int = 200
    human_challenge_cost: int = 5
    bot_challenge_cost: int = 1
    bot_games_per_day: int = 100  # bot against bot, counted at the start of a game
    ai_games_per_day: int = 50
    games_in_all: int = 200
    realtime_games: int = 100


class Limiter:
    """A named limit, counted per key (a token, a user)."""

    def __init__(self, name: str, credits: int, period_ms: int) -> None:
        self.name = name
        self._credits = credits
        self._period_ms = period_ms
        self._spent: dict[str, tuple[int, int]] = {}  # key: (credits spent, end of the period)

    def wait_s(self, key: str, cost: int, now_ms: int) -> int | None:
        """None when `cost` can be charged now, else the whole seconds until the period ends."""
        spent, ends_ms = self._spent.get(key, (0, now_ms))
        if ends_ms <= now_ms:
            spent = 0
        if spent + cost <= self._credits:
            return None
        return max(1, -(-(ends_ms - now_ms) // 1000))

    def charge(self, key: str, cost: int, now_ms: int) -> int | None:
        """Charge `cost` and return None, or charge nothing and return the seconds to wait."""
        wait = self.wait_s(key, cost, now_ms)
        if wait is not None or cost == 0:
            return wait
        spent, ends_ms = self._spent.get(key, (0, now_ms))
        if ends_ms <= now_ms:
            spent, ends_ms = 0, now_ms + self._period_ms
        self._spent[key] = (spent + cost, ends_ms)
        return None
