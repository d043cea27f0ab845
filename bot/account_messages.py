"""What the account hears and does: the messages and commands of `account`, all frozen."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from bot.errors import LichessError
from bot.events import AccountEvent, DeclineReason, GameInfo
from bot.stream_reader import StreamNews

# --- heard besides the event stream -----------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class AcceptAnswered:
    """The accepting of a challenge came back; `error` None: a game is on its way."""

    challenge_id: str
    error: LichessError | None


@dataclass(frozen=True, slots=True)
class OngoingGames:
    """What Lichess says is being played; `asked_at` is when the question left."""

    games: tuple[GameInfo, ...]
    asked_at: float


@dataclass(frozen=True, slots=True)
class TokenRefused:
    """A look-up was answered with 401 or 403: the token is good no longer."""

    error: LichessError


@dataclass(frozen=True, slots=True)
class AbortAnswered:
    """The aborting of `game`, one too many, came back."""

    game: GameInfo
    error: LichessError | None


@dataclass(frozen=True, slots=True)
class SessionEnded:
    """The last word of a game's session: `status` as Lichess names it, "left", or "failed"."""

    game_id: str
    status: str


@dataclass(frozen=True, slots=True)
class StopRequested:
    """A signal. The first drains, the second stops at once."""


@dataclass(frozen=True, slots=True)
class Tick:
    """Nothing happened, but time passed."""


AccountMessage = (
    AccountEvent
    | StreamNews
    | AcceptAnswered
    | AbortAnswered
    | OngoingGames
    | TokenRefused
    | SessionEnded
    | StopRequested
    | Tick
)

# --- done ---------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class AcceptChallenge:
    challenge_id: str


@dataclass(frozen=True, slots=True)
class DeclineChallenge:
    challenge_id: str
    reason: DeclineReason


@dataclass(frozen=True, slots=True)
class AbortGame:
    game: GameInfo


@dataclass(frozen=True, slots=True)
class StartSession:
    game: GameInfo


@dataclass(frozen=True, slots=True)
class TellSession:
    """Pass on that a game is said to be over; `sure` when the event stream itself named its end."""

    game_id: str
    status: str
    sure: bool


@dataclass(frozen=True, slots=True)
class RemindSession:
    """Pass on that it is our move, by the list of ongoing games; `asked_at`: monotonic seconds."""

    game_id: str
    asked_at: float


@dataclass(frozen=True, slots=True)
class LookUpGames:
    """Ask Lichess which games are being played."""


@dataclass(frozen=True, slots=True)
class Report:
    level: Literal["debug", "info", "warning", "error"]
    text: str
    game_id: str | None = None


@dataclass(frozen=True, slots=True)
class Leave:
    """End the service; games still running are let go and can be resumed."""

    why: Literal["stopped", "failed", "not_allowed"]


Command = (
    AcceptChallenge
    | AbortGame
    | DeclineChallenge
    | StartSession
    | TellSession
    | RemindSession
    | LookUpGames
    | Report
    | Leave
)
