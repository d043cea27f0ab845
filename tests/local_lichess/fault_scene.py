"""A game over the wire, on a server with a script of faults."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import requests

from bot.local_lichess import LocalLichess
from bot.local_lichess.fault import Fault, Kind
from bot.local_lichess.faults import FaultScript
from bot.local_lichess.players import ListPlayer, SilentPlayer
from bot.timing.clock import Clock
from tests.local_lichess.wire_kit import Client, Stream

#: Sixteen plies without a repetition; the knight has White.
LINE = "e2e4 e7e5 g1f3 b8c6 f1c4 f8c5 c2c3 g8f6 d2d3 d7d6 b1d2 a7a6 a2a4 c5a7 h2h3 h7h6"
MOVES = LINE.split()


@dataclass
class Scene:
    """A game that the knight plays over the wire, and a rival who answers at once."""

    server: LocalLichess
    script: FaultScript
    knight: Client
    game_id: str

    def move(self, number: int) -> requests.Response:
        return self.knight.post(f"/api/bot/game/{self.game_id}/move/{MOVES[2 * number]}")

    def stream(self) -> Stream:
        return self.knight.stream(f"/api/bot/game/stream/{self.game_id}")

    @property
    def moves(self) -> list[str]:
        return list(self.server.game(self.game_id).moves)

    def fired(self) -> list[Kind]:
        return [fired.kind for fired in self.script.fired]


@contextmanager
def scene(*faults: Fault, keep_alive_s: float = 0.05, clock: Clock | None = None) -> Iterator[Scene]:
    """`clock` is the server's; None: the machine's own."""
    script = FaultScript(*faults)
    with LocalLichess(
        clock=clock, keep_alive_s=keep_alive_s, answer_order="events_first", faults=script
    ) as server:
        server.add_account("Knight", "BOT", token="lip_knight")
        server.add_account("Rival", token="lip_rival")
        server.attach("rival", ListPlayer(MOVES[1::2], then=()))
        server.attach("knight", SilentPlayer())
        game_id = server.challenge("knight", "rival", color="white")
        server.wait_until(lambda: len(server.games()) == 1)
        with Client(server.url, "lip_knight") as knight:
            yield Scene(server, script, knight, game_id)


def moves_of(event: dict[str, Any] | None) -> list[str]:
    assert event is not None
    return str(event.get("state", event)["moves"]).split()
