"""Runs an ASGI application with uvicorn in a daemon thread that owns its event loop."""

from __future__ import annotations

import asyncio
import contextlib
import socket
import struct
import threading
from collections.abc import Callable, Coroutine
from typing import TypeVar

import uvicorn
from starlette.requests import ClientDisconnect
from starlette.types import ASGIApp, Receive, Scope, Send
from uvicorn.protocols.http.h11_impl import H11Protocol

T = TypeVar("T")

#: Met only by a server that hangs.
_START_TIMEOUT_S = 60.0
_STOP_TIMEOUT_S = 60.0
#: Requests that have not ended by themselves this long after the stop began are cut off.
_WINDING_UP_S = 0.1
#: Idle connections are kept like Lichess's front does; a client may reuse one minutes later.
_IDLE_CONNECTION_S = 75
#: linger on, for zero seconds: closing the socket sends a reset
_RESET_ON_CLOSE = struct.pack("ii", 1, 0)


class UvicornThread:
    """Serves on the socket `bound`, once.

    `beside` runs as long as the server does; `before_stop` is called on the loop when it is to end.
    """

    def __init__(
        self,
        bound: socket.socket,
        *,
        beside: Callable[[], Coroutine[None, None, None]],
        before_stop: Callable[[], None],
    ) -> None:
        self._app: ASGIApp | None = None
        self._socket = bound
        self._beside = beside
        self._before_stop = before_stop
        self._stopping = False
        self._started = threading.Event()
        self._failure: BaseException | None = None
        self._server = _Server(
            uvicorn.Config(
                self._guarded,
                interface="asgi3",
                http=H11Protocol,
                ws="none",
                lifespan="off",
                access_log=False,
                log_config=None,
                log_level="warning",
                proxy_headers=False,
                server_header=False,
                timeout_keep_alive=_IDLE_CONNECTION_S,
            ),
            self._started.set,
        )
        self._thread = threading.Thread(target=self._run, name="local-lichess", daemon=True)

    def start(self, app: ASGIApp) -> None:
        """Serve `app`. Returns once connections are accepted. RuntimeError when that fails."""
        self._app = app
        self._loop = asyncio.new_event_loop()
        self._thread.start()
        if not self._started.wait(_START_TIMEOUT_S) or self._failure is not None:
            raise RuntimeError("the local server did not start") from self._failure

    def stop(self) -> None:
        """Returns once the thread has ended. RuntimeError when the server had failed, or does not end."""
        if self._thread.is_alive():
            with contextlib.suppress(RuntimeError):  # it has just ended by itself
                self._loop.call_soon_threadsafe(self._begin_stop)
            self._thread.join(_STOP_TIMEOUT_S)
            if self._thread.is_alive():
                raise RuntimeError("the local server does not stop")
        self._socket.close()
        if self._failure is not None:
            failure, self._failure = self._failure, None
            raise RuntimeError("the local server failed") from failure

    def call(self, work: Callable[[], T]) -> T:
        """Run `work` on the loop and return what it returns; at once where the loop cannot interfere."""
        if not self._thread.is_alive() or threading.current_thread() is self._thread:
            return work()

        async def run() -> T:
            return work()

        return self.run(run())

    def run(self, work: Coroutine[None, None, T]) -> T:
        """Run a coroutine on the loop, from another thread."""
        if not self._thread.is_alive() or threading.current_thread() is self._thread:
            work.close()
            raise RuntimeError("the local server is not running, or is the one asking")
        return asyncio.run_coroutine_threadsafe(work, self._loop).result()

    async def hang_up(self, scope: Scope) -> None:
        """Reset the connection a request came by."""
        for connection in list(self._server.server_state.connections):
            if isinstance(connection, H11Protocol) and connection.client == tuple(scope["client"]):
                _reset(connection)
        await asyncio.sleep(0)
        await asyncio.sleep(0)  # by now uvicorn knows that nobody waits for an answer

    def break_connections(self) -> None:
        """Reset all connections there are. On the thread only."""
        for connection in list(self._server.server_state.connections):
            if isinstance(connection, H11Protocol):
                _reset(connection)

    # --- on the thread --------------------------------------------------------------------------------

    def _run(self) -> None:
        try:
            self._loop.run_until_complete(self._main())
        except BaseException as error:  # noqa: BLE001  the thread's outermost edge; `stop` raises it
            self._failure = error
        finally:
            self._loop.run_until_complete(_cancel_leftovers())
            self._loop.close()
            self._started.set()

    async def _main(self) -> None:
        async with asyncio.TaskGroup() as group:
            beside = group.create_task(self._beside())
            await self._server.serve(sockets=[self._socket])
            beside.cancel()

    def _begin_stop(self) -> None:
        self._stopping = True
        self._before_stop()
        self._server.should_exit = True
        self._loop.call_later(_WINDING_UP_S, self._cut_off)

    def _cut_off(self) -> None:
        for task in self._server.server_state.tasks:
            task.cancel()
        for connection in list(self._server.server_state.connections):
            connection.transport.abort()

    async def _guarded(self, scope: Scope, receive: Receive, send: Send) -> None:
        if self._app is None:
            raise RuntimeError("there is nothing to serve yet")
        try:
            await self._app(scope, receive, send)
        except ClientDisconnect:
            return  # in the midst of asking, or of being answered: there is nobody to answer
        except asyncio.CancelledError:
            if not self._stopping:
                raise
            await self.hang_up(scope)


class _Server(uvicorn.Server):
    def __init__(self, config: uvicorn.Config, on_started: Callable[[], None]) -> None:
        super().__init__(config)
        self._on_started = on_started

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets=sockets)
        self._on_started()


def _reset(connection: H11Protocol) -> None:
    transport = connection.transport
    transport.get_extra_info("socket").setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, _RESET_ON_CLOSE)
    transport.abort()


async def _cancel_leftovers() -> None:
    leftovers = [task for task in asyncio.all_tasks() if task is not asyncio.current_task()]
    for task in leftovers:
        task.cancel()
    await asyncio.gather(*leftovers, return_exceptions=True)
