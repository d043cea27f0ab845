"""Open streams as queues of lines: what is due to be written to whom."""

from __future__ import annotations

import json
import random
from collections import deque
from collections.abc import Callable, Iterator, Mapping
from typing import Literal

FeedKind = Literal["events", "game", "challenge"]

#: A slow reader loses the oldest lines beyond this many.
QUEUE_SIZE = 32
KEEP_ALIVE = b"\n"


class Feed:
    """One open stream. Whoever writes it to a socket sets `wake`, then pops until `ended`."""

    def __init__(
        self,
        kind: FeedKind,
        account_id: str,
        *,
        token: str,
        user_agent: str = "",
        subject_id: str | None = None,
        opened_ms: int,
        keep_alive_ms: int,
    ) -> None:
        self.kind = kind
        self.account_id = account_id
        self.token = token
        self.user_agent = user_agent
        self.subject_id = subject_id  # the game, or the challenge that is kept alive
        self.wake: Callable[[], None] | None = None
        self._keep_alive_ms = keep_alive_ms
        self._next_keep_alive_ms = opened_ms + keep_alive_ms
        self._lines: deque[bytes] = deque(maxlen=QUEUE_SIZE)
        self._closing = False

    def push(self, line: bytes) -> None:
        """Append a line that ends in a newline; the oldest is dropped when there are 32 already."""
        if not self._closing:
            self._lines.append(line)

    def pop(self) -> bytes | None:
        """The oldest line, or None when there is none now."""
        return self._lines.popleft() if self._lines else None

    def close(self) -> None:
        """End the stream cleanly once the lines it holds are written."""
        self._closing = True

    @property
    def is_open(self) -> bool:
        """More lines may come."""
        return not self._closing

    @property
    def ended(self) -> bool:
        """Closed and everything popped: the body ends here."""
        return self._closing and not self._lines

    def keep_alive_due(self, now_ms: int) -> bool:
        """True once per keep-alive period; the caller pushes the blank line."""
        if self._closing or now_ms < self._next_keep_alive_ms:
            return False
        self._next_keep_alive_ms = now_ms + self._keep_alive_ms
        return True

    def messages(self) -> list[dict[str, object]]:
        """Pop everything and parse it, keep-alives left out (for tests, which have no socket)."""
        found = []
        while (line := self.pop()) is not None:
            if line != KEEP_ALIVE:
                found.append(json.loads(line))
        return found


class Feeds:
    """All open streams. Pushing marks a stream; `flush` wakes the marked ones, in no particular order."""

    def __init__(self, *, keep_alive_ms: int, rng: random.Random) -> None:
        self._keep_alive_ms = keep_alive_ms
        self._rng = rng
        self._open: list[Feed] = []
        self._marked: dict[Feed, None] = {}

    def open(
        self,
        kind: FeedKind,
        account_id: str,
        *,
        token: str,
        now_ms: int,
        user_agent: str = "",
        subject_id: str | None = None,
    ) -> Feed:
        feed = Feed(
            kind,
            account_id,
            token=token,
            user_agent=user_agent,
            subject_id=subject_id,
            opened_ms=now_ms,
            keep_alive_ms=self._keep_alive_ms,
        )
        self._open.append(feed)
        return feed

    def send(self, feed: Feed, message: Mapping[str, object]) -> None:
        """Queue one JSON line."""
        self._push(feed, json.dumps(message, separators=(",", ":"), ensure_ascii=False).encode() + b"\n")

    def close(self, feed: Feed) -> bool:
        """End a stream cleanly. It counts as gone at once. False when it was closed before."""
        feed.close()
        if feed not in self._open:
            return False
        self._open.remove(feed)
        self._marked[feed] = None
        return True

    def close_all(self) -> None:
        for feed in list(self._open):
            self.close(feed)

    def of(
        self, kind: FeedKind, *, account_id: str | None = None, subject_id: str | None = None
    ) -> Iterator[Feed]:
        """The open streams of a kind, of an account or about a subject (both, when both are given)."""
        for feed in list(self._open):
            if (
                feed.kind == kind
                and account_id in (None, feed.account_id)
                and subject_id in (None, feed.subject_id)
            ):
                yield feed

    def is_online(self, account_id: str) -> bool:
        """An account is online while it has any stream open."""
        return any(feed.account_id == account_id for feed in self._open)

    def keep_alive(self, now_ms: int) -> list[Feed]:
        """Push the blank lines that are due; returns the streams that got one."""
        ticked = [feed for feed in self._open if feed.keep_alive_due(now_ms)]
        for feed in ticked:
            self._push(feed, KEEP_ALIVE)
        return ticked

    def flush(self) -> None:
        """Wake the readers of all streams that have something new."""
        marked = list(self._marked)
        self._marked.clear()
        self._rng.shuffle(marked)
        for feed in marked:
            if feed.wake is not None:
                feed.wake()

    def _push(self, feed: Feed, line: bytes) -> None:
        feed.push(line)
        self._marked[feed] = None
