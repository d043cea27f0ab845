"""The log's own thread: nobody who logs ever waits for whoever reads."""

from __future__ import annotations

import io
import logging
import os
import re
import threading

from bot.record.patient_handler import MOST_WAITING, PatientHandler
from tests.hosting import wait_until


def logger_to(handler: logging.Handler) -> logging.Logger:
    logger = logging.Logger("of this test")  # known to nobody else
    logger.addHandler(handler)
    return logger


def test_lines_come_out_in_order() -> None:
    out = io.StringIO()
    handler = PatientHandler(out)
    logger = logger_to(handler)
    for number in range(500):
        logger.info("line %d", number)
    handler.flush()
    assert out.getvalue().splitlines() == [f"line {number}" for number in range(500)]


def test_a_reader_who_does_not_read_holds_nobody_up_and_hears_how_much_was_lost() -> None:
    """The output was halted: Ctrl-S, a paused pager, a stuck tee."""
    reader, writer = os.pipe()
    lines: list[str] = []
    with os.fdopen(reader) as source, os.fdopen(writer, "w") as out:
        logger = logger_to(PatientHandler(out))
        for number in range(2 * MOST_WAITING):  # far more than a pipe holds; would block for ever
            logger.info("line %05d %s", number, "x" * 100)
        threading.Thread(target=lambda: lines.extend(source), daemon=True).start()
        wait_until(lambda: len(lines) >= MOST_WAITING, "what had waited")
        logger.info("the last")
        wait_until(lambda: bool(lines) and lines[-1] == "the last\n", "the last line")
        expected = 0  # a slow machine's pipe may fill in steps: then there is more than one gap
        for line in lines[:-1]:
            if missing := re.match(r"\((\d+) lines are missing here", line):
                expected += int(missing[1])
            else:
                assert int(line[5:10]) == expected
                expected += 1
        assert expected == 2 * MOST_WAITING
        assert any("lines are missing here" in line for line in lines)
        out.flush()
        os.dup2(os.open(os.devnull, os.O_WRONLY), writer)  # the reader hears the end


def test_a_line_that_cannot_be_written_is_no_end() -> None:
    reader, writer = os.pipe()
    os.close(reader)  # whoever read has gone: each write is an EPIPE
    with os.fdopen(writer, "w") as out:
        handler = PatientHandler(out)
        logger = logger_to(handler)
        logger.info("one")
        logger.info("two")
        handler.flush()
        assert handler._unwritten == 0
