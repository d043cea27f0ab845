from __future__ import annotations

from pathlib import Path

import pytest

from bot.errors import UserError
from bot.lab import history
from bot.lab.history import Event, read_history


def test_events_are_read_in_their_order(tmp_path: Path) -> None:
    assert read_history(tmp_path) == ()
    history.note(tmp_path, "begun", 0, "h0", 1_780_000_000)
    history.note(tmp_path, "finished", 8, "h8", 1_780_000_060)

    assert read_history(tmp_path) == (
        Event("2026-05-28T20:26:40+00:00", "begun", 0, "h0"),
        Event("2026-05-28T20:27:40+00:00", "finished", 8, "h8"),
    )


def test_a_torn_line_is_left_out_and_overwritten(tmp_path: Path) -> None:
    history.note(tmp_path, "begun", 0, "h0", 1_780_000_000)
    with (tmp_path / history.FILE_NAME).open("a") as file:
        file.write('{"at": "20')

    assert [event.what for event in read_history(tmp_path)] == ["begun"]
    history.note(tmp_path, "looked at", 1, "h1", 1_780_000_001)
    assert [event.what for event in read_history(tmp_path)] == ["begun", "looked at"]


def test_what_was_made_up_is_named(tmp_path: Path) -> None:
    (tmp_path / history.FILE_NAME).write_text('{"at": "t", "what": "won", "pairs": 1, "journal": "h"}\n')

    with pytest.raises(UserError, match=r"history\.jsonl:1: event\.what must be one of begun"):
        read_history(tmp_path)


@pytest.mark.parametrize("line", [b"\xff\n", b"[" * 100_000 + b"\n", b"\n"])
def test_what_is_no_event_is_named(tmp_path: Path, line: bytes) -> None:
    (tmp_path / history.FILE_NAME).write_bytes(line)

    with pytest.raises(history.HistoryError, match=r"history\.jsonl:1: "):
        read_history(tmp_path)
