"""Looks on at the seam between the local Lichess and the wire: what the bot was shown, and what it sent.

Times are those of the server's own thread, on the clock that is handed in.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from bot.local_lichess import Answer, Call, Cut, Faults
from bot.local_lichess.seam import ControllingFaults, Controls
from bot.timing.clock import Clock


@dataclass(frozen=True, slots=True)
class Reply:
    """A move of the bot's that was played. `ply`: of the position it was played in, from 0."""

    game_id: str
    ply: int
    arrived_s: float  # when its request had arrived, whole
    after_s: float  # since the line that asked for it was handed to the connection


class Watch:
    """Consulted as `Faults` are, and does no harm of its own; `inner` may.

    It is written on the server's thread: read it from elsewhere through `LocalLichess.on_loop`, or once the
    server has stopped.
    """

    def __init__(
        self,
        *,
        clock: Clock,
        moves_of: Callable[[str], tuple[str, ...]],
        inner: Faults | None = None,
    ) -> None:
        """`moves_of`: the moves of a game at this moment, by its id."""
        self._clock = clock
        self._inner = inner
        self._moves_of = moves_of
        self._asked: dict[str, dict[int, float]] = {}  # game: plies shown to the bot, and since when
        self._arrived: dict[str, float] = {}
        self._played: Counter[tuple[str, int]] = Counter()
        self.replies: list[Reply] = []
        #: Moves that were accepted in a position which the bot had not been shown.
        self.ghosts = 0
        #: Moves that were answered with an error, whoever is to blame.
        self.refused = 0

    @property
    def duplicates(self) -> int:
        """Moves that were accepted although one had been accepted for that ply, or into the unknown."""
        return sum(times - 1 for times in self._played.values()) + self.ghosts

    # --- Faults ---------------------------------------------------------------------------------------

    def take_controls(self, controls: Controls) -> None:
        if isinstance(self._inner, ControllingFaults):
            self._inner.take_controls(controls)

    async def before(self, call: Call) -> Answer | Cut | None:
        if _is_move(call):
            self._arrived[call.subject_id or ""] = self._clock.monotonic()
        return None if self._inner is None else await self._inner.before(call)

    async def after(self, call: Call, answer: Answer) -> Answer | Cut:
        if _is_move(call) and answer.status == 200:
            self._accepted(call.subject_id or "", call.path.rpartition("/")[2])
        elif _is_move(call):
            self.refused += 1
        return answer if self._inner is None else await self._inner.after(call, answer)

    async def line(self, call: Call, line: bytes) -> Sequence[bytes | Cut]:
        pieces = (line,) if self._inner is None else await self._inner.line(call, line)
        if call.endpoint == "game_stream":
            for piece in pieces:
                if isinstance(piece, bytes):
                    self._show(call.subject_id or "", piece)
        return pieces

    # --- inside ---------------------------------------------------------------------------------------

    def _show(self, game_id: str, line: bytes) -> None:
        ply = _ply(line)
        if ply is not None:
            self._asked.setdefault(game_id, {}).setdefault(ply, self._clock.monotonic())

    def _accepted(self, game_id: str, uci: str) -> None:
        """No other request has been looked at since this one took effect."""
        moves = self._moves_of(game_id)
        if not moves or moves[-1] != uci:
            return  # too late: it was accepted, and the flag had fallen
        ply = len(moves) - 1
        self._played[game_id, ply] += 1
        asked_s = self._asked.get(game_id, {}).get(ply)
        if asked_s is None:
            self.ghosts += 1
            return
        arrived_s = self._arrived.get(game_id, asked_s)
        self.replies.append(Reply(game_id, ply, arrived_s, arrived_s - asked_s))


def _is_move(call: Call) -> bool:
    return call.endpoint == "move"


def _ply(line: bytes) -> int | None:
    """How many moves the state in a line of a game stream has; None when there is none to be read."""
    try:
        message = json.loads(line)
    except ValueError:  # a keep-alive, or half a line
        return None
    if not isinstance(message, dict):
        return None
    moves = message.get("state", message).get("moves")
    return len(moves.split()) if isinstance(moves, str) else None
