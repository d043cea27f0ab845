"""The configuration: one YAML file → frozen settings. Every fault is reported at once, with file and line."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, SecretStr

from bot.events import Speed, VariantKey


class Section(BaseModel):
    """A mapping of the file: frozen, and closed to keys it does not know."""

    model_config = ConfigDict(frozen=True, extra="forbid")


class StrategySettings(Section):
    name: str = "select_move"
    options: dict[str, str | int | float | bool] = Field(default_factory=dict)


class ChallengeSettings(Section):
    variants: tuple[VariantKey, ...] = ("standard",)
    speeds: tuple[Speed, ...] = ("bullet", "blitz", "rapid", "classical")
    time_controls: tuple[str, ...] = ()  # exact, "3+2"; empty: any within the ranges
    min_base_s: Annotated[int, Field(ge=0, le=10_800)] = 0
    max_base_s: Annotated[int, Field(ge=0, le=10_800)] = 10_800
    min_increment_s: Annotated[int, Field(ge=0, le=60)] = 0
    max_increment_s: Annotated[int, Field(ge=0, le=60)] = 60
    min_days: Annotated[int, Field(ge=1, le=14)] = 1
    max_days: Annotated[int, Field(ge=1, le=14)] = 14
    unlimited: bool = False  # games without any clock
    modes: tuple[Literal["casual", "rated"], ...] = ("casual", "rated")
    min_rating: Annotated[int, Field(ge=0, le=4_000)] = 0
    max_rating: Annotated[int, Field(ge=0, le=4_000)] = 4_000
    opponents: tuple[Literal["human", "bot"], ...] = ("human", "bot")
    allow_users: tuple[str, ...] = ()  # empty: everybody
    block_users: tuple[str, ...] = ()


class GameSettings(Section):
    max_simultaneous: Annotated[int, Field(ge=1, le=100)] = 4
    max_per_opponent: Annotated[int, Field(ge=1, le=100)] = 1
    abort_unmoved_after_s: Annotated[int, Field(ge=10, le=3_600)] = 60


class TimeSettings(Section):
    move_overhead_ms: Annotated[int, Field(ge=0, le=10_000)] = 250


class LogSettings(Section):
    level: Literal["debug", "info", "warning", "error"] = "info"


class Settings(Section):
    """Everything the service may be told."""

    url: str = "https://lichess.org"
    token: SecretStr | None = None
    token_file: str | None = None
    strategy: StrategySettings = StrategySettings()
    fallback: StrategySettings = StrategySettings(name="random")
    challenge: ChallengeSettings = ChallengeSettings()
    games: GameSettings = GameSettings()
    time: TimeSettings = TimeSettings()
    log: LogSettings = LogSettings()
