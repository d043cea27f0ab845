"""The account's event stream, read for ever."""

from __future__ import annotations

import random
from collections.abc import Callable

from bot.errors import NotAllowedError
from bot.events import AccountEvent
from bot.lichess.client import Lichess
from bot.lichess.wire import parse_account_line
from bot.stream_reader import StreamNews, StreamReader
from bot.timing.backoff import event_stream_reconnect
from bot.timing.clock import Clock


def event_stream(
    lichess: Lichess,
    deliver: Callable[[AccountEvent | StreamNews], None],
    *,
    clock: Clock,
    rng: random.Random,
) -> StreamReader[AccountEvent]:
    """A reader, not yet started, of everything Lichess tells the account.

    Reopening stays within Lichess's limit of 30 event streams in 10 minutes. Only a token that is not good
    ends it: the address is always there, so a 404 or 400 is some proxy's.
    """
    return StreamReader(
        name="event-stream",
        open_stream=lichess.open_event_stream,
        parse=parse_account_line,
        deliver=deliver,
        reconnect=event_stream_reconnect(),
        clock=clock,
        rng=rng,
        final=NotAllowedError,
    )
