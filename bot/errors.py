"""Every error the project raises on purpose, sorted by whose fault it is.

`UserError`      the operator's: configuration, command line, strategy name. Printed as it is, no traceback.
`LichessError`   what the server or the road to it did.
`StrategyError`  what a strategy did.
`PositionError`  a FEN or a move list that cannot be.
`BenchError`     a measurement's.
"""

from __future__ import annotations


class KnightshiftError(Exception):
    """Root of all errors raised on purpose."""


class UserError(KnightshiftError):
    """Something the person at the keyboard can mend; the message says how. Exit code 2."""


class ConfigError(UserError):
    """A configuration that cannot be used; `faults` has one printable line for each fault."""

    def __init__(self, faults: tuple[str, ...]) -> None:
        super().__init__("\n".join(faults))
        self.faults = faults


class StrategyNameError(UserError):
    """A strategy name that leads nowhere (unknown, not importable, not callable, bad option)."""


class BenchError(KnightshiftError):
    """A measurement that could not be made. Exit code 1."""


class PositionError(KnightshiftError, ValueError):
    """A FEN that cannot be read, or a move that is not legal where it stands."""


class StrategyError(KnightshiftError):
    """A strategy broke the contract of a turn."""


class IllegalMoveError(StrategyError):
    """`play_move` was given something that is not a legal move of the turn's position."""


class SecondMoveError(StrategyError):
    """`play_move` was called a second time in one turn."""


class NoMoveError(StrategyError):
    """The strategy returned without calling `play_move`."""


class LichessError(KnightshiftError):
    """A request to Lichess did not do what it was asked."""


class ConnectionTroubleError(LichessError):
    """No answer: refused, reset, timed out, unreadable. Whether the request took effect is unknown."""


class ServerTroubleError(LichessError):
    """HTTP 5xx. Whether the request took effect is unknown."""

    def __init__(self, message: str, *, status: int) -> None:
        super().__init__(message)
        self.status = status


class RateLimitedError(LichessError):
    """HTTP 429. `retry_after_s` is what the server asked for, or None when it named no time."""

    def __init__(self, message: str, *, retry_after_s: float | None, key: str | None = None) -> None:
        super().__init__(message)
        self.retry_after_s = retry_after_s
        self.key = key


class RefusedError(LichessError):
    """HTTP 4xx other than below: the request is not valid now."""

    def __init__(self, message: str, *, status: int) -> None:
        super().__init__(message)
        self.status = status


class NotFoundError(RefusedError):
    """HTTP 404: no such game, challenge or user, or not ours."""


class NotAllowedError(RefusedError):
    """HTTP 401 or 403: the token is unknown, revoked, or lacks a scope. Exit code 3."""
