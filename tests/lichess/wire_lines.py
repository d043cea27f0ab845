"""Invented events in Lichess's shapes, and ways to change a field of one."""

from __future__ import annotations

import json
from typing import Any

Json = dict[str, Any]

START: Json = {
    "type": "gameStart",
    "game": {
        "fullId": "Qr7tUv2xab3d",
        "gameId": "Qr7tUv2x",
        "id": "Qr7tUv2x",
        "fen": "8/8/8/4k3/8/4K3/4P3/8 b - - 3 61",
        "color": "black",
        "lastMove": "e4e3",
        "source": "friend",
        "status": {"id": 20, "name": "started"},
        "variant": {"key": "standard", "name": "Standard"},
        "speed": "rapid",
        "perf": "rapid",
        "rated": True,
        "hasMoved": True,
        "opponent": {"id": "walnut", "username": "Walnut", "rating": 1911},
        "isMyTurn": True,
        "secondsLeft": 77,
        "compat": {"bot": True, "board": False},
    },
}
CHALLENGE: Json = {
    "type": "challenge",
    "challenge": {
        "id": "pL4nK9sZ",
        "url": "https://lichess.org/pL4nK9sZ",
        "status": "created",
        "challenger": {"id": "walnut", "name": "Walnut", "title": "BOT", "rating": 1911, "provisional": True},
        "destUser": {"id": "shifty", "name": "Shifty", "title": "BOT", "rating": 2001, "online": True},
        "variant": {"key": "chess960", "name": "Chess960", "short": "960"},
        "rated": True,
        "speed": "blitz",
        "timeControl": {"type": "clock", "limit": 240, "increment": 3, "show": "4+3"},
        "color": "white",
        "finalColor": "white",
        "perf": {"icon": "", "name": "Chess960"},
        "initialFen": "bqnb1rkr/pppppppp/5n2/8/8/5N2/PPPPPPPP/BQNB1RKR w HFhf - 2 2",
        "rematchOf": "aaaabbbb",
        "rules": ["noAbort", 7],
    },
    "compat": {"bot": True, "board": True},
}
FULL: Json = {
    "type": "gameFull",
    "id": "Qr7tUv2x",
    "variant": {"key": "kingOfTheHill", "name": "King of the Hill", "short": "KotH"},
    "speed": "blitz",
    "perf": {"name": "King of the Hill"},
    "rated": True,
    "createdAt": 1751234567890,
    "white": {"id": "walnut", "name": "Walnut", "title": None, "rating": 1911, "provisional": True},
    "black": {"id": "SHIFTY", "name": "Shifty", "title": "BOT", "rating": 2001},
    "initialFen": "startpos",
    "clock": {"initial": 180000, "increment": 2000},
    "tournamentId": "arena123",
    "state": {
        "type": "gameState",
        "moves": "e2e4 e7e5",
        "wtime": 179000,
        "btime": 178500,
        "winc": 2000,
        "binc": 2000,
        "status": "started",
    },
}
STATE: Json = {
    "type": "gameState",
    "moves": "e2e4 e7e5 g1f3",
    "wtime": 65432,
    "btime": 54321,
    "winc": 1000,
    "binc": 1500,
    "status": "draw",
    "wdraw": True,
    "bdraw": False,
    "btakeback": True,
    "rematch": "nextGame",
}
CHAT: Json = {"type": "chatLine", "room": "spectator", "username": "Walnut", "text": "hello there"}
GONE: Json = {"type": "opponentGone", "gone": True, "claimWinInSeconds": 11}


def line(value: object) -> bytes:
    return json.dumps(value).encode()


def without(value: Json, *path: str) -> Json:
    """A deep copy of `value` that lacks the field at `path`."""
    copy: Json = json.loads(json.dumps(value))
    inner = copy
    for key in path[:-1]:
        inner = inner[key]
    del inner[path[-1]]
    return copy


def with_(value: Json, new: object, *path: str) -> Json:
    copy: Json = json.loads(json.dumps(value))
    inner = copy
    for key in path[:-1]:
        inner = inner[key]
    inner[path[-1]] = new
    return copy
