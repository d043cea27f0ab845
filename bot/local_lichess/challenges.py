"""Challenges: their life from creation to the last answer, and how the API shows them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Literal

from bot.local_lichess.accounts import Account
from bot.local_lichess.clocks import Correspondence, Realtime, TimeControl
from bot.local_lichess.refusal import Refusal, not_found
from bot.local_lichess.rules import VARIANTS
from bot.local_lichess.seats import Color, other
from bot.local_lichess.terms import Terms
from bot.local_lichess.user_json import challenge_user

ChallengeStatus = Literal["created", "offline", "canceled", "declined", "accepted"]

#: A realtime challenge nobody keeps alive goes stale after this long.
STALE_AFTER_MS = 20_000
#: and any challenge is forgotten after this long.
FORGET_AFTER_MS = 14 * 24 * 3600 * 1000

DECLINE_REASONS = {
    "generic": "Not taking challenges now.",
    "later": "Not now; please ask again later.",
    "toofast": "Too fast; please try a slower time control.",
    "tooslow": "Too slow; please try a faster time control.",
    "timecontrol": "Not with this time control.",
    "rated": "Rated games only, please.",
    "casual": "Casual games only, please.",
    "standard": "Standard chess only at the moment.",
    "variant": "Not this variant at the moment.",
    "nobot": "No challenges from bots, please.",
    "onlybot": "Challenges from bots only, please.",
}

#: Lichess sends a character of its own icon font.
_ICON = "\ue000"
_FRACTIONS = {15: "¼", 30: "½", 45: "¾", 90: "1.5"}


@dataclass(slots=True, eq=False)
class Challenge:
    """One challenge; `id` becomes the id of the game."""

    id: str
    challenger: Account
    dest: Account
    terms: Terms
    final_color: Color  # the challenger's
    created_ms: int
    seen_ms: int
    kept_alive: bool = False
    status: ChallengeStatus = "created"
    decline_reason: str = "generic"

    @property
    def is_pending(self) -> bool:
        """It can still be accepted; a stale one can."""
        return self.status in ("created", "offline")

    def color_of(self, account: Account) -> Color:
        return self.final_color if account is self.challenger else other(self.final_color)


class ChallengeBook:
    """Every challenge that is not forgotten yet."""

    def __init__(self) -> None:
        self._challenges: dict[str, Challenge] = {}

    def add(self, challenge: Challenge) -> None:
        self._challenges[challenge.id] = challenge

    def find(self, challenge_id: str) -> Challenge | None:
        return self._challenges.get(challenge_id)

    def incoming(self, account: Account) -> list[Challenge]:
        """Those waiting for this account's answer, oldest first; stale ones are not shown."""
        return [c for c in self._challenges.values() if c.dest is account and c.status == "created"]

    def outgoing(self, account: Account) -> list[Challenge]:
        return [c for c in self._challenges.values() if c.challenger is account and c.status == "created"]

    def to_accept(self, challenge_id: str, account: Account) -> Challenge:
        """The challenge this account may accept. Refusal 404 or 400."""
        challenge = self.find(challenge_id)
        if challenge is None or challenge.dest is not account or challenge.status == "accepted":
            raise not_found()
        if challenge.status in ("canceled", "declined"):
            raise Refusal(400, f"The challenge has been {challenge.status}.")
        if account.is_bot and not challenge.terms.bot_compatible:
            raise Refusal(400, "Game incompatible with a BOT account")
        return challenge

    def to_decline(self, challenge_id: str, account: Account) -> Challenge:
        """The challenge this account may decline. Refusal 404."""
        challenge = self.find(challenge_id)
        if challenge is None or challenge.dest is not account or not challenge.is_pending:
            raise not_found()
        return challenge

    def to_cancel(self, challenge_id: str, account: Account) -> Challenge | None:
        """The pending challenge this account sent or received, or None."""
        challenge = self.find(challenge_id)
        if challenge is None or not challenge.is_pending:
            return None
        return challenge if account in (challenge.challenger, challenge.dest) else None

    def to_show(self, challenge_id: str, account: Account) -> Challenge:
        """Any challenge this account has a part in. Refusal 404."""
        challenge = self.find(challenge_id)
        if challenge is None or account not in (challenge.challenger, challenge.dest):
            raise not_found()
        return challenge

    def sweep(self, now_ms: int) -> None:
        """Let challenges go stale, and forget the very old ones. Nobody is told."""
        for challenge in list(self._challenges.values()):
            if challenge.kept_alive:
                challenge.seen_ms = now_ms
            realtime = isinstance(challenge.terms.time_control, Realtime)
            if challenge.status == "created" and realtime and now_ms - challenge.seen_ms >= STALE_AFTER_MS:
                challenge.status = "offline"
            if now_ms - challenge.created_ms >= FORGET_AFTER_MS:
                del self._challenges[challenge.id]

    def __iter__(self) -> Iterator[Challenge]:
        return iter(self._challenges.values())


def decline_reason_key(text: str | None) -> str:
    """The key for what the decliner sent, in any case; unknown is generic."""
    key = (text or "").lower()
    return key if key in DECLINE_REASONS else "generic"


def challenge_json(
    challenge: Challenge,
    *,
    base_url: str,
    online: Callable[[str], bool],
    direction: Literal["in", "out"] | None = None,
) -> dict[str, object]:
    """The challenge as answers (with `direction`) and events (without) show it."""
    terms = challenge.terms
    variant = VARIANTS[terms.variant]
    perf_name = VARIANTS[terms.perf].name if terms.perf in VARIANTS else terms.perf.capitalize()
    shown: dict[str, object] = {
        "id": challenge.id,
        "url": f"{base_url}/{challenge.id}",
        "status": challenge.status,
        "challenger": challenge_user(challenge.challenger, online=online(challenge.challenger.id)),
        "destUser": challenge_user(challenge.dest, online=online(challenge.dest.id)),
        "variant": {"key": variant.key, "name": variant.name, "short": variant.short},
        "rated": terms.rated,
        "speed": terms.speed,
        "timeControl": time_control_json(terms.time_control),
        "color": terms.color,
        "finalColor": challenge.final_color,
        "perf": {"icon": _ICON, "name": perf_name},
    }
    if terms.initial_fen is not None:
        shown["initialFen"] = terms.initial_fen
    if terms.rules:
        shown["rules"] = list(terms.rules)
    if challenge.status == "declined":
        shown["declineReason"] = DECLINE_REASONS[challenge.decline_reason]
        shown["declineReasonKey"] = challenge.decline_reason
    if direction is not None:
        shown["direction"] = direction
    return shown


def compat_json(terms: Terms, *, for_bot: bool) -> dict[str, object]:
    """Whether the game can be played through the Bot API (by a bot only) and the Board API."""
    return {"bot": for_bot and terms.bot_compatible, "board": terms.board_compatible}


def time_control_json(time_control: TimeControl) -> dict[str, object]:
    match time_control:
        case Realtime(limit_s, increment_s):
            minutes = _FRACTIONS.get(limit_s, str(limit_s // 60))
            show = f"{minutes}+{increment_s}"
            return {"type": "clock", "limit": limit_s, "increment": increment_s, "show": show}
        case Correspondence(days):
            return {"type": "correspondence", "daysPerTurn": days}
    return {"type": "unlimited"}
