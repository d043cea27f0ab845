"""Endpoints about a game: the Bot API, the Board API (the same handlers), and the export."""

from __future__ import annotations

from collections.abc import Callable

from bot.local_lichess.endpoint import Endpoint, Handler
from bot.local_lichess.feeds import Feed
from bot.local_lichess.game import Game
from bot.local_lichess.lobby import Lobby
from bot.local_lichess.refusal import Refusal, not_found
from bot.local_lichess.request import Asked
from bot.local_lichess.rooms import Api
from bot.local_lichess.seam import OK, PGN, Answer, json_answer
from bot.local_lichess.seats import Color
from bot.local_lichess.terms import is_true

_SCOPE = {"bot": "bot:play", "board": "board:play"}

Action = Callable[[Game, Color, Asked], None]


def _move(game: Game, side: Color, asked: Asked) -> None:
    offering = is_true(asked.form.get("offeringDraw"))
    game.move(side, asked.path["uci"], asked.now_ms, offering_draw=offering)


def _abort(game: Game, side: Color, asked: Asked) -> None:
    game.abort(side, asked.now_ms)


def _resign(game: Game, side: Color, asked: Asked) -> None:
    game.resign(side, asked.now_ms)


def _draw(game: Game, side: Color, asked: Asked) -> None:
    game.draw(side, is_true(asked.path["yes"]), asked.now_ms)


def _takeback(game: Game, side: Color, asked: Asked) -> None:
    game.takeback(side, is_true(asked.path["yes"]), asked.now_ms)


def _claim_victory(game: Game, side: Color, asked: Asked) -> None:
    game.claim_victory(side, asked.now_ms)


def _claim_draw(game: Game, side: Color, asked: Asked) -> None:
    game.claim_draw(side, asked.now_ms)


def _berserk(_game: Game, _side: Color, _asked: Asked) -> None:
    raise Refusal(400, "Cannot berserk")


def _say(game: Game, _side: Color, asked: Asked) -> None:
    room, text = asked.form.get("room", ""), asked.form.get("text", "")
    game.chat(asked.caller.account.name, room, text, asked.now_ms)


def _acting(api: Api, action: Action) -> Handler:
    def handle(lobby: Lobby, asked: Asked) -> Answer:
        room, side = lobby.rooms.seat(api, asked.caller, asked.path["id"])
        lobby.rooms.act(room, lambda game: action(game, side, asked), asked.now_ms)
        return OK

    return handle


def _streaming(api: Api) -> Handler:
    def handle(lobby: Lobby, asked: Asked) -> Feed:
        return lobby.rooms.open_stream(
            api, asked.caller, asked.path["id"], user_agent=asked.user_agent, now_ms=asked.now_ms
        )

    return handle


def _reading_chat(api: Api) -> Handler:
    def handle(lobby: Lobby, asked: Asked) -> Answer:
        room, _ = lobby.rooms.seat(api, asked.caller, asked.path["id"])
        return json_answer(room.game.chat_json())

    return handle


def _no_such_command(_lobby: Lobby, _asked: Asked) -> Answer:
    raise Refusal(404, "No such command")


def _playing_endpoints(api: Api) -> tuple[Endpoint, ...]:
    base, scopes = f"/api/{api}/game", (_SCOPE[api],)
    actions: tuple[tuple[str, str, Action], ...] = (
        ("move/{uci}", "move", _move),
        ("abort", "abort", _abort),
        ("resign", "resign", _resign),
        ("draw/{yes}", "draw", _draw),
        ("takeback/{yes}", "takeback", _takeback),
        ("claim-victory", "claim_victory", _claim_victory),
        ("claim-draw", "claim_draw", _claim_draw),
        ("berserk", "berserk", _berserk),
        ("chat", "chat", _say),
    )
    return (
        Endpoint("GET", f"{base}/stream/{{id}}", "game_stream", _streaming(api), scopes),
        Endpoint("GET", f"{base}/{{id}}/chat", "chat_read", _reading_chat(api), scopes),
        *(
            Endpoint("POST", f"{base}/{{id}}/{path}", name, _acting(api, action), scopes)
            for path, name, action in actions
        ),
        Endpoint("POST", f"{base}/{{id}}/{{command:path}}", "unknown_command", _no_such_command, scopes),
        Endpoint("GET", f"{base}/{{id}}/{{command:path}}", "unknown_command", _no_such_command, scopes),
    )


def _add_time(lobby: Lobby, asked: Asked) -> Answer:
    try:
        seconds = int(asked.path["seconds"])
    except ValueError:
        raise not_found() from None
    lobby.add_time(asked.caller.account, asked.path["id"], seconds, asked.now_ms)
    return OK


def _export(lobby: Lobby, asked: Asked) -> Answer:
    room = lobby.rooms.find(asked.path["id"])
    if room is None:
        raise not_found()
    pgn = room.game.pgn(asked.now_ms, base_url=lobby.settings.base_url)
    if "json" not in asked.headers.get("accept", ""):
        return Answer(200, pgn.encode(), PGN)
    exported = room.game.export_json(asked.now_ms)
    if is_true(asked.query.get("pgnInJson")):
        exported["pgn"] = pgn
    return json_answer(exported)


GAME_ENDPOINTS = (
    *_playing_endpoints("bot"),
    *_playing_endpoints("board"),
    Endpoint("POST", "/api/round/{id}/add-time/{seconds}", "add_time", _add_time, ("challenge:write",)),
    Endpoint("GET", "/game/export/{id}", "export", _export, None),
)
