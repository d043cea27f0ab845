"""What may become a part of a request's path: nothing that could turn it into another path."""

from __future__ import annotations

import re

from bot.errors import RefusedError

_ID = re.compile(r"[A-Za-z0-9_-]{1,64}")
# A drop is P@e4 (crazyhouse); a pawn may become a king (antichess).
_UCI = re.compile(r"[a-h][1-8][a-h][1-8][qrbnk]?|[PNBRQK]@[a-h][1-8]")


def is_id(text: str) -> bool:
    """Whether `text` is fit to be the id of a game, challenge or user."""
    return _ID.fullmatch(text) is not None


def path_id(text: str) -> str:
    """`text`, if it is an id; else RefusedError, as the server would answer, and nothing is sent."""
    if not is_id(text):
        raise RefusedError(f"not sent: {text[:80]!r} is not an id", status=400)
    return text


def path_move(text: str) -> str:
    """`text`, if it has the form of a UCI move; else RefusedError, as the server would answer."""
    if not _UCI.fullmatch(text):
        raise RefusedError(f"not sent: {text[:80]!r} is not a UCI move", status=400)
    return text
