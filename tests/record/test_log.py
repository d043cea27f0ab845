"""One line a fact, with its game and ply, and never the token."""

from __future__ import annotations

import io
import logging
from collections.abc import Iterator

import pytest

from bot.record.log import GameLog, configure


@pytest.fixture(autouse=True)
def _leave_logging_as_it_was() -> Iterator[None]:
    root, bot = logging.getLogger(), logging.getLogger("bot")
    before = root.handlers[:], root.level, bot.level
    yield
    root.handlers[:] = before[0]
    root.setLevel(before[1])
    bot.setLevel(before[2])


def written(out: io.StringIO) -> str:
    """All that was logged."""
    for handler in logging.getLogger().handlers:
        handler.flush()
    return out.getvalue()


def test_a_line_names_its_game_and_ply() -> None:
    out = io.StringIO()
    configure("info", stream=out, env={})
    GameLog(logging.getLogger("bot.test"), "Ab3dEf7h").warning("late", extra={"ply": 12})
    when, rest = written(out)[:19], written(out)[19:]
    assert when[4] == "-"
    assert rest == " WARNING [Ab3dEf7h ply 12] late\n"


def test_under_journald_every_line_has_its_priority_and_no_time() -> None:
    out = io.StringIO()
    configure("info", stream=out, env={"JOURNAL_STREAM": "8:1"})
    try:
        raise ValueError("a cause")
    except ValueError:
        logging.getLogger("bot.test").exception("with its cause")
    first, *traceback = written(out).splitlines()
    assert first == "<3>with its cause"
    assert traceback
    assert all(line.startswith("<3>") for line in traceback)


def test_what_a_stranger_wrote_forges_no_line_and_commands_no_terminal() -> None:
    out = io.StringIO()
    configure("info", stream=out, env={"JOURNAL_STREAM": "8:1"})
    logging.getLogger("bot.test").info("chat: %s", "hello\n<3>the bot is on fire\x1b[2J\r")
    assert written(out) == "<6>chat: hello\\n<3>the bot is on fire\\x1b[2J\\r\n"


def test_no_line_and_no_traceback_shows_a_secret() -> None:
    out = io.StringIO()
    configure("debug", secrets=("lip_secret",), stream=out, env={})
    try:
        raise ValueError("bad header Bearer lip_secret")
    except ValueError:
        logging.getLogger("bot.test").exception("with %s", "lip_secret")
    assert "lip_secret" not in written(out)
    assert "***" in written(out)
    assert "ValueError" in written(out)


def test_the_level_counts_for_bot_and_others_only_warn() -> None:
    out = io.StringIO()
    configure("debug", stream=out, env={})
    logging.getLogger("bot.test").debug("ours")
    logging.getLogger("urllib3").info("theirs")
    assert "ours" in written(out)
    assert "theirs" not in written(out)
