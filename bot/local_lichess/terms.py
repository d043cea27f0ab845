"""What a challenge asks for, read from the fields of a request."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal, cast

import chess

from bot.local_lichess.clocks import Correspondence, Realtime, TimeControl, Unlimited, speed_of
from bot.local_lichess.refusal import Refusal, form_fault
from bot.local_lichess.rules import VARIANTS, new_board

ColorWish = Literal["white", "black", "random"]
#: The fields of a form or a JSON body, all as text, nulls left out.
Form = Mapping[str, str]

RULES = ("noAbort", "noRematch", "noGiveTime", "noClaimWin", "noEarlyDraw")
DAYS = (1, 2, 3, 5, 7, 10, 14)
_SHORT_LIMITS_S = (0, 15, 30, 45, 60, 90)
_MAX_LIMIT_S = 10_800
_MAX_INCREMENT_S = 60
_NO_CLOCK = Unlimited()
_TRUE = ("yes", "true", "1", "on")


def is_true(text: str | None) -> bool:
    """How the server reads a boolean in a path, a query or a form."""
    return text is not None and text.lower() in _TRUE


@dataclass(frozen=True, slots=True)
class Terms:
    """The game a challenge would become."""

    variant: str = "standard"
    rated: bool = False
    color: ColorWish = "random"  # the challenger's
    time_control: TimeControl = _NO_CLOCK
    initial_fen: str | None = None  # None: the variant's own start
    rules: tuple[str, ...] = ()

    @property
    def speed(self) -> str:
        return speed_of(self.time_control)

    @property
    def perf(self) -> str:
        """What it is rated as: the speed, or the variant."""
        return self.speed if self.variant in ("standard", "fromPosition") else self.variant

    @property
    def bot_compatible(self) -> bool:
        """A bot may play anything but ultraBullet."""
        return self.speed != "ultraBullet"

    @property
    def board_compatible(self) -> bool:
        """Direct challenges: blitz or slower."""
        return self.speed not in ("ultraBullet", "bullet")


def read_terms(form: Form) -> Terms:
    """The terms of a challenge. Refusal 400 with the fields at fault."""
    faults: dict[str, str] = {}
    limit_s = _whole_number(form, "clock.limit", faults)
    increment_s = _whole_number(form, "clock.increment", faults)
    days = _whole_number(form, "days", faults)
    if limit_s is not None and not _is_clock_limit(limit_s):
        faults["clock.limit"] = "Invalid value"
    if increment_s is not None and not 0 <= increment_s <= _MAX_INCREMENT_S:
        faults["clock.increment"] = "Invalid value"
    for field, other in (("clock.limit", "clock.increment"), ("clock.increment", "clock.limit")):
        if field not in form and other in form:
            faults[field] = "This field is required"
    if days is not None and days not in DAYS:
        faults["days"] = "Invalid value"
    color = form.get("color", "random")
    if color not in ("white", "black", "random"):
        faults["color"] = "Invalid value"
    variant = form.get("variant", "standard")
    if variant not in VARIANTS:
        faults["variant"] = "Invalid value"
    rules = tuple(rule.strip() for rule in form.get("rules", "").split(",") if rule.strip())
    if any(rule not in RULES for rule in rules):
        faults["rules"] = "Invalid value"
    if faults:
        raise form_fault(faults)
    terms = Terms(
        variant=variant,
        rated=is_true(form.get("rated")),
        color=cast(ColorWish, color),
        time_control=_time_control(limit_s, increment_s, days),
        rules=rules,
    )
    return _made_casual_where_it_must_be(_with_position(terms, form.get("fen", "").strip()))


def challenge_form(
    *,
    limit_s: int | None = 180,
    increment_s: int = 2,
    days: int | None = None,
    rated: bool = False,
    color: str = "random",
    variant: str = "standard",
    fen: str | None = None,
    rules: Sequence[str] = (),
) -> dict[str, str]:
    """The fields of a challenge as a request carries them; the reverse of `read_terms`.

    `limit_s` None: `days`, or no clock at all.
    """
    form = {"rated": "true" if rated else "false", "color": color, "variant": variant}
    if limit_s is not None:
        form |= {"clock.limit": str(limit_s), "clock.increment": str(increment_s)}
    elif days is not None:
        form["days"] = str(days)
    if fen is not None:
        form["fen"] = fen
    if rules:
        form["rules"] = ",".join(rules)
    return form


def read_ai_level(form: Form) -> int:
    """The level of the AI, 1 to 8. Refusal 400 when missing or out of range."""
    faults: dict[str, str] = {}
    level = _whole_number(form, "level", faults)
    if level is None and not faults:
        faults["level"] = "This field is required"
    elif level is not None and not 1 <= level <= 8:
        faults["level"] = "Invalid value"
    if faults:
        raise form_fault(faults)
    return cast(int, level)


def _whole_number(form: Form, field: str, faults: dict[str, str]) -> int | None:
    text = form.get(field, "").strip()
    if not text:
        return None
    try:
        return int(text)
    except ValueError:
        faults[field] = "Numeric value expected"
        return None


def _is_clock_limit(seconds: int) -> bool:
    return seconds in _SHORT_LIMITS_S or (0 < seconds <= _MAX_LIMIT_S and seconds % 60 == 0)


def _with_position(terms: Terms, fen: str) -> Terms:
    """Set the initial position; a position in a standard game makes it a game from a position."""
    if not fen:
        if terms.variant == "fromPosition":
            raise form_fault({"global": "Invalid FEN"})
        return terms
    if terms.variant not in ("standard", "fromPosition", "chess960"):
        return terms
    try:
        board = chess.Board(fen, chess960=True)
    except ValueError:
        raise form_fault({"global": "Invalid FEN"}) from None
    if not board.is_valid() or (terms.variant == "chess960" and board.chess960_pos() is None):
        raise form_fault({"global": "Invalid FEN"})
    if terms.rated:
        raise form_fault({"global": "Games from a custom position cannot be rated"})
    if terms.variant == "standard":
        if board.fen() == chess.STARTING_FEN:
            return terms
        terms = replace(terms, variant="fromPosition")
    try:
        new_board(terms.variant, board.fen())
    except ValueError:  # nothing left to play, for one
        raise form_fault({"global": "Invalid FEN"}) from None
    return replace(terms, initial_fen=board.fen())


def _time_control(limit_s: int | None, increment_s: int | None, days: int | None) -> TimeControl:
    if limit_s is not None:
        return Realtime(limit_s, increment_s or 0)
    return Unlimited() if days is None else Correspondence(days)


def _made_casual_where_it_must_be(terms: Terms) -> Terms:
    """Without a clock and in a variant that is too fast no game is rated; the server says nothing of it."""
    match terms.time_control:
        case Realtime(limit_s, increment_s):
            slow = (limit_s + 40 * increment_s >= 30 and limit_s > 0) or increment_s > 1
            may_be_rated = terms.variant == "standard" or slow
        case Correspondence():
            may_be_rated = terms.variant == "standard"
        case Unlimited():
            may_be_rated = False
    return terms if may_be_rated else replace(terms, rated=False)


def require_bot_speed(terms: Terms) -> None:
    """Refusal 400 when a bot could not play this."""
    if not terms.bot_compatible:
        raise Refusal(400, "Bots cannot play UltraBullet. Choose a slower time control.")
