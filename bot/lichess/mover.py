"""The connection that one game's moves go out on."""

from __future__ import annotations

from collections.abc import Callable

import berserk

from bot.errors import ConnectionTroubleError
from bot.lichess.paths import path_id, path_move
from bot.lichess.sessions import LichessSession, Timeout
from bot.lichess.troubles import as_lichess_errors


class Mover:
    """Sends moves, each on the connection of the one before. One thread at a time.

    A kept connection that the server has closed meanwhile is noticed before it is used, and replaced: no byte
    of the move was sent, so nothing can be played twice. If the connection breaks once the move is under way,
    that is a ConnectionTroubleError and the move is not repeated here: it may have been played, and only the
    game's stream knows.
    """

    def __init__(
        self,
        session: LichessSession,
        url: str,
        *,
        connect_s: float,
        answer_s: float,
        on_close: Callable[[Mover], None] | None = None,
    ) -> None:
        self._session = session
        self._api = berserk.Requestor(session, url, berserk.JSON)
        self._connect_s = connect_s
        self._answer_s = answer_s
        self._on_close = on_close
        self._closed = False

    def move(
        self, game_id: str, uci: str, offering_draw: bool = False, timeout_s: float | None = None
    ) -> None:
        """POST one move; returns on HTTP 200, which is not yet a played move. Raises LichessError.

        `timeout_s`: how long to wait for the answer, in seconds. Making a connection first has its own limit.
        """
        what = f"move {uci} in {game_id}"
        path = f"/api/bot/game/{path_id(game_id)}/move/{path_move(uci)}"
        if self._closed:
            raise ConnectionTroubleError(f"{what}: not sent, the connection was closed")
        timeout: Timeout = (self._connect_s, self._answer_s if timeout_s is None else timeout_s)
        with as_lichess_errors(what, self._session.mask):
            self._api.post(path, params={"offeringDraw": "true"} if offering_draw else None, timeout=timeout)

    def close(self) -> None:
        """Close the connection; a move that is under way still gets its answer. Any number of times."""
        self._closed = True
        self._session.close()
        if self._on_close is not None:
            self._on_close(self)
