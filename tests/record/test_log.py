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


def test_a_line_names_its_game_and_ply() -> None:
    out = io.StringIO()
    configure("info", stream=out, env={})
    GameLog(logging.getLogger("bot.test"), "Ab3dEf7h").warning("late", extra={"ply": 12})
    when, rest = out.getvalue()[:19], out.getvalue()[19:]
    assert when[4] == "-"
    assert rest == " WARNING [Ab3dEf7h ply 12] late\n"


def test_under_journald_every_line_has_its_priority_and_no_time() -> None:
    out = io.StringIO()
    configure("info", stream=out, env={"JOURNAL_STREAM": "8:1"})
    logging.getLogger("bot.test").error("two\nlines")
    assert out.getvalue() == "<3>two\n<3>lines\n"


def test_no_line_and_no_traceback_shows_a_secret() -> None:
    out = io.StringIO()
    configure("debug", secrets=("lip_secret",), stream=out, env={})
    try:
        raise ValueError("bad header Bearer lip_secret")
    except ValueError:
        logging.getLogger("bot.test").exception("with %s", "lip_secret")
    assert "lip_secret" not in out.getvalue()
    assert "***" in out.getvalue()
    assert "ValueError" in out.getvalue()


def test_the_level_counts_for_bot_and_others_only_warn() -> None:
    out = io.StringIO()
    configure("debug", stream=out, env={})
    logging.getLogger("bot.test").debug("ours")
    logging.getLogger("urllib3").info("theirs")
    assert "ours" in out.getvalue()
    assert "theirs" not in out.getvalue()
