"""Writes one feed to one connection, line by line, the moment a line is there."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping, Sequence

from starlette.responses import Response
from starlette.types import Receive, Scope, Send

from bot.local_lichess.feeds import Feed
from bot.local_lichess.seam import NDJSON, Call, Cut, Faults

HangUp = Callable[[Scope], Awaitable[None]]


class FeedResponse(Response):
    """An endless ndjson answer. `on_closed` hears when it ended, whoever ended it."""

    def __init__(
        self,
        feed: Feed,
        call: Call,
        *,
        headers: Mapping[str, str],
        faults: Faults | None,
        hang_up: HangUp,
        on_closed: Callable[[Feed], None],
    ) -> None:
        super().__init__(status_code=200, media_type=NDJSON, headers=dict(headers))
        del self.headers["content-length"]  # none: uvicorn then sends chunks, one for every line
        self._feed = feed
        self._call = call
        self._faults = faults
        self._hang_up = hang_up
        self._on_closed = on_closed

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        woken = asyncio.Event()
        self._feed.wake = woken.set
        leaving = asyncio.create_task(_wait_for_disconnect(receive, woken))
        try:
            await send({"type": "http.response.start", "status": 200, "headers": self.raw_headers})
            cut = await self._write(woken, leaving, send)
            if cut is Cut.RESET:
                await self._hang_up(scope)
            elif not leaving.done():
                await send({"type": "http.response.body", "body": b"", "more_body": False})
        finally:
            leaving.cancel()
            self._feed.wake = None
            self._on_closed(self._feed)

    async def _write(self, woken: asyncio.Event, leaving: asyncio.Task[None], send: Send) -> Cut:
        while not leaving.done():
            woken.clear()
            while (line := self._feed.pop()) is not None:
                for piece in await self._pieces(line):
                    if isinstance(piece, Cut):
                        return piece
                    await send({"type": "http.response.body", "body": piece, "more_body": True})
            if self._feed.ended:
                break
            await woken.wait()
        return Cut.END

    async def _pieces(self, line: bytes) -> Sequence[bytes | Cut]:
        if self._faults is None:
            return (line,)
        return await self._faults.line(self._call, line)


async def _wait_for_disconnect(receive: Receive, woken: asyncio.Event) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass
    woken.set()
