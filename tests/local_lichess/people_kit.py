"""A server with a bot and a human, both with a client."""

from __future__ import annotations

from dataclasses import dataclass

import requests

from bot.local_lichess import LocalLichess
from tests.local_lichess.wire_kit import Client

BLITZ = {"clock.limit": 180, "clock.increment": 2}


@dataclass
class People:
    server: LocalLichess
    knight: Client
    rival: Client
    nobody: Client

    def game(self, **more: object) -> str:
        """A game of the rival, who has White, against the knight."""
        form = {**BLITZ, "color": "white", **more}
        game_id = str(self.rival.post("/api/challenge/knight", data=form).json()["id"])
        assert self.knight.post(f"/api/challenge/{game_id}/accept").json() == {"ok": True}
        return game_id

    def play(self, game_id: str, moves: str) -> None:
        for number, uci in enumerate(moves.split()):
            api, client = ("bot", self.knight) if number % 2 else ("board", self.rival)
            assert client.post(f"/api/{api}/game/{game_id}/move/{uci}").json() == {"ok": True}


def error_of(response: requests.Response) -> tuple[int, object]:
    return response.status_code, response.json()["error"]
