"""The settings: frozen models, with the defaults and the limits of every value.

They can be made from code as well as from a file (`bot.config`). Names end in their unit. The messages of the
validators are read by people: `expected ...` follows on from what was found.
"""

from __future__ import annotations

import ipaddress
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Annotated, Any, Literal
from urllib.parse import urlsplit

from pydantic import (
    AfterValidator,
    BaseModel,
    ConfigDict,
    Field,
    SecretStr,
    ValidationInfo,
    field_validator,
    model_validator,
)

from bot.access_token import read_token
from bot.errors import StrategyNameError
from bot.events import VariantKey
from bot.strategies.contract import StrategySpec
from bot.strategies.registry import parse_spec
from bot.time_controls import MAX_BASE_S, MAX_INCREMENT_S, parse_time_control, speed_of

#: Lichess lets bots play all speeds but ultraBullet.
BotSpeed = Literal["bullet", "blitz", "rapid", "classical", "correspondence"]
Mode = Literal["casual", "rated"]
OpponentKind = Literal["human", "bot"]
Option = str | int | float | bool


def _user_name(name: str) -> str:
    if not re.fullmatch(r"[A-Za-z0-9_-]{2,30}", name):
        raise ValueError("expected a Lichess user name: letters, digits, _ and -")
    return name


def _time_control(text: str) -> str:
    clock = parse_time_control(text)
    if speed_of(clock) == "ultraBullet":
        raise ValueError("expected no ultraBullet: base + 40 increments of at least 30 seconds")
    return text


UserName = Annotated[str, AfterValidator(_user_name), Field(description="a Lichess user name")]
TimeControlText = Annotated[
    str, AfterValidator(_time_control), Field(description="MINUTES+SECONDS such as 3+2")
]


class Section(BaseModel):
    """A mapping of the file: frozen, closed to keys it does not know, and silent about its values."""

    model_config = ConfigDict(frozen=True, extra="forbid", strict=True, hide_input_in_errors=True)


class StrategySettings(Section):
    """Which strategy plays. In a file, and for `model_validate`, its command line form will do."""

    name: Annotated[str, Field(description="the name of a strategy")]
    options: dict[str, Option] = Field(default_factory=dict)

    @model_validator(mode="before")
    @classmethod
    def _short_form(cls, value: Any) -> Any:
        if not isinstance(value, str):
            return value
        spec = _spec_of(value)
        return {"name": spec.name, "options": dict(spec.options)}

    @field_validator("name")
    @classmethod
    def _named(cls, name: str) -> str:
        spec = _spec_of(name)
        if spec.options:
            raise ValueError("expected the name alone: options go under the key options")
        return spec.name

    def spec(self, folder: Path) -> StrategySpec:
        """What the registry loads. Scripts and modules are looked for in `folder`, that of the file."""
        name = str(folder / self.name) if self.name.endswith(".py") else self.name
        return StrategySpec(name, tuple(self.options.items()), (str(folder),))


def _spec_of(text: str) -> StrategySpec:
    try:
        return parse_spec(text)
    except StrategyNameError as error:
        reason = str(error)
    raise ValueError(reason)


class ChallengeSettings(Section):
    """Which challenges are accepted: those that pass every line."""

    variants: Annotated[tuple[VariantKey, ...], Field(min_length=1)] = ("standard",)
    speeds: Annotated[tuple[BotSpeed, ...], Field(min_length=1)] = ("bullet", "blitz", "rapid", "classical")
    min_base_s: Annotated[int, Field(ge=0, le=MAX_BASE_S)] = 0
    max_base_s: Annotated[int, Field(ge=0, le=MAX_BASE_S)] = MAX_BASE_S
    min_increment_s: Annotated[int, Field(ge=0, le=MAX_INCREMENT_S)] = 0
    max_increment_s: Annotated[int, Field(ge=0, le=MAX_INCREMENT_S)] = MAX_INCREMENT_S
    time_controls: tuple[TimeControlText, ...] = ()  # exactly these clocks; empty: any within the ranges
    min_days: Annotated[int, Field(ge=1, le=14)] = 1
    max_days: Annotated[int, Field(ge=1, le=14)] = 14
    unlimited: bool = False
    modes: Annotated[tuple[Mode, ...], Field(min_length=1)] = ("casual", "rated")
    opponents: Annotated[tuple[OpponentKind, ...], Field(min_length=1)] = ("human", "bot")
    min_rating: Annotated[int, Field(ge=0, le=4_000)] = 0
    max_rating: Annotated[int, Field(ge=0, le=4_000)] = 4_000
    allow_users: tuple[UserName, ...] = ()  # empty: everybody
    block_users: tuple[UserName, ...] = ()

    # Fields are validated in their order, so what a check compares with stands before its own field.

    @field_validator("max_base_s", "max_increment_s", "max_days", "max_rating")
    @classmethod
    def _not_below_its_minimum(cls, value: int, info: ValidationInfo) -> int:
        minimum = str(info.field_name).replace("max_", "min_")
        if minimum in info.data and value < info.data[minimum]:
            raise ValueError(f"expected at least {minimum}, which is {info.data[minimum]}")
        return value

    @field_validator("time_controls")
    @classmethod
    def _possible(cls, values: tuple[str, ...], info: ValidationInfo) -> tuple[str, ...]:
        excluded = [reason for text in values for reason in _excluded_by(info.data, text)]
        if excluded:
            raise ValueError("; ".join(excluded))
        return values

    @field_validator("block_users")
    @classmethod
    def _not_allowed_too(cls, names: tuple[str, ...], info: ValidationInfo) -> tuple[str, ...]:
        allowed = {name.casefold() for name in info.data.get("allow_users", ())}
        twice = [name for name in names if name.casefold() in allowed]
        if twice:
            raise ValueError(f"{', '.join(twice)}: in allow_users too")
        return names


def _excluded_by(others: Mapping[str, Any], text: str) -> Iterator[str]:
    """Why the other settings (those that are valid) would never let the exact time control `text` pass."""
    clock = parse_time_control(text)
    speed = speed_of(clock)
    if speed not in others.get("speeds", (speed,)):
        yield f"{text} is {speed}, which is not among the speeds"
    for what, value_s in (("base_s", clock.limit_s), ("increment_s", clock.increment_s)):
        low, high = others.get(f"min_{what}", value_s), others.get(f"max_{what}", value_s)
        if not low <= value_s <= high:
            yield f"{text} is outside of min_{what} to max_{what}, {low} to {high}"


class GameSettings(Section):
    """How many games at once, and when to end one that does not begin or should not hold up a stop."""

    max_simultaneous: Annotated[int, Field(ge=1, le=100)] = 4
    max_per_opponent: Annotated[int, Field(ge=1, le=100)] = 1
    abort_unmoved_after_s: Annotated[int, Field(ge=10, le=3_600)] = 60
    stop_deadline_s: Annotated[int, Field(ge=0, le=86_400)] = 900


class TimeSettings(Section):
    """The use of the clock."""

    move_overhead_ms: Annotated[int, Field(ge=0, le=10_000)] = 250


class ChatSettings(Section):
    """What is said to the opponent: `{me}` and `{opponent}` stand for the names; empty: nothing."""

    greeting: Annotated[str, Field(max_length=140)] = ""
    farewell: Annotated[str, Field(max_length=140)] = ""


class ProcessSettings(Section):
    """What the process of a strategy may take of the machine."""

    memory_limit_mib: Annotated[int, Field(ge=64, le=1_048_576)] = 2_048
    niceness: Annotated[int, Field(ge=0, le=19)] = 5


class LogSettings(Section):
    """What is said."""

    level: Literal["debug", "info", "warning", "error"] = "info"


class Settings(Section):
    """Everything the service may be told."""

    url: Annotated[str, Field(description="an address such as https://lichess.org")] = "https://lichess.org"
    token: Annotated[SecretStr | None, Field(description="a token")] = None
    token_file: Annotated[str | None, Field(description="the name of a file", min_length=1)] = None
    strategy: StrategySettings = StrategySettings(name="compiled")
    fallback: StrategySettings = StrategySettings(name="classical")
    challenge: ChallengeSettings = ChallengeSettings()
    games: GameSettings = GameSettings()
    time: TimeSettings = TimeSettings()
    chat: ChatSettings = ChatSettings()
    process: ProcessSettings = ProcessSettings()
    log: LogSettings = LogSettings()

    @field_validator("url")
    @classmethod
    def _address(cls, url: str) -> str:
        return checked_url(url)

    @field_validator("token")
    @classmethod
    def _token(cls, token: SecretStr | None) -> SecretStr | None:
        return None if token is None else read_token(token.get_secret_value())

    @field_validator("token_file")
    @classmethod
    def _one_source(cls, name: str | None, info: ValidationInfo) -> str | None:
        if name is not None and info.data.get("token") is not None:
            raise ValueError("expected one of the two, but token is given as well")
        return name


def checked_url(url: str) -> str:
    """`url` without a closing slash. Raises ValueError for one that no token should be sent to."""
    no_address = ValueError("expected an address such as https://lichess.org")
    if not re.fullmatch(r"https?://[\x21-\x5b\x5d-\x7e]+", url):  # printable ASCII but the backslash
        raise no_address
    try:
        parts = urlsplit(url)
        host, port = parts.hostname, parts.port
    except ValueError:
        raise no_address from None
    if not host or port == 0:
        raise no_address
    if "@" in parts.netloc:
        raise ValueError("expected no user or password in it: the token is all there is")
    if parts.path.strip("/") or "?" in url or "#" in url:
        raise ValueError(
            f"expected no path, as the API client would drop it: {parts.scheme}://{parts.netloc}"
        )
    if parts.scheme == "http" and not _is_loopback(host):
        raise ValueError("expected https://, as http:// would send the token readable by all on the way")
    return f"{parts.scheme}://{parts.netloc}"


def _is_loopback(host: str) -> bool:
    if host == "localhost" or host.endswith(".localhost"):
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False
