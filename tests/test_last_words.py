"""The end of a stream of bytes is kept in bounded memory and told in one printable line."""

from __future__ import annotations

import signal
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.last_words import MAX_LINE_BYTES, MAX_LINES, SUMMARY_CHARS, StderrTail, describe_exit


def test_lines_come_whole_however_the_bytes_arrive() -> None:
    tail = StderrTail()
    assert tail.hear(b"one\ntw") == ["one"]
    assert tail.hear(b"o\n\n  thr") == ["two"]
    assert tail.lines() == ["one", "two", "thr"]
    assert tail.summary() == "one | two | thr"


def test_only_the_last_lines_are_kept() -> None:
    tail = StderrTail()
    tail.hear(b"".join(b"%d\n" % number for number in range(1000)) + b"end")
    assert tail.lines() == [str(number) for number in range(1001 - MAX_LINES, 1000)] + ["end"]
    assert tail.summary() == "998 | 999 | end"


def test_a_line_without_end_is_cut() -> None:
    tail = StderrTail()
    for _ in range(100):
        assert tail.hear(b"x" * 65536) == []
    assert tail.hear(b"\nnext\n") == ["x" * MAX_LINE_BYTES, "next"]


@given(st.lists(st.binary(max_size=3 * MAX_LINE_BYTES)))
def test_whatever_the_bytes_what_is_kept_is_bounded_and_printable(chunks: list[bytes]) -> None:
    tail = StderrTail()
    for chunk in chunks:
        assert all(line.isprintable() for line in tail.hear(chunk))
    assert len(tail.lines()) <= MAX_LINES
    assert all(len(line) <= 4 * MAX_LINE_BYTES for line in tail.lines())  # a bad byte is shown as \xff
    assert tail.summary().isprintable()
    assert len(tail.summary()) <= SUMMARY_CHARS


def test_a_crash_that_python_reports_is_told_by_its_place() -> None:
    tail = StderrTail()
    tail.hear(
        b"thinking\nFatal Python error: Segmentation fault\n\nCurrent thread 0x1 (most recent call first):\n"
        b'  File "ctypes/__init__.py", line 519 in string_at\n  File "bot.py", line 4 in play\n'
        b'  File "bot.py", line 9 in main\n\nExtension modules: a, b\n'
    )
    assert tail.summary() == (
        'Fatal Python error: Segmentation fault | File "ctypes/__init__.py", line 519 in string_at'
        ' | File "bot.py", line 4 in play'
    )


@pytest.mark.skipif(sys.platform == "win32", reason="POSIX signals")
def test_exit_codes_and_signals_have_names() -> None:
    assert describe_exit(3) == "its process ended with exit code 3"
    assert describe_exit(0, "bye") == "its process ended with exit code 0; last words: bye"
    assert describe_exit(-signal.SIGSEGV) == "its process was killed by signal 11 (SIGSEGV)"
    assert describe_exit(-9) == "its process was killed by signal 9 (SIGKILL), maybe out of memory"
    assert describe_exit(-250) == "its process was killed by signal 250 (unknown)"
