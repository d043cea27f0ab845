"""Which code a game was played by."""

from __future__ import annotations

import sys
from collections.abc import Iterable
from pathlib import Path

import pytest

from bot.lab import fingerprint
from bot.lab.fingerprint import code_hash, own_files, player_hash
from bot.strategies.contract import StrategySpec


def test_the_code_is_hashed_the_same_again_and_everything_named_is_there() -> None:
    assert code_hash() == code_hash()
    package = Path(fingerprint.__file__).parents[1]
    for place in (
        "strategies/child.py",
        "evaluation/pawns.py",
        "search/plain.py",
        "lab/referee.py",
        "position.py",
        "engine/networks/default.npz",
    ):
        assert any(
            path == package / place for pattern in fingerprint._MATTERS for path in package.glob(pattern)
        )


def test_a_file_that_matters_changes_the_hash(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(fingerprint, "_PACKAGE", tmp_path)
    (tmp_path / "strategies").mkdir()
    (tmp_path / "strategies" / "a.py").write_text("1")
    before = code_hash()
    (tmp_path / "cli.py").write_text("does not matter")
    assert code_hash() == before
    (tmp_path / "strategies" / "a.py").write_text("2")
    assert code_hash() != before


@pytest.mark.parametrize(
    ("name", "file"),
    [("mine:play", "mine.py"), ("pack.inner:play", "pack/inner.py"), ("pack:play", "pack/__init__.py")],
)
def test_a_module_of_ones_own_is_hashed_where_it_is_found(tmp_path: Path, name: str, file: str) -> None:
    path = tmp_path / file
    path.parent.mkdir(exist_ok=True)
    spec = StrategySpec(name, search_path=(str(tmp_path),))
    assert player_hash(spec) is None
    path.write_text("1")
    before = player_hash(spec)
    path.write_text("2")
    assert before is not None
    assert player_hash(spec) not in (None, before)


def test_what_ships_with_the_project_needs_no_hash_of_its_own() -> None:
    assert player_hash(StrategySpec("classical")) is None


def test_another_network_in_the_same_file_was_the_same_player(tmp_path: Path) -> None:
    file = tmp_path / "mine.npz"
    spec = StrategySpec("compiled", (("network", str(file)),))
    assert player_hash(spec) is None  # there is none yet
    file.write_bytes(b"1")
    before = player_hash(spec)
    file.write_bytes(b"2")
    assert before != player_hash(spec)


def test_an_engine_is_its_program_and_the_files_it_is_given(tmp_path: Path) -> None:
    script = tmp_path / "engine.py"
    script.write_text("1")
    spec = StrategySpec("uci", (("command", f"{sys.executable} {script}"),))
    before = player_hash(spec)
    script.write_text("2")
    assert before is not None
    assert player_hash(spec) != before
    assert player_hash(StrategySpec("uci", (("command", "no-such-program"),))) is None


def test_a_file_that_an_option_of_an_engine_names_is_its_own(tmp_path: Path) -> None:
    """But a log is not: the engine writes it."""
    weights, log = tmp_path / "mine.nnue", tmp_path / "engine.log"
    options = (("command", sys.executable), ("EvalFile", str(weights)), ("Debug Log File", str(log)))
    spec = StrategySpec("uci", options)
    weights.write_text("1")
    log.write_text("1")
    before = player_hash(spec)
    log.write_text("2")
    assert player_hash(spec) == before
    weights.write_text("2")
    assert player_hash(spec) != before
    assert own_files(spec).endswith(str(weights))


def test_a_large_file_is_not_read_for_each_pair(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(fingerprint, "REMEMBERED_BYTES", 3)
    read: list[Path] = []
    hash_of = fingerprint._hash_of

    def counted(files: Iterable[Path]) -> str:
        read.extend(files := list(files))
        return hash_of(files)

    monkeypatch.setattr(fingerprint, "_hash_of", counted)
    file = tmp_path / "mine.py"
    spec = StrategySpec(str(file))
    file.write_text("long")
    found = [player_hash(spec) for _ in range(3)]
    assert (len(set(found)), len(read)) == (1, 1)
    other = tmp_path / "other.py"
    other.write_text("gone")
    other.replace(file)  # of the same size, and perhaps in the same moment
    assert player_hash(spec) != found[0]
    assert len(read) == 2
