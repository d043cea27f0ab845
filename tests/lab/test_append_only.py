from __future__ import annotations

import multiprocessing
from pathlib import Path

import pytest

from bot.lab.append_only import append_line, folder_locked
from bot.lab.files import StorageError, replace_file


def test_a_line_goes_behind_the_whole_lines_that_are_there(tmp_path: Path) -> None:
    path = tmp_path / "file"
    append_line(path, "one")
    with path.open("ab") as file:
        file.write(b"torn")
    append_line(path, "two")

    assert path.read_bytes() == b"one\ntwo\n"


def write_many(path: Path, word: str) -> None:
    for _ in range(50):
        append_line(path, word * 200)


def count_up(path: Path) -> None:
    for _ in range(25):
        with folder_locked(path.parent):
            replace_file(path, [str(int(path.read_text()) + 1)], durable=True)


def test_two_processes_do_not_disturb_each_other(tmp_path: Path) -> None:
    lines, number = tmp_path / "lines", tmp_path / "number"
    number.write_text("0")
    spawn = multiprocessing.get_context("spawn")
    workers = [spawn.Process(target=write_many, args=(lines, word)) for word in "ab"]
    workers += [spawn.Process(target=count_up, args=(number,)) for _ in range(2)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join(60)

    assert [worker.exitcode for worker in workers] == [0] * 4
    assert sorted(lines.read_text().split()) == ["a" * 200] * 50 + ["b" * 200] * 50
    assert number.read_text() == "50"


def test_what_cannot_be_written_is_named(tmp_path: Path) -> None:
    (tmp_path / "folder").mkdir()

    with pytest.raises(StorageError, match="folder cannot be written"):
        append_line(tmp_path / "folder", "one")
    with pytest.raises(StorageError, match="none/file cannot be written"):
        replace_file(tmp_path / "none" / "file", ["one"], durable=True)
