"""A Lichess on loopback: the wire a bot sees, on real sockets, without the internet.

For tests, for the laboratory, and for trying a bot before it has an account. `LocalLichess` runs it, `serve`
runs it in the foreground, `Lobby` is its world without sockets. It shares nothing with the client of this
project, so that neither hides the other's mistakes.
"""

from __future__ import annotations

from bot.local_lichess.hosts import OutgoingChallenge
from bot.local_lichess.http import AnswerOrder, LoggedRequest
from bot.local_lichess.limits import Limits
from bot.local_lichess.lobby import Lobby
from bot.local_lichess.refusal import Refusal
from bot.local_lichess.seam import Answer, Call, Cut, Faults
from bot.local_lichess.serve import serve
from bot.local_lichess.server import AccountHandle, LocalLichess
from bot.local_lichess.settings import Settings
from bot.local_lichess.snapshot import GameSnapshot
from bot.local_lichess.terms import challenge_form

__all__ = [
    "AccountHandle",
    "Answer",
    "AnswerOrder",
    "Call",
    "Cut",
    "Faults",
    "GameSnapshot",
    "Limits",
    "Lobby",
    "LocalLichess",
    "LoggedRequest",
    "OutgoingChallenge",
    "Refusal",
    "Settings",
    "challenge_form",
    "serve",
]
