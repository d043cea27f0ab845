"""The lobby on the wire: a Starlette application."""

from __future__ import annotations

import asyncio
import random
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Literal

from starlette.applications import Starlette
from starlette.background import BackgroundTask
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route
from starlette.types import Receive, Scope, Send

from bot.local_lichess.account_routes import ACCOUNT_ENDPOINTS
from bot.local_lichess.accounts import Caller
from bot.local_lichess.challenge_routes import CHALLENGE_ENDPOINTS
from bot.local_lichess.endpoint import Endpoint
from bot.local_lichess.feeds import Feed
from bot.local_lichess.game_routes import GAME_ENDPOINTS
from bot.local_lichess.lobby import Lobby
from bot.local_lichess.refusal import Refusal, not_found
from bot.local_lichess.request import Asked, read_form
from bot.local_lichess.seam import Answer, Call, Cut, Faults, json_answer
from bot.local_lichess.streaming import FeedResponse, HangUp
from bot.timing.clock import Clock

#: Whether the answer to a request or the events it causes are written first. Lichess promises neither.
AnswerOrder = Literal["random", "answer_first", "events_first"]

#: The log forgets what is older than so many requests.
_LOGGED_REQUESTS = 100_000

ENDPOINTS = (*ACCOUNT_ENDPOINTS, *CHALLENGE_ENDPOINTS, *GAME_ENDPOINTS)


@dataclass(frozen=True, slots=True)
class LoggedRequest:
    """One request as it came and was answered. `status` is None when its connection was torn instead."""

    method: str
    path: str  # without the query
    endpoint: str
    status: int | None
    arrived_s: float  # on the server's monotonic clock
    account_id: str | None


@dataclass(slots=True)
class Wire:
    """What the application needs besides the world. `after_change` is called once events are on their way."""

    lobby: Lobby
    clock: Clock
    now_ms: Callable[[], int]
    rng: random.Random
    hang_up: HangUp
    order: AnswerOrder = "random"
    faults: Faults | None = None
    after_change: Callable[[], None] = lambda: None
    log: deque[LoggedRequest] = field(default_factory=lambda: deque(maxlen=_LOGGED_REQUESTS))

    def flush(self) -> None:
        """Send what is waiting in the streams."""
        self.lobby.feeds.flush()
        self.after_change()


def make_app(wire: Wire) -> Starlette:
    """The application; it answers in JSON whatever is asked."""

    async def unknown(request: Request, _problem: Exception) -> Response:
        wire.log.append(
            LoggedRequest(request.method, request.url.path, "unknown", 404, wire.clock.monotonic(), None)
        )
        return _response(json_answer(not_found().body, 404))

    routes = [
        Route(endpoint.path, _Handling(wire, endpoint).respond, methods=[endpoint.method])
        for endpoint in ENDPOINTS
    ]
    return Starlette(routes=routes, exception_handlers={404: unknown, 405: unknown})


class _Handling:
    """Everything around one endpoint's function."""

    def __init__(self, wire: Wire, endpoint: Endpoint) -> None:
        self._wire = wire
        self._endpoint = endpoint

    async def respond(self, request: Request) -> Response:
        wire, endpoint = self._wire, self._endpoint
        arrived_s = wire.clock.monotonic()
        headers = {"Access-Control-Allow-Origin": "*"}
        caller, refused = self._authenticated(request, headers)
        call = Call(
            request.method,
            request.url.path,
            endpoint.name,
            None if caller is None else caller.account.id,
            request.path_params.get("id"),
        )
        body = await request.body()
        result: Answer | Feed | Cut | None = None
        if wire.faults is not None:
            result = await wire.faults.before(call)
        if result is None:
            result = refused or self._handled(request, body, caller)
        if isinstance(result, Answer) and wire.faults is not None:
            wire.flush()  # the events go out even while a fault holds back the answer
            result = await wire.faults.after(call, result)

        status = None if isinstance(result, Cut) else 200 if isinstance(result, Feed) else result.status
        wire.log.append(
            LoggedRequest(call.method, call.path, call.endpoint, status, arrived_s, call.account_id)
        )
        if isinstance(result, Feed):
            wire.flush()
            return self._stream(result, call, headers)
        if isinstance(result, Cut):
            wire.flush()
            return _TornResponse(wire.hang_up)
        return await self._ordered(_response(result, headers))

    def _authenticated(
        self, request: Request, headers: dict[str, str]
    ) -> tuple[Caller | None, Answer | None]:
        """The caller, or the refusal; also sets the headers that name the scopes."""
        scopes = self._endpoint.scopes
        if scopes is None:
            return None, None
        authorization = request.headers.get("authorization")
        accounts = self._wire.lobby.accounts
        token = accounts.token_of(authorization)
        if token is not None:
            headers["X-OAuth-Scopes"] = ", ".join(token.scopes)
        headers["X-Accepted-OAuth-Scopes"] = ", ".join(scopes)
        user_agent = request.headers.get("user-agent", "")
        try:
            return accounts.authenticate(authorization, user_agent, scopes, self._wire.now_ms()), None
        except Refusal as refusal:
            return None, json_answer(refusal.body, refusal.status)

    def _handled(self, request: Request, body: bytes, caller: Caller | None) -> Answer | Feed:
        query = dict(request.query_params)
        try:
            asked = Asked(
                now_ms=self._wire.now_ms(),
                path=request.path_params,
                query=query,
                form=read_form(request.headers.get("content-type", ""), query, body),
                text=body.decode("utf-8", errors="replace"),
                headers=dict(request.headers),
                asker=caller,
            )
            return self._endpoint.handle(self._wire.lobby, asked)
        except Refusal as refusal:
            return json_answer(refusal.body, refusal.status)

    async def _ordered(self, response: Response) -> Response:
        wire = self._wire
        events_first = wire.order == "events_first" or (wire.order == "random" and wire.rng.random() < 0.5)
        if events_first:
            wire.flush()
            await asyncio.sleep(0)  # lets the woken streams write
        else:
            response.background = BackgroundTask(_flush, wire)
        return response

    def _stream(self, feed: Feed, call: Call, headers: dict[str, str]) -> Response:
        wire = self._wire

        def closed(feed: Feed) -> None:
            wire.lobby.stream_closed(feed, wire.now_ms())
            wire.flush()

        return FeedResponse(
            feed, call, headers=headers, faults=wire.faults, hang_up=wire.hang_up, on_closed=closed
        )


class _TornResponse(Response):
    """No answer: the connection is torn down."""

    def __init__(self, hang_up: HangUp) -> None:
        super().__init__()
        self._hang_up = hang_up

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:  # noqa: ARG002  ASGI's own
        await self._hang_up(scope)


async def _flush(wire: Wire) -> None:
    wire.flush()


def _response(answer: Answer, headers: dict[str, str] | None = None) -> Response:
    return Response(
        answer.body,
        answer.status,
        {**(headers or {}), **answer.headers},
        media_type=answer.content_type if answer.body else None,
    )
