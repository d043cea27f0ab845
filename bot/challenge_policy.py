"""Whether to accept a challenge. Pure: the challenge, a few facts and the settings → a decision.

Reasons that will hold tomorrow come before `later`, so that nobody is told to come back in vain.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import get_args

from bot.errors import PositionError
from bot.events import Challenge, Correspondence, DeclineReason, Player, RealTime, Speed, Unlimited
from bot.position import BOARDS, new_board
from bot.settings import ChallengeSettings, GameSettings
from bot.time_controls import parse_time_control, show_time_control
from bot.wording import one_line

#: From the fastest to the slowest.
_SPEEDS: tuple[str, ...] = get_args(Speed)
#: The longest FEN of any variant is far shorter; python-chess is not asked to read a novel.
MAX_FEN_CHARACTERS = 200


@dataclass(frozen=True, slots=True)
class Facts:
    """What the policy must know beyond the challenge.

    `slots_taken` counts the games that are played and those that are promised; `games_by_opponent` counts
    the same by account id ("" for the anonymous).
    """

    account_id: str
    slots_taken: int
    games_by_opponent: Mapping[str, int]
    draining: bool = False
    paused: bool = False


@dataclass(frozen=True, slots=True)
class Accept:
    """Take it."""


@dataclass(frozen=True, slots=True)
class Decline:
    """Refuse it: `reason` for Lichess, `why` one plain sentence for the log."""

    reason: DeclineReason
    why: str


@dataclass(frozen=True, slots=True)
class Ignore:
    """Nothing to answer: it is our own, or settled already."""

    why: str


Decision = Accept | Decline | Ignore


def decide(challenge: Challenge, facts: Facts, settings: ChallengeSettings, games: GameSettings) -> Decision:
    """Accept, decline or ignore `challenge`. Never raises, whatever the challenge holds."""
    challenger = challenge.challenger
    if challenger is not None and _same(challenger.id, facts.account_id):
        return Ignore("it is our own challenge")
    if challenge.status not in ("created", "offline"):
        return Ignore(f"it is {one_line(challenge.status)} already")
    return (
        _refused_for_challenger(challenger, settings)
        or _refused_for_variant(challenge, settings)
        or _refused_for_time(challenge, settings)
        or _refused_for_mode(challenge, settings)
        or _refused_for_rating(challenger, settings)
        or _refused_for_now(challenge, facts, games)
        or Accept()
    )


def _refused_for_challenger(challenger: Player | None, settings: ChallengeSettings) -> Decline | None:
    name = _name(challenger)
    if _listed(challenger, settings.block_users):
        return Decline("generic", f"{name} is in block_users")
    if settings.allow_users and not _listed(challenger, settings.allow_users):
        return Decline("generic", f"{name} is not in allow_users")
    is_bot = challenger is not None and challenger.is_bot
    if is_bot and "bot" not in settings.opponents:
        return Decline("noBot", f"{name} is a bot, and opponents has only humans")
    if not is_bot and "human" not in settings.opponents:
        return Decline("onlyBot", f"{name} is no bot, and opponents has only bots")
    return None


def _refused_for_variant(challenge: Challenge, settings: ChallengeSettings) -> Decline | None:
    variant, fen = challenge.variant, challenge.initial_fen
    if variant not in settings.variants or variant not in BOARDS:
        reason: DeclineReason = "standard" if set(settings.variants) == {"standard"} else "variant"
        known = "" if variant in BOARDS else ", which this version does not know"
        return Decline(
            reason, f"variants is {', '.join(settings.variants)}, this is {one_line(variant, 30)}{known}"
        )
    if fen is None:
        return None
    if len(fen) > MAX_FEN_CHARACTERS:
        return Decline("variant", f"its initial position has {len(fen)} characters, more than any FEN")
    try:
        board = new_board(variant, fen)
    except PositionError as error:
        return Decline("variant", f"its initial position cannot be played: {one_line(str(error), 300)}")
    if board.is_game_over():
        return Decline("variant", f"its initial position is a finished game: {one_line(fen, 100)}")
    return None


def _refused_for_time(challenge: Challenge, settings: ChallengeSettings) -> Decline | None:
    match challenge.time_control:
        case Unlimited():
            # Lichess counts these as correspondence; here they have a key of their own.
            return None if settings.unlimited else Decline("tooSlow", "unlimited is false, this has no clock")
        case Correspondence(days):
            speed = _refused_for_speed(challenge.speed, settings)
            return speed or _outside("days", days, settings.min_days, settings.max_days)
        case RealTime() as clock:
            return _refused_for_speed(challenge.speed, settings) or _refused_for_clock(clock, settings)


def _refused_for_speed(speed: str, settings: ChallengeSettings) -> Decline | None:
    if speed in settings.speeds:
        return None
    if speed == "ultraBullet":
        return Decline("tooFast", "Lichess does not let bots play ultraBullet")
    why = f"speeds is {', '.join(settings.speeds)}, this is {one_line(speed, 30)}"
    if speed not in _SPEEDS:
        return Decline("timeControl", why)
    allowed = [_SPEEDS.index(each) for each in settings.speeds]
    if _SPEEDS.index(speed) < min(allowed):
        return Decline("tooFast", why)
    if _SPEEDS.index(speed) > max(allowed):
        return Decline("tooSlow", why)
    return Decline("timeControl", why)


def _refused_for_clock(clock: RealTime, settings: ChallengeSettings) -> Decline | None:
    exact = settings.time_controls
    if exact and clock not in [parse_time_control(each) for each in exact]:
        return Decline(
            "timeControl", f"time_controls is {', '.join(exact)}, this is {show_time_control(clock)}"
        )
    base = _outside("base_s", clock.limit_s, settings.min_base_s, settings.max_base_s)
    low, high = settings.min_increment_s, settings.max_increment_s
    return base or _outside("increment_s", clock.increment_s, low, high)


def _outside(key: str, value: int, low: int, high: int) -> Decline | None:
    if value < low:
        return Decline("tooFast", f"min_{key} is {low}, this has {value}")
    if value > high:
        return Decline("tooSlow", f"max_{key} is {high}, this has {value}")
    return None


def _refused_for_mode(challenge: Challenge, settings: ChallengeSettings) -> Decline | None:
    # The reasons are requests: `casual` asks for a casual game instead.
    if challenge.rated and "rated" not in settings.modes:
        return Decline("casual", "modes is casual, this is rated")
    if not challenge.rated and "casual" not in settings.modes:
        return Decline("rated", "modes is rated, this is casual")
    return None


def _refused_for_rating(challenger: Player | None, settings: ChallengeSettings) -> Decline | None:
    """A provisional rating counts as it is. No rating at all passes only where every rating does."""
    low, high = settings.min_rating, settings.max_rating
    name = _name(challenger)
    rating = None if challenger is None else challenger.rating
    if rating is None:
        limits = ChallengeSettings.model_fields
        if (low, high) == (limits["min_rating"].default, limits["max_rating"].default):
            return None
        return Decline("generic", f"{name} has no rating, expected {low} to {high}")
    if rating < low:
        return Decline("generic", f"min_rating is {low}, {name} has {rating}")
    if rating > high:
        return Decline("generic", f"max_rating is {high}, {name} has {rating}")
    return None


def _refused_for_now(challenge: Challenge, facts: Facts, games: GameSettings) -> Decline | None:
    if challenge.status == "offline":
        return Decline("later", f"{_name(challenge.challenger)} has gone")
    if facts.draining:
        return Decline("later", "we are stopping")
    if facts.paused:
        return Decline("later", "we are paused")
    if facts.slots_taken >= games.max_simultaneous:
        return Decline(
            "later", f"max_simultaneous is {games.max_simultaneous}, there are {facts.slots_taken} games"
        )
    opponent_id = (challenge.challenger.id if challenge.challenger is not None else None) or ""
    already = sum(count for each, count in facts.games_by_opponent.items() if _same(each, opponent_id))
    if already >= games.max_per_opponent:
        name = _name(challenge.challenger)
        return Decline("later", f"max_per_opponent is {games.max_per_opponent}, {name} has {already} already")
    return None


def _listed(player: Player | None, names: tuple[str, ...]) -> bool:
    if player is None:
        return False
    return any(_same(player.id, name) or _same(player.name, name) for name in names)


def _same(one: str | None, other: str) -> bool:
    return one is not None and one.casefold() == other.casefold()


def _name(player: Player | None) -> str:
    return "an anonymous player" if player is None else one_line(player.name, 40)
