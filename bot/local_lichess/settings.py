"""How the server behaves; the defaults are Lichess's own."""

from __future__ import annotations

from dataclasses import dataclass

from bot.local_lichess.clocks import Realtime
from bot.local_lichess.limits import Limits

_LICHESS_LIMITS = Limits()


@dataclass(frozen=True, slots=True)
class Settings:
    """Durations are milliseconds."""

    base_url: str = "http://127.0.0.1"
    keep_alive_ms: int = 7_000
    flag_grace_ms: int = 2_000
    sweep_ms: int = 10_000  # how often flags are looked at when no stream is open
    king_takes_rook: bool = False  # write castling as king takes rook in standard games too
    realtime: Realtime | None = None  # games with a clock get this one, whatever their challenge asked for
    limits: Limits = _LICHESS_LIMITS
