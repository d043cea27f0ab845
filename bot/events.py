"""What Lichess tells us, typed and frozen. Parsing is `lichess/wire.py`.

Durations carry their unit in the name. Optional wire fields are None (or False) when absent.
Source of the shapes: the Lichess API description 2.0.165, "bot" and "challenges".
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Side = Literal["white", "black"]
VariantKey = Literal[
    "standard",
    "chess960",
    "fromPosition",
    "crazyhouse",
    "antichess",
    "atomic",
    "horde",
    "kingOfTheHill",
    "racingKings",
    "threeCheck",
]
Speed = Literal["ultraBullet", "bullet", "blitz", "rapid", "classical", "correspondence"]
DeclineReason = Literal[
    "generic",
    "later",
    "tooFast",
    "tooSlow",
    "timeControl",
    "rated",
    "casual",
    "standard",
    "variant",
    "noBot",
    "onlyBot",
]
ChatRoom = Literal["player", "spectator"]

#: Lichess sends this for both sides when a game has no clock at all.
UNLIMITED_MS = 2_147_483_647


@dataclass(frozen=True, slots=True)
class RealTime:
    """A clock: base time and Fischer increment, both in seconds."""

    limit_s: int
    increment_s: int


@dataclass(frozen=True, slots=True)
class Correspondence:
    """So many days for each move."""

    days_per_turn: int


@dataclass(frozen=True, slots=True)
class Unlimited:
    """No clock."""


TimeControl = RealTime | Correspondence | Unlimited


@dataclass(frozen=True, slots=True)
class Player:
    """Somebody at the board or behind a challenge. Anonymous: `id` None, no rating."""

    id: str | None  # lower case
    name: str
    title: str | None = None
    rating: int | None = None
    provisional: bool = False
    ai_level: int | None = None

    @property
    def is_bot(self) -> bool:
        """True for BOT accounts and for Lichess's own AI."""
        return self.title == "BOT" or self.ai_level is not None


# --- the account's event stream ---------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Challenge:
    """A challenge, incoming or our own (compare `challenger.id`; the stream does not say)."""

    id: str
    status: str
    challenger: Player | None
    dest: Player | None
    variant: str  # a VariantKey, or a variant this version does not know
    rated: bool
    speed: str
    time_control: TimeControl
    color: Literal["white", "black", "random"] = "random"  # what the challenger asked for themselves
    final_color: Side | None = None  # the challenger's
    initial_fen: str | None = None
    rematch_of: str | None = None
    rules: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class GameInfo:
    """A game as the event stream and the list of ongoing games describe it."""

    id: str
    color: Side
    opponent: Player
    variant: str
    speed: str
    rated: bool
    status: str
    fen: str | None = None
    source: str | None = None
    is_my_turn: bool = False
    has_moved: bool = False
    seconds_left: int | None = None  # on our clock; None for unlimited games
    winner: Side | None = None
    tournament_id: str | None = None
    bot_compatible: bool | None = None


@dataclass(frozen=True, slots=True)
class ChallengeReceived:
    challenge: Challenge
    bot_compatible: bool | None = None  # absent on replay


@dataclass(frozen=True, slots=True)
class ChallengeCanceled:
    challenge: Challenge


@dataclass(frozen=True, slots=True)
class ChallengeDeclined:
    challenge: Challenge
    reason: str | None = None  # a sentence, translated
    reason_key: str | None = None  # lower case


@dataclass(frozen=True, slots=True)
class GameStart:
    game: GameInfo


@dataclass(frozen=True, slots=True)
class GameFinish:
    game: GameInfo


@dataclass(frozen=True, slots=True)
class KeepAlive:
    """A blank line: the stream lives."""


@dataclass(frozen=True, slots=True)
class Unreadable:
    """A line that is no event we know: unknown type, not JSON, or a needed field missing.

    `why` is one line for the log. Never raised: one odd line must not make the bot deaf. Unless `harmless`,
    it may have been one that matters, so what it would have told is to be asked for.
    """

    why: str
    harmless: bool = False


AccountEvent = (
    ChallengeReceived
    | ChallengeCanceled
    | ChallengeDeclined
    | GameStart
    | GameFinish
    | KeepAlive
    | Unreadable
)

# --- a game's stream ----------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class GameState:
    """The state after some change. `moves` is always the complete list, in UCI; it may get shorter."""

    moves: tuple[str, ...]
    wtime_ms: int
    btime_ms: int
    winc_ms: int
    binc_ms: int
    status: str = "started"
    winner: Side | None = None
    wdraw: bool = False
    bdraw: bool = False
    wtakeback: bool = False
    btakeback: bool = False
    rematch: str | None = None

    @property
    def is_over(self) -> bool:
        """Anything but created or started is final, statuses of the future included."""
        return self.status not in ("created", "started")


@dataclass(frozen=True, slots=True)
class GameFull:
    """The first line of every game stream: the whole game."""

    id: str
    variant: str
    speed: str
    rated: bool
    white: Player
    black: Player
    initial_fen: str  # "startpos" (the variant's own start) or a FEN
    state: GameState
    clock_initial_ms: int | None = None  # None: correspondence or unlimited
    clock_increment_ms: int | None = None
    days_per_turn: int | None = None
    created_at_ms: int = 0
    tournament_id: str | None = None


@dataclass(frozen=True, slots=True)
class ChatLine:
    room: str
    username: str
    text: str


@dataclass(frozen=True, slots=True)
class OpponentGone:
    """Claim only on `claim_win_in_s` == 0; a countdown is never to be extrapolated."""

    gone: bool
    claim_win_in_s: int | None = None


GameEvent = GameFull | GameState | ChatLine | OpponentGone | KeepAlive | Unreadable

# --- answers to requests --------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Account:
    """GET /api/account, as much of it as a bot needs."""

    id: str
    username: str
    title: str | None = None
    games_played: int = 0

    @property
    def is_bot(self) -> bool:
        return self.title == "BOT"


@dataclass(frozen=True, slots=True)
class TokenInfo:
    """POST /api/token/test for one token."""

    user_id: str
    scopes: tuple[str, ...]
    expires_at_ms: int | None = None
