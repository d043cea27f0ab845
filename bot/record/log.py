"""The log: one line a fact, with its game and ply; readable in a terminal and in the journal."""

from __future__ import annotations

import logging
import os
import sys
from collections.abc import Mapping, MutableMapping
from datetime import UTC, datetime
from typing import Any, TextIO

from bot.record.patient_handler import PatientHandler
from bot.wording import printable

#: journald reads a syslog priority in front of a line.
PRIORITIES = {logging.DEBUG: 7, logging.INFO: 6, logging.WARNING: 4, logging.ERROR: 3, logging.CRITICAL: 2}


class GameLog(logging.LoggerAdapter[logging.Logger]):
    """A logger whose every line names its game; `extra={"ply": n}` adds the ply."""

    def __init__(self, logger: logging.Logger, game_id: str) -> None:
        super().__init__(logger, {"game": game_id})

    def process(self, msg: Any, kwargs: MutableMapping[str, Any]) -> tuple[Any, MutableMapping[str, Any]]:
        kwargs["extra"] = {**(self.extra or {}), **kwargs.get("extra", {})}
        return msg, kwargs


class LineFormatter(logging.Formatter):
    """`2026-01-31 12:00:00 INFO  [Ab3dEf7h ply 12] text`; under journald the priority instead of the time."""

    def __init__(self, *, journal: bool, secrets: tuple[str, ...] = ()) -> None:
        super().__init__()
        self._journal = journal
        self._secrets = tuple(secret for secret in secrets if secret)

    def format(self, record: logging.LogRecord) -> str:
        # What a stranger wrote must neither begin a line of its own nor reach the terminal as a command.
        text = printable(record.getMessage())
        game, ply = getattr(record, "game", None), getattr(record, "ply", None)
        if game is not None:
            text = f"[{game}] {text}" if ply is None else f"[{game} ply {ply}] {text}"
        if record.exc_info:
            text += "\n" + self.formatException(record.exc_info)
        for secret in self._secrets:
            text = text.replace(secret, "***")
        if self._journal:
            prefix = f"<{PRIORITIES.get(record.levelno, 6)}>"
            return "\n".join(prefix + line for line in text.splitlines())
        when = datetime.fromtimestamp(record.created, UTC).astimezone()
        return f"{when:%Y-%m-%d %H:%M:%S} {record.levelname:<7} {text}"


def configure(
    level: str,
    *,
    secrets: tuple[str, ...] = (),
    stream: TextIO | None = None,
    env: Mapping[str, str] | None = None,
) -> None:
    """Send everything of `bot` at `level` or above to `stream` (stderr). Other libraries: warnings only.

    No line ever contains one of `secrets`.
    """
    environment = os.environ if env is None else env
    handler = PatientHandler(stream or sys.stderr)
    handler.setFormatter(LineFormatter(journal="JOURNAL_STREAM" in environment, secrets=secrets))
    root = logging.getLogger()
    root.handlers[:] = [handler]
    root.setLevel(logging.WARNING)
    logging.getLogger("urllib3").setLevel(logging.ERROR)  # its troubles are told in our own words
    logging.getLogger("bot").setLevel(level.upper())
