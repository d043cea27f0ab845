"""Endpoints about challenges."""

from __future__ import annotations

from bot.local_lichess.endpoint import Endpoint
from bot.local_lichess.feeds import Feed
from bot.local_lichess.lobby import Lobby
from bot.local_lichess.request import Asked
from bot.local_lichess.seam import OK, Answer, json_answer

_PLAYERS = ("challenge:write", "bot:play", "board:play")


def _create(lobby: Lobby, asked: Asked) -> Answer | Feed:
    challenge, feed = lobby.challenges.create(asked.caller, asked.path["name"], asked.form, asked.now_ms)
    return json_answer(lobby.challenges.json(challenge, "out")) if feed is None else feed


def _create_ai(lobby: Lobby, asked: Asked) -> Answer:
    room = lobby.challenges.create_ai(asked.caller.account, asked.form, asked.now_ms)
    side = room.side(asked.caller.account)
    full = room.game.full_json(asked.now_ms)
    mine = room.game.playing_json(side, asked.now_ms)
    started = {key: full[key] for key in ("id", "variant", "speed", "rated", "createdAt")}
    started |= {key: mine[key] for key in ("perf", "source", "fen", "status", "fullId")}
    return json_answer(started | {"turns": room.game.ply, "player": side}, 201)


def _accept(lobby: Lobby, asked: Asked) -> Answer:
    lobby.challenges.accept(asked.caller.account, asked.path["id"], asked.now_ms)
    return OK


def _decline(lobby: Lobby, asked: Asked) -> Answer:
    lobby.challenges.decline(asked.caller.account, asked.path["id"], asked.form.get("reason"))
    return OK


def _cancel(lobby: Lobby, asked: Asked) -> Answer:
    token = asked.query.get("opponentToken")
    lobby.challenges.cancel(asked.caller.account, asked.path["id"], token, asked.now_ms)
    return OK


def _show(lobby: Lobby, asked: Asked) -> Answer:
    return json_answer(lobby.challenges.show(asked.caller.account, asked.path["id"]))


def _list(lobby: Lobby, asked: Asked) -> Answer:
    return json_answer(lobby.challenges.list_for(asked.caller.account))


CHALLENGE_ENDPOINTS = (
    Endpoint("GET", "/api/challenge", "challenge_list", _list, ("challenge:read",)),
    Endpoint("GET", "/api/challenge/{id}/show", "challenge_show", _show, ("challenge:read",)),
    Endpoint("POST", "/api/challenge/ai", "challenge_ai", _create_ai, _PLAYERS),
    Endpoint("POST", "/api/challenge/{name}", "challenge_create", _create, _PLAYERS),
    Endpoint("POST", "/api/challenge/{id}/accept", "challenge_accept", _accept, _PLAYERS),
    Endpoint("POST", "/api/challenge/{id}/decline", "challenge_decline", _decline, _PLAYERS),
    Endpoint("POST", "/api/challenge/{id}/cancel", "challenge_cancel", _cancel, _PLAYERS),
)
