"""Slow work beside an event loop."""

from __future__ import annotations

import asyncio
import contextlib
import threading
from collections.abc import Callable
from typing import TypeVar

T = TypeVar("T")


async def in_thread(work: Callable[[], T]) -> T:
    """Run `work` in a daemon thread: one that never returns holds up neither the loop nor its end."""
    loop = asyncio.get_running_loop()
    answer: asyncio.Future[T] = loop.create_future()

    def succeed(value: T) -> None:
        if not answer.done():
            answer.set_result(value)

    def fail(error: Exception) -> None:
        if not answer.done():
            answer.set_exception(error)

    def run() -> None:
        try:
            value = work()
        except Exception as error:  # noqa: BLE001  the thread's outermost edge; raised again by the awaiter
            _tell(loop, fail, error)
        else:
            _tell(loop, succeed, value)

    threading.Thread(target=run, name="scripted-player", daemon=True).start()
    return await answer


def _tell(loop: asyncio.AbstractEventLoop, listener: Callable[[T], None], value: T) -> None:
    with contextlib.suppress(RuntimeError):  # the loop was closed meanwhile: nobody waits
        loop.call_soon_threadsafe(listener, value)
