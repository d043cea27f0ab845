"""A seal shows every change to what it was put on."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from bot.engine import seal


@pytest.fixture
def sealed(tmp_path: Path) -> Path:
    folder = tmp_path / "engine_0123"
    folder.mkdir()
    for name in ("a-1.py311.nbi", "a-1.py311.1.nbc", "b-9.py311.nbi", "b-9.py311.1.nbc"):
        (folder / name).write_bytes(name.encode() * 100)
    seal.seal(tmp_path)
    return tmp_path


def files(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.rglob("*.nb?"))


def test_what_was_not_touched_is_whole(sealed: Path) -> None:
    assert seal.examine(sealed) == "whole"
    (sealed / "engine_0123" / "a-1.py311.nbi.tmp.77").write_bytes(b"numba is writing")
    assert seal.examine(sealed) == "whole"


def test_without_a_seal_nothing_is_said(tmp_path: Path) -> None:
    assert seal.examine(tmp_path) == "unsealed"
    assert seal.examine(tmp_path / "nowhere") == "unsealed"


@pytest.mark.parametrize(
    "damage",
    [
        lambda file: file.write_bytes(file.read_bytes()[:-1]),
        lambda file: file.write_bytes(b"x" + file.read_bytes()[1:]),
        lambda file: file.write_bytes(b""),
        lambda file: file.unlink(),
    ],
    ids=["cut short", "one byte", "empty", "gone"],
)
def test_a_changed_file_is_seen_and_only_it_is_removed(
    sealed: Path, damage: Callable[[Path], object]
) -> None:
    damage(sealed / "engine_0123" / "a-1.py311.1.nbc")
    assert seal.examine(sealed) == "damaged"
    seal.mend(sealed)
    assert files(sealed) == ["a-1.py311.nbi", "b-9.py311.1.nbc", "b-9.py311.nbi"]
    assert seal.examine(sealed) == "unsealed"


@pytest.mark.parametrize("text", ["", "{", "[]", "{}", '{"files": 3, "processor": ""}', "\x00\xff"])
def test_under_a_seal_that_cannot_be_read_nothing_is_believed(sealed: Path, text: str) -> None:
    (sealed / seal.NAME).write_text(text, encoding="latin-1")
    assert seal.examine(sealed) == "damaged"
    seal.mend(sealed)
    assert files(sealed) == []


def test_code_for_another_processor_is_not_damaged(sealed: Path) -> None:
    written = json.loads((sealed / seal.NAME).read_text())
    written["processor"] = "z80"
    (sealed / seal.NAME).write_text(json.dumps(written))
    assert seal.examine(sealed) == "foreign"
