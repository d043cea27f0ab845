"""A table takes its memory when it is made, and no more than there is."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest

from bot.engine import memory, table
from bot.engine.searcher import Searcher

MIB = 1 << 20


def test_it_is_a_part_of_what_the_machine_has() -> None:
    assert 1 <= memory.most_mib() < os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE") // MIB


@pytest.mark.parametrize(("limit", "mib"), [(9 * MIB, 4), (MIB, 1), ("max", None)])
def test_a_container_may_have_less(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, limit: int | str, mib: int | None
) -> None:
    """A Hash of 65536 MiB was taken at its word, on whatever machine."""
    file = tmp_path / "memory.max"
    file.write_text(f"{limit}\n")
    monkeypatch.setattr(memory, "_LIMITS", (str(file), str(tmp_path / "none")))
    if mib is None:
        assert memory.most_mib() > 4
    else:
        assert memory.most_mib() == mib
        assert table.new_table(1024).nbytes == mib * MIB


def _resident_bytes() -> int:
    return int(Path("/proc/self/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")


@pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")
def test_its_memory_is_there_before_the_search() -> None:
    """The first search of a game touched it page by page, and took a second more than it had."""
    before = _resident_bytes()
    searcher = Searcher(hash_mib=64)
    assert _resident_bytes() - before > 60 * MIB
    searcher.clear()
    assert _resident_bytes() - before > 60 * MIB
