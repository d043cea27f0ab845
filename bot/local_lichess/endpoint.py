"""An endpoint: its address, what it requires, and the plain function behind it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from bot.local_lichess.feeds import Feed
from bot.local_lichess.lobby import Lobby
from bot.local_lichess.request import Asked
from bot.local_lichess.seam import Answer

#: Answers, or opens a stream. Raises `Refusal`.
Handler = Callable[[Lobby, Asked], Answer | Feed]

ANY_TOKEN: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Endpoint:
    """`name` is what logs and faults call it. `scopes`: any one of them; empty: any token; None: no token."""

    method: str
    path: str
    name: str
    handle: Handler
    scopes: tuple[str, ...] | None = ANY_TOKEN
