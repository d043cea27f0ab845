"""A journal as a report or an audit needs it: whatever wrote it, its pairs are of its header's players, and
its openings are positions."""

from __future__ import annotations

from pathlib import Path

import chess

from bot.lab.journal import Contents, JournalError, read_journal


def read_run(path: Path) -> Contents:
    """The contents of the journal at `path`. Raises JournalError, with the line, for what no run has."""
    contents = read_journal(path)
    players = set(contents.header.players)
    for number, record in enumerate(contents.records, start=2):
        spec = record.spec
        strangers = {spec.first, spec.second} - players
        if strangers or spec.first == spec.second:
            raise JournalError(
                f"journal {path}:{number}: a pair of {spec.first} and {spec.second}; the players of the run "
                f"are {', '.join(contents.header.players)}"
            )
        strange = next((m.uci for game in record.games for m in game.moves if not m.uci.isascii()), None)
        if strange is not None:
            raise JournalError(f"journal {path}:{number}: {strange!r} is no move")
        try:
            chess.Board(spec.opening.fen)
        except ValueError as error:
            raise JournalError(
                f"journal {path}:{number}: spec.opening.fen {spec.opening.fen[:80]!r} is no position: {error}"
            ) from error
    return contents
