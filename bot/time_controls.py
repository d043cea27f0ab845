"""Time controls as Lichess shows them: `3+2` is three minutes and two seconds an increment."""

from __future__ import annotations

import re
from decimal import Decimal

from bot.events import RealTime, Speed

MAX_BASE_S = 10_800
MAX_INCREMENT_S = 180
#: Base times below two minutes that Lichess has besides whole minutes.
_SHORT_BASES_S = frozenset({15, 30, 45, 90})
_FRACTIONS = {"¼": "0.25", "½": "0.5", "¾": "0.75", "1½": "1.5"}
_FORMAT = re.compile(r"([0-9]{1,3}(?:\.[0-9]{1,2})?|1?½|¼|¾)\+([0-9]{1,3})")


def parse_time_control(text: str) -> RealTime:
    """Read MINUTES+SECONDS: `3+2`, `0.5+1` or `½+1`, `90+30`. Raises ValueError, saying what is allowed."""
    match = _FORMAT.fullmatch(text)
    if match is None:
        raise ValueError("expected MINUTES+SECONDS such as 3+2 or 0.5+1")
    base_s = Decimal(_FRACTIONS.get(match[1], match[1])) * 60
    increment_s = int(match[2])
    if (base_s % 60 and base_s not in _SHORT_BASES_S) or base_s > MAX_BASE_S:
        raise ValueError("expected 0.25, 0.5, 0.75, 1.5 or 0 to 180 whole minutes, as Lichess has them")
    if increment_s > MAX_INCREMENT_S:
        raise ValueError(f"expected an increment of 0 to {MAX_INCREMENT_S} seconds")
    return RealTime(int(base_s), increment_s)


def show_time_control(clock: RealTime) -> str:
    """`clock` as MINUTES+SECONDS; the inverse of `parse_time_control`."""
    minutes = Decimal(clock.limit_s) / 60
    return f"{minutes:.4g}+{clock.increment_s}"


def speed_of(clock: RealTime) -> Speed:
    """The speed Lichess gives a clock: by base + 40 increments, in seconds."""
    estimate_s = clock.limit_s + 40 * clock.increment_s
    if estimate_s < 30:
        return "ultraBullet"
    if estimate_s < 180:
        return "bullet"
    if estimate_s < 480:
        return "blitz"
    if estimate_s < 1_500:
        return "rapid"
    return "classical"
