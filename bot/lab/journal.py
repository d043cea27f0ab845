"""The journal of a run: its only state. JSON lines: a header, then one line for each finished pair.

A line is written whole and is on the disk before its pair counts. What a power loss takes away can only be
the end of the last line; such a line is dropped, and its pair played again. Anything else that is not as it
was written is an error which names the line.
"""

from __future__ import annotations

import json
import os
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import IO

from bot.errors import UserError
from bot.lab.files import storing, sync_folder, write_behind
from bot.lab.json_fields import line_content
from bot.lab.records import PairRecord, RunHeader

if sys.platform != "win32":
    import fcntl

#: The name of the journal in the folder of a run.
FILE_NAME = "journal.jsonl"
SAFE = "the {} pairs that it holds are safe, and then the same command plays the others"


class JournalError(UserError):
    """A journal that cannot be gone on with, or read; the message names the file and the line."""


@dataclass(frozen=True, slots=True)
class Contents:
    """What a journal holds; `size` in bytes, without a torn line at the end."""

    header: RunHeader
    records: tuple[PairRecord, ...]
    size: int

    @property
    def in_schedule_order(self) -> tuple[PairRecord, ...]:
        return tuple(sorted(self.records, key=lambda record: record.spec.index))


class Journal:
    """An open journal; `records` are those that it held when it was opened, in the order of their lines.

    Made by `open_or_resume`. One process at a time has it open.
    """

    def __init__(self, path: Path, file: IO[bytes], records: tuple[PairRecord, ...], size: int) -> None:
        self.records = records
        self._path = path
        self._file = file
        self._size = size
        self._known = {record.spec.pair_id for record in records}

    def append(self, record: PairRecord) -> bool:
        """Write `record`, and return when it is on the disk; False, and nothing, where its pair is there.

        Raises StorageError when it cannot be written; then the journal is as before.
        """
        if record.spec.pair_id in self._known:
            return False
        with storing(self._path, SAFE.format(len(self._known))):
            self._size += _write(self._file, self._size, {"pair": record.to_json()})
        self._known.add(record.spec.pair_id)
        return True

    def close(self) -> None:
        self._file.close()


def open_or_resume(path: Path, header: RunHeader) -> Journal:
    """Begin a journal at `path`, or go on with the one that is there if it is of the same run.

    Raises JournalError for one of another run, one that another process has open, and a damaged one;
    StorageError where none can be written.
    """
    with storing(path):
        return _open_or_resume(path, header)


def _open_or_resume(path: Path, header: RunHeader) -> Journal:
    path.parent.mkdir(parents=True, exist_ok=True)
    file = path.open("a+b", buffering=0)
    try:
        _lock(file, path)
        found = _read(file, path)
        if found is None:
            os.truncate(path, 0)
            size = _write(file, 0, {"header": header.to_json()})
            sync_folder(path.parent)
            return Journal(path, file, (), size)
        _must_be_same(path, found.header, header)
        os.truncate(path, found.size)
    except BaseException:
        file.close()
        raise
    return Journal(path, file, found.records, found.size)


def read_journal(path: Path) -> Contents:
    """The contents of a journal, which may be in use. Raises JournalError."""
    try:
        with path.open("rb") as file:
            found = _read(file, path)
    except OSError as error:
        raise JournalError(f"journal {path}: cannot be read: {error.strerror}") from error
    if found is None:
        raise JournalError(f"journal {path}: it is empty")
    return found


def derived(folder: Path) -> str:
    """What is true where a file that is made of the journal in `folder` cannot be written."""
    report = f"`knightshift lab report {folder}`"
    return f"all finished pairs are in {folder / FILE_NAME}, and {report} makes it again"


def _read(file: IO[bytes], path: Path) -> Contents | None:
    """None where not even the header is whole."""
    file.seek(0)
    *lines, torn = file.read().split(b"\n")
    if not lines:
        if torn and not _may_be_torn_header(torn):
            raise JournalError(f"journal {path}:1: this is no journal")
        return None
    header: RunHeader | None = None
    records: list[PairRecord] = []
    line_of: dict[str, int] = {}
    for number, line in enumerate(lines, start=1):
        try:
            if header is None:
                header = RunHeader.from_json(line_content(line, "header"))
                continue
            record = PairRecord.from_json(line_content(line, "pair"))
        except ValueError as error:
            raise JournalError(f"journal {path}:{number}: {error}") from error
        before = line_of.setdefault(record.spec.pair_id, number)
        if before != number:
            raise JournalError(
                f"journal {path}:{number}: pair {record.spec.pair_id} is in line {before} already"
            )
        records.append(record)
    if header is None:
        return None
    return Contents(header, tuple(records), sum(len(line) + 1 for line in lines))


def _may_be_torn_header(line: bytes) -> bool:
    begin = b'{"header":'
    return begin.startswith(line[: len(begin)]) or not line.strip(b"\0")


def _must_be_same(path: Path, there: RunHeader, here: RunHeader) -> None:
    before, now = there.identity, here.identity
    different = [
        f"{name} is {before[name]} there and {now[name]} here" for name in now if before[name] != now[name]
    ]
    if different:
        raise JournalError(
            f"{path} holds another run: {'; '.join(different)}. Choose another folder, or move that one away."
        )


def _write(file: IO[bytes], size: int, value: dict[str, object]) -> int:
    """Append one line to a file of `size` bytes; returns its length when it is on the disk."""
    data = json.dumps(value, separators=(",", ":"), ensure_ascii=False, allow_nan=False).encode() + b"\n"
    write_behind(file.fileno(), size, data)
    return len(data)


def _lock(file: IO[bytes], path: Path) -> None:
    if sys.platform != "win32":
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise JournalError(f"{path} is in use by another process") from None
