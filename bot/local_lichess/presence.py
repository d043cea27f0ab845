"""Who is there: streams and pages that are open, and how long somebody has been away."""

from __future__ import annotations

from bot.local_lichess.clocks import DAY_MS, Realtime, TimeControl, speed_of

#: Absence is looked at this often,
GONE_CHECK_MS = 5_000
#: and spoken of once it has lasted this long.
_AWAY_UNSEEN_MS = 5_000
_GONE_AFTER_MS = 40_000
#: Somebody who left on purpose is gone after this long; nobody is sooner.
_LEFT_AFTER_MS = 10_000
_WITHOUT_CLOCK_MS = 30 * DAY_MS
_PATIENCE = {"rapid": 2, "classical": 3}


def gone_after_ms(time_control: TimeControl, *, materially_lost: bool, left: bool) -> int:
    """How long a side may be away before its opponent can claim the game."""
    if left:
        return _LEFT_AFTER_MS
    if not isinstance(time_control, Realtime):
        return _WITHOUT_CLOCK_MS
    patience_ms = _GONE_AFTER_MS * _PATIENCE.get(speed_of(time_control), 1)
    return max(_LEFT_AFTER_MS, patience_ms // 3 if materially_lost else patience_ms)


class Presence:
    """One side's. Away from the start of the game until its first connection."""

    def __init__(self, now_ms: int) -> None:
        self.left = False
        self._connections = 0
        self._away_since_ms: int | None = now_ms
        self._here_since_ms: int | None = None

    @property
    def is_here(self) -> bool:
        return self._connections > 0

    @property
    def here_since_ms(self) -> int | None:
        """When the first of the open connections was made."""
        return self._here_since_ms

    @property
    def away_since_ms(self) -> int | None:
        return self._away_since_ms

    def connect(self, now_ms: int) -> None:
        if not self.is_here:
            self._here_since_ms = now_ms
            self._away_since_ms = None
            self.left = False
        self._connections += 1

    def disconnect(self, now_ms: int, *, left: bool) -> None:
        """ValueError when nothing was connected."""
        if not self.is_here:
            raise ValueError("disconnected more often than connected")
        self._connections -= 1
        if self._connections == 0:
            self._here_since_ms = None
            self._away_since_ms = now_ms
            self.left = left

    def claimable_in_ms(self, now_ms: int, gone_after_ms: int) -> int | None:
        """Time until the opponent may claim, 0 or less when it may now; None while here or only just away."""
        if self._away_since_ms is None:
            return None
        away_ms = now_ms - self._away_since_ms
        if not self.left and away_ms <= _AWAY_UNSEEN_MS:
            return None
        return gone_after_ms - away_ms
