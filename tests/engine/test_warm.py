"""Compiling ahead: what is there is proved, what is broken is mended, and who lacks numba is told."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from bot.engine import seal
from bot.engine.load_all import function_count

ROOT = Path(__file__).parents[2]
#: Evaluates a position in a process of its own.
USE = """
import chess
from bot.engine import evaluate, position, state
S = state.new_state()
position.load(S, chess.Board("4k3/8/8/8/8/8/8/3QK3 w - - 0 1"))
print(evaluate.evaluate(S))
"""
STATE = "from bot.engine.warm import readiness; import sys; print(readiness(), 'numba' in sys.modules)"


@pytest.fixture
def cache(warm_directory: Path, tmp_path: Path) -> Path:
    """A copy of the compiled code, for a user of its own; the directory of its generation."""
    return shutil.copytree(warm_directory, tmp_path / "knightshift" / warm_directory.name)


def run(cache: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, *arguments],
        env={**os.environ, "NUMBA_CACHE_DIR": str(cache.parent.parent)},
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )


def readiness(cache: Path) -> str:
    answer, imported = run(cache, "-c", STATE).stdout.split()
    assert imported == "False", "asking must not cost the import of numba"
    return answer


@pytest.mark.timeout(300)
def test_what_is_warm_is_proved_and_left_alone(cache: Path) -> None:
    before = {path: path.stat().st_mtime_ns for path in cache.rglob("*.nb?")}
    assert readiness(cache) == "ready"
    answer = run(cache, "-m", "bot", "warm")
    assert answer.returncode == 0, answer.stderr
    assert f"All {function_count()} functions were compiled already; a new process loads" in answer.stdout
    assert {path: path.stat().st_mtime_ns for path in cache.rglob("*.nb?")} == before


@pytest.mark.timeout(300)
def test_damaged_code_mends_itself(cache: Path) -> None:
    wanted = run(cache, "-c", USE)
    assert wanted.returncode == 0, wanted.stderr
    for pattern, content in (("pair.upper-*.nbi", b"rubbish"), ("bits.files-*.nbc", b"")):
        (file,) = cache.rglob(pattern)
        file.write_bytes(content)
    assert readiness(cache) == "cold"
    answer = run(cache, "-c", USE)
    assert answer.stdout == wanted.stdout, answer.stderr
    assert run(cache, "-m", "bot", "warm", "--quiet").stdout == ""
    assert readiness(cache) == "ready"


@pytest.mark.timeout(300)
def test_from_nothing_with_the_leavings_of_a_crash(cache: Path) -> None:
    (index,) = cache.rglob("pair.upper-*.nbi")
    for path in cache.rglob("*.*"):
        path.unlink()
    index.write_bytes(b"rubbish")
    assert readiness(cache) == "cold"
    answer = run(cache, "-m", "bot", "warm")
    assert answer.returncode == 0, answer.stderr
    before, after = answer.stdout.splitlines()
    assert before.startswith(f"Compiling the engine, {function_count()} functions")
    assert after.startswith(f"Compiled {function_count()} functions in ")
    assert seal.examine(cache) == "whole"


def test_without_numba_that_is_said(cache: Path) -> None:
    hidden = "import sys; sys.modules['numba'] = None; sys.argv = ['knightshift', 'warm']; "
    answer = run(cache, "-c", f"{hidden} from bot.cli import main; main()")
    assert answer.returncode == 1
    assert "numba is not installed" in answer.stdout
    asked = run(cache, "-c", f"{hidden} from bot.engine.warm import readiness; print(readiness())")
    assert asked.stdout == "missing\n", asked.stderr


def test_where_nothing_can_be_written_a_temporary_directory_serves(cache: Path, tmp_path: Path) -> None:
    blocked = tmp_path / "file"
    blocked.write_text("not a directory")
    probe = (
        "from bot.engine.cache import prepare, generation\n"
        "first, second = prepare(), prepare()\n"
        "print(first == second, first.name == generation(), first)"
    )
    answer = run(blocked / "x" / "y", "-c", probe)
    same, named, where = answer.stdout.split()
    assert (same, named) == ("True", "True"), answer.stderr
    shutil.rmtree(Path(where).parent)
