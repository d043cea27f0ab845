"""What is done about the engine: nothing where it is not played, else it is preloaded or compiled."""

from __future__ import annotations

import io
import json
import re
import shutil
import subprocess
import sys
import threading
from pathlib import Path

import pytest
from rich.console import Console

from bot.engine import seal
from bot.engine.warm import readiness, warm
from bot.lab.strays import children
from bot.strategies.contract import StrategySpec
from bot.timing.clock import SystemClock
from bot.warming import ENGINE, meanwhile, warm_for, warming

ROOT = Path(__file__).parent.parent
CLOCK = SystemClock()

#: A bot in small: a process server that has the engine loaded, and a child forked from it.
MAIN = """
import json, sys
from bot.nursery import Nursery
from bot.strategies.contract import StrategySpec
from bot.strategies.turn_tools import facts_from_fen
from bot.thinker import Thinker
from bot.warming import warming

def main():
    with warming(["compiled"]) as preload:
        nursery = Nursery(preload=preload)
        nursery.warm()
        with Thinker(StrategySpec("random"), nursery) as thinker:
            thinker.load()  # the server's imports are over
        with Thinker(StrategySpec("compiled", (("nodes", 500),)), nursery) as thinker:
            load_ms = thinker.load()
            move = thinker.play(facts_from_fen("startpos")).move
        nursery.close()
    print(json.dumps({"preload": preload, "load_ms": load_ms, "move": move, "numba": "numba" in sys.modules}))

if __name__ == "__main__":
    main()
"""


@pytest.fixture
def ready(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The directory of the compiled engine, a copy of its own."""
    shared = warm(CLOCK, tell=lambda _: None, wait=lambda: None).directory
    own = shutil.copytree(shared, tmp_path / "knightshift" / shared.name)
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path))
    return own


def test_who_does_not_play_it_pays_nothing() -> None:
    with warming({"classical", "select_move"}) as preload:
        assert preload == ()


@pytest.mark.timeout(300)
def test_what_is_compiled_is_preloaded(ready: Path) -> None:
    with warming({"compiled", "classical"}) as preload:
        assert preload == (ENGINE,)


@pytest.mark.timeout(300)
def test_what_is_not_is_being_compiled_within_and_not_after(ready: Path) -> None:
    (ready / seal.NAME).unlink()
    assert readiness() == "cold"
    with warming({"compiled"}) as preload:
        assert preload == ()
    assert readiness() == "cold", "the service ended before it was done"


@pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")
@pytest.mark.timeout(300)
def test_the_compiler_does_not_stay_a_zombie(ready: Path) -> None:
    """It ended after half a minute, and nobody asked how until the service ended, weeks later."""
    (ready / seal.NAME).unlink()
    before = children()
    deadline = CLOCK.monotonic() + 120
    with warming({"compiled"}):
        assert children() - before
        while children() - before:
            assert CLOCK.monotonic() < deadline
            threading.Event().wait(0.05)
        assert readiness() == "ready"


@pytest.mark.timeout(300)
def test_a_compiler_that_fails_is_told_of(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    (tmp_path / "numba").mkdir()
    (tmp_path / "numba" / "__init__.py").write_text("raise ImportError('Numba needs NumPy 2.4 or less')\n")
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path / "cache"))
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    deadline = CLOCK.monotonic() + 120
    with warming({"compiled"}) as preload:
        assert preload == ()
        while "the engine could not be compiled" not in caplog.text:
            assert CLOCK.monotonic() < deadline
            threading.Event().wait(0.05)


@pytest.mark.timeout(300)
def test_a_command_waits_for_it_and_says_so(ready: Path) -> None:
    (ready / seal.NAME).unlink()
    out = io.StringIO()
    warm_for({"classical"}, Console(file=out), CLOCK)
    assert out.getvalue() == ""
    warm_for({"compiled"}, Console(file=out), CLOCK)
    assert "Compiling the engine" in out.getvalue()
    assert readiness() == "ready"


def test_a_service_plays_on_meanwhile_unless_told_not_to() -> None:
    plain = StrategySpec("compiled", (("hash", 8),))
    assert meanwhile(plain).options == (("hash", 8), ("meanwhile", True))
    told = StrategySpec("compiled", (("meanwhile", False),))
    assert meanwhile(told) == told
    assert meanwhile(StrategySpec("classical")) == StrategySpec("classical")


@pytest.mark.timeout(300)
def test_a_child_has_the_engine_from_the_process_server(ready: Path, tmp_path: Path) -> None:
    script = tmp_path / "main.py"
    script.write_text(MAIN)
    ran = subprocess.run(
        [sys.executable, str(script)],
        env={"PYTHONPATH": str(ROOT), "NUMBA_CACHE_DIR": str(tmp_path), "PATH": ""},
        capture_output=True,
        text=True,
        check=False,
    )
    assert ran.returncode == 0, ran.stderr
    told = json.loads(ran.stdout)
    assert told["preload"] == [ENGINE]
    assert told["numba"] is False, "the main process stays small"
    assert told["move"]


@pytest.mark.timeout(300)
def test_check_tells_how_it_stands(ready: Path, tmp_path: Path) -> None:
    config = tmp_path / "config.yml"
    config.write_text("strategy: compiled\nfallback: classical:nodes=10\n")

    def checked() -> str:
        ran = subprocess.run(
            [sys.executable, "-m", "bot", "check", "--offline", "--config", str(config)],
            cwd=ROOT,
            capture_output=True,
            text=True,
            check=False,
        )
        assert ran.returncode == 0, ran.stdout + ran.stderr
        return ran.stdout

    assert re.search(r"✓ engine +compiled", checked())
    (ready / seal.NAME).unlink()
    assert re.search(r"✗ engine +not compiled yet.*\n +→ knightshift warm compiles it ahead", checked())
