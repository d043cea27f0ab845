"""Where compiled code is kept, and what is removed."""

from __future__ import annotations

import logging
import os
from importlib import metadata
from pathlib import Path

import pytest

from bot.engine import cache

HOUR_S = 3600.0


def test_every_change_of_a_source_makes_another_generation(tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text("A = 1\n")
    (tmp_path / "b.py").write_text("B = 1\n")
    first = cache.generation(tmp_path)
    assert cache.generation(tmp_path) == first
    (tmp_path / "b.py").write_text("B = 2\n")
    assert cache.generation(tmp_path) != first
    (tmp_path / "b.py").write_text("B = 1\n")
    assert cache.generation(tmp_path) == first
    (tmp_path / "b.py").rename(tmp_path / "c.py")
    assert cache.generation(tmp_path) != first


def test_two_checkouts_of_the_same_sources_do_not_take_each_others_code_for_theirs(tmp_path: Path) -> None:
    """The second one was told that its code cannot be kept: everything was sealed, and nothing was there."""
    for name in ("one", "other"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "a.py").write_text("A = 1\n")
    assert cache.generation(tmp_path / "one") != cache.generation(tmp_path / "other")


@pytest.mark.parametrize(
    ("environ", "expected"),
    [
        ({"NUMBA_CACHE_DIR": "/n", "CACHE_DIRECTORY": "/s", "HOME": "/h"}, "/n"),
        ({"CACHE_DIRECTORY": "/s:/t", "XDG_CACHE_HOME": "/x", "HOME": "/h"}, "/s"),
        ({"XDG_CACHE_HOME": "/x", "HOME": "/h"}, "/x"),
        ({"XDG_CACHE_HOME": "relative", "HOME": "/h"}, "/h/.cache"),
        ({"HOME": "/h"}, "/h/.cache"),
    ],
)
def test_whose_directory_it_is(environ: dict[str, str], expected: str) -> None:
    assert cache.base(environ) == Path(expected)


def test_a_child_uses_what_its_parent_chose(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path))
    chosen = cache.prepare()
    assert chosen == tmp_path / "knightshift" / cache.generation()
    assert os.environ["NUMBA_CACHE_DIR"] == str(chosen)
    assert cache.prepare() == chosen


def test_where_nothing_can_be_written_it_is_temporary_and_that_is_said(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    file = tmp_path / "file"
    file.write_text("not a directory")
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(file))
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    with caplog.at_level(logging.WARNING):
        chosen = cache.prepare()
    assert chosen.parent.parent == tmp_path
    assert chosen.is_dir()
    assert f"the engine's code cannot be kept in {file}" in caplog.text


def test_old_generations_are_removed_but_not_what_may_be_in_use(tmp_path: Path) -> None:
    now = 1_000_000.0
    for name, used in (("current", 0), ("a", 1), ("b", 2), ("old", 50 * HOUR_S), ("older", 60 * HOUR_S)):
        (tmp_path / name).mkdir()
        os.utime(tmp_path / name, (now - used, now - used))
    removed = cache.prune(tmp_path / "current", now=now)
    assert {path.name for path in removed} == {"old", "older"}
    assert {path.name for path in tmp_path.iterdir()} == {"current", "a", "b"}


def test_a_user_without_a_home_gets_a_temporary_directory_and_a_warning(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    """In a container HOME may be unset and the user in no list: the service ended with a RuntimeError."""

    def unknown(uid: int) -> None:
        raise KeyError(f"getpwuid(): uid not found: {uid}")

    for name in ("NUMBA_CACHE_DIR", "CACHE_DIRECTORY", "XDG_CACHE_HOME", "HOME"):
        monkeypatch.setenv(name, "")  # for what is set meanwhile to be taken back
        monkeypatch.delenv(name)
    monkeypatch.setattr("pwd.getpwuid", unknown)
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    assert cache.base(os.environ) is None
    with caplog.at_level(logging.WARNING):
        chosen = cache.prepare()
    assert chosen.parent.parent == tmp_path
    assert chosen.is_dir()
    assert "the engine's code cannot be kept anywhere (the user has no home" in caplog.text
    assert cache.prepare() == chosen


@pytest.mark.parametrize("package", ["numba", "llvmlite", "numpy"])
def test_another_version_of_what_compiles_makes_another_generation(
    monkeypatch: pytest.MonkeyPatch, package: str
) -> None:
    """A newer numpy, which numba did not load with, found the code whole: the engine was said to be ready."""
    first, version = cache.generation(), metadata.version
    monkeypatch.setattr(metadata, "version", lambda name: "99" if name == package else version(name))
    assert cache.generation() != first
