"""Endpoints about people and tokens, and the account's event stream."""

from __future__ import annotations

from bot.local_lichess.endpoint import Endpoint
from bot.local_lichess.feeds import Feed
from bot.local_lichess.lobby import Lobby
from bot.local_lichess.refusal import not_found
from bot.local_lichess.request import Asked
from bot.local_lichess.seam import NDJSON, OK, Answer, json_answer

_DEFAULT_GAMES = 9
_DEFAULT_BOTS = 100


def _account(lobby: Lobby, asked: Asked) -> Answer:
    return json_answer(lobby.my_account(asked.caller.account, asked.now_ms))


def _playing(lobby: Lobby, asked: Asked) -> Answer:
    count = _number(asked.query.get("nb"), _DEFAULT_GAMES)
    return json_answer(lobby.now_playing(asked.caller.account, count, asked.now_ms))


def _user(lobby: Lobby, asked: Asked) -> Answer:
    return json_answer(lobby.user(asked.path["name"]))


def _statuses(lobby: Lobby, asked: Asked) -> Answer:
    names = [name for name in asked.query.get("ids", "").split(",") if name]
    return json_answer(lobby.statuses(names))


def _online_bots(lobby: Lobby, asked: Asked) -> Answer:
    bots = lobby.online_bots(_number(asked.query.get("nb"), _DEFAULT_BOTS))
    return Answer(200, b"".join(json_answer(bot).body + b"\n" for bot in bots), NDJSON)


def _upgrade(lobby: Lobby, asked: Asked) -> Answer:
    lobby.upgrade_to_bot(asked.caller.account)
    return OK


def _test_tokens(lobby: Lobby, asked: Asked) -> Answer:
    return json_answer(lobby.accounts.test_tokens(asked.text))


def _revoke_token(lobby: Lobby, asked: Asked) -> Answer:
    lobby.accounts.revoke(asked.caller.token.text)
    return Answer(204, b"")


def _follow(lobby: Lobby, asked: Asked) -> Answer:
    asked.caller.account.follows.add(lobby.accounts.get(asked.path["name"]).id)
    return OK


def _unfollow(lobby: Lobby, asked: Asked) -> Answer:
    asked.caller.account.follows.discard(lobby.accounts.get(asked.path["name"]).id)
    return OK


def _events(lobby: Lobby, asked: Asked) -> Feed:
    return lobby.open_events(asked.caller, user_agent=asked.user_agent, now_ms=asked.now_ms)


def _number(text: str | None, default: int) -> int:
    if text is None:
        return default
    try:
        return int(text)
    except ValueError:
        raise not_found() from None


ACCOUNT_ENDPOINTS = (
    Endpoint("GET", "/api/account", "account", _account),
    Endpoint("GET", "/api/account/playing", "playing", _playing),
    Endpoint("GET", "/api/user/{name}", "user", _user, None),
    Endpoint("GET", "/api/users/status", "users_status", _statuses, None),
    Endpoint("GET", "/api/bot/online", "online_bots", _online_bots, None),
    Endpoint("POST", "/api/bot/account/upgrade", "upgrade", _upgrade, ("bot:play",)),
    Endpoint("POST", "/api/token/test", "token_test", _test_tokens, None),
    Endpoint("DELETE", "/api/token", "token_revoke", _revoke_token),
    Endpoint("POST", "/api/rel/follow/{name}", "follow", _follow, ("follow:write",)),
    Endpoint("POST", "/api/rel/unfollow/{name}", "unfollow", _unfollow, ("follow:write",)),
    Endpoint(
        "GET", "/api/stream/event", "event_stream", _events, ("challenge:read", "bot:play", "board:play")
    ),
)
