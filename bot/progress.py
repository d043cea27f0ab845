"""Whether the service makes progress: it hears from its stream, and no game is past its own deadline. Pure.

`now` is monotonic seconds throughout.
"""

from __future__ import annotations

from collections.abc import Iterable

from bot.account_messages import (
    AbortAnswered,
    AcceptAnswered,
    AccountMessage,
    OngoingGames,
    SessionEnded,
    StopRequested,
    Tick,
)
from bot.stream_reader import StreamLost

#: A stream that lives says something every 7 s; one that does not is closed and said to be lost after 15 s.
SILENCE_S = 60.0
#: A game's owner that should have woken so long ago is stuck.
LATE_S = 30.0


class Progress:
    """Kept by the service; asked before each beat of the watchdog."""

    def __init__(self, now: float) -> None:
        self._due_at = now + SILENCE_S

    def heard(self, message: AccountMessage, now: float) -> None:
        """Only what the event stream's reader says counts: events, keep-alives, word of its troubles."""
        match message:
            case (
                Tick()
                | StopRequested()
                | SessionEnded()
                | AcceptAnswered()
                | AbortAnswered()
                | OngoingGames()
            ):
                pass  # these come from ourselves: a deaf service could go on with them for ever
            case StreamLost(_, retry_in_s):
                self._due_at = now + retry_in_s + SILENCE_S  # an outage is no reason to restart
            case _:
                self._due_at = now + SILENCE_S

    def is_made(self, now: float, wakes: Iterable[float | None]) -> bool:
        """`wakes`: when each game's owner wanted to wake next."""
        late = any(wake_at is not None and now > wake_at + LATE_S for wake_at in wakes)
        return now <= self._due_at and not late
