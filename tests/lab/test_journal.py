"""The journal: what it survives, and what it names."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import replace
from pathlib import Path

import pytest

from bot.lab.journal import Journal, JournalError, open_or_resume, read_journal
from tests.lab.kit import a_header, a_pair, a_spec

PAIRS = [a_pair(a_spec(index), "1-0", "0-1") for index in range(3)]


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """A finished journal of three pairs."""
    path = tmp_path / "run" / "journal.jsonl"
    with opened(path) as journal:
        for pair in PAIRS:
            assert journal.append(pair)
    return path


@contextmanager
def opened(path: Path) -> Iterator[Journal]:
    with closing(open_or_resume(path, a_header())) as journal:
        yield journal


def test_what_was_written_is_there_again(path: Path) -> None:
    found = read_journal(path)
    assert found.header == a_header()
    assert list(found.records) == PAIRS
    assert found.size == path.stat().st_size
    with opened(path) as journal:
        assert list(journal.records) == PAIRS


def test_each_line_is_one_object_with_one_key(path: Path) -> None:
    keys = [list(json.loads(line)) for line in path.read_text().splitlines()]
    assert keys == [["header"], ["pair"], ["pair"], ["pair"]]


def test_a_pair_is_on_the_disk_when_append_returns(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    synced: list[int] = []
    monkeypatch.setattr(os, "fsync", lambda fd: synced.append(os.fstat(fd).st_size))
    with opened(path) as journal:
        journal.append(a_pair(a_spec(3)))
    assert synced == [path.stat().st_size]


def test_no_pair_is_written_twice(path: Path) -> None:
    before = path.read_bytes()
    with opened(path) as journal:
        assert not journal.append(replace(PAIRS[1], worker="another"))
    assert path.read_bytes() == before


@pytest.mark.parametrize("junk", [b"", b"\0" * 100, b"{"])
def test_a_torn_last_line_is_dropped_wherever_it_was_torn(path: Path, junk: bytes) -> None:
    whole = path.read_bytes()
    third = whole[:-1].rfind(b"\n") + 1
    for cut in range(third, len(whole), 37):
        path.write_bytes(whole[:cut] + junk)
        assert list(read_journal(path).records) == PAIRS[:2]
        with opened(path) as journal:
            assert list(journal.records) == PAIRS[:2]
            assert path.stat().st_size == third
            journal.append(PAIRS[2])
        assert path.read_bytes() == whole


@pytest.mark.parametrize("cut", [0, 1, 11, 100])
def test_a_torn_header_begins_the_run_again(path: Path, cut: int) -> None:
    path.write_bytes(path.read_bytes()[:cut])
    with opened(path) as journal:
        assert journal.records == ()
        journal.append(PAIRS[0])
    assert list(read_journal(path).records) == PAIRS[:1]


@pytest.mark.parametrize(
    ("line", "content", "told"),
    [
        (2, b'{"pair": {"spec', r"journal\.jsonl:2: it is damaged: "),
        (3, b"", r"journal\.jsonl:3: it is damaged: "),
        (3, b"\xff\xfe", r"journal\.jsonl:3: it is damaged: "),
        (3, b'{"header": {}}', r'journal\.jsonl:3: expected {"pair": '),
        (4, b"[]", r"journal\.jsonl:4: expected"),
        (2, b'{"pair": {"spec": 1}}', r"journal\.jsonl:2: spec must be an object, found 1"),
        (1, b'{"header": {"schema": 2}}', r"journal\.jsonl:1: header\.schema is 2; this version reads 1"),
    ],
)
def test_any_other_damage_is_named_by_its_line_and_left_alone(
    path: Path, line: int, content: bytes, told: str
) -> None:
    lines = path.read_bytes().splitlines()
    lines[line - 1] = content
    path.write_bytes(b"\n".join(lines) + b"\n")
    before = path.read_bytes()
    with pytest.raises(JournalError, match=told):
        read_journal(path)
    with pytest.raises(JournalError, match=told):
        open_or_resume(path, a_header())
    assert path.read_bytes() == before


def test_a_pair_that_is_there_twice_is_named(path: Path) -> None:
    lines = path.read_bytes().splitlines(keepends=True)
    path.write_bytes(b"".join([*lines, lines[2]]))
    with pytest.raises(JournalError, match=r"journal\.jsonl:5: pair id1 is in line 3 already"):
        read_journal(path)


def test_another_run_is_refused_and_says_what_differs(path: Path) -> None:
    with pytest.raises(JournalError, match=r"holds another run: .*seed is 1 there and 2 here"):
        open_or_resume(path, a_header(seed=2))
    assert list(read_journal(path).records) == PAIRS


def test_the_same_run_from_another_commit_of_the_same_code_goes_on(path: Path) -> None:
    here = replace(a_header(), commit="def", created="2027-01-01T00:00:00+00:00")
    with closing(open_or_resume(path, here)) as journal:
        assert len(journal.records) == 3
    assert read_journal(path).header == a_header()


def test_a_file_that_is_no_journal_is_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "journal.jsonl"
    path.write_text("my diary")
    with pytest.raises(JournalError, match=r"journal\.jsonl:1: this is no journal"):
        open_or_resume(path, a_header())
    assert path.read_text() == "my diary"


def test_one_process_at_a_time_has_it(path: Path) -> None:
    with opened(path), pytest.raises(JournalError, match="is in use by another process"):
        open_or_resume(path, a_header())
    with opened(path):
        assert len(read_journal(path).records) == 3  # reading is free


def test_what_could_not_be_written_is_not_half_there(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    whole = path.read_bytes()
    write = os.write

    def full_disk(descriptor: int, data: bytes) -> int:
        if len(data) < 100:
            raise OSError(28, "No space left on device")
        return write(descriptor, data[: len(data) // 2])

    with opened(path) as journal:
        monkeypatch.setattr(os, "write", full_disk)
        with pytest.raises(OSError, match="No space left"):
            journal.append(a_pair(a_spec(3)))
        monkeypatch.undo()
        assert path.read_bytes() == whole
        assert journal.append(a_pair(a_spec(3)))
    assert len(read_journal(path).records) == 4


@pytest.mark.parametrize("content", [None, ""])
def test_a_journal_that_is_not_there_cannot_be_read(tmp_path: Path, content: str | None) -> None:
    path = tmp_path / "journal.jsonl"
    if content is not None:
        path.write_text(content)
    with pytest.raises(JournalError, match=r"journal\.jsonl: (cannot be read: No such file|it is empty)"):
        read_journal(path)


def test_schedule_order_is_not_the_order_of_the_lines(tmp_path: Path) -> None:
    path = tmp_path / "journal.jsonl"
    with opened(path) as journal:
        for pair in reversed(PAIRS):
            journal.append(pair)
    assert list(read_journal(path).in_schedule_order) == PAIRS
