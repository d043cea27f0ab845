"""Children come from one process server, whatever the main script is; nothing outlives the bot."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from multiprocessing.connection import wait
from pathlib import Path
from typing import Any

import pytest

from bot.nursery import Method, Nursery
from bot.strategies.contract import StrategySpec
from bot.strategies.messages import ChildSettings, Chose, Committed, Ready
from tests.e2e.holdings import descendants
from tests.hosting import PATIENCE_S, ROOT, is_running, owner_of, wait_until

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="looks into /proc")

SETTINGS = ChildSettings(StrategySpec("random"))

#: A bot in small: says who runs, then stays until it is killed or its stdin ends.
MAIN = """
import json, os, sys
from multiprocessing import forkserver
from bot.nursery import Nursery
from bot.strategies.messages import Chose, Committed, Ready
from tests.hosting import BAD_FACTS, Owner, misbehaving, overheard
from tests.strategies.misbehaving import HANGING

def main():
    nursery = Nursery()
    nursery.warm()
    idle, stuck = (Owner(misbehaving(name), nursery) for name in ("raises", "hangs_in_c"))
    with overheard() as printed:
        idle.asks(1)
        idle.hears(Ready), idle.hears(Committed)
        chose = idle.hears(Chose)
        stuck.asks(1, BAD_FACTS)
        stuck.hears(Ready)
        printed.wait_for(HANGING)
    print(json.dumps({"move": chose.move, "modules": sorted(sys.modules)}), flush=True)
    sys.stdin.read()
    idle.host.close()
    stuck.host.close()

if __name__ == "__main__":
    main()
"""


@contextmanager
def running_main(
    tmp_path: Path, how: str
) -> Iterator[tuple[subprocess.Popen[str], dict[str, Any], frozenset[int]]]:
    """The small bot, what it has said, and the pids of all processes that it has brought up."""
    if how == "module":
        (tmp_path / "small_bot").mkdir()
        file, arguments = tmp_path / "small_bot" / "__main__.py", ["-m", "small_bot"]
    else:
        file = tmp_path / how
        arguments = [str(file)]
    file.write_text(MAIN)
    process = subprocess.Popen(
        [sys.executable, *arguments],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        env=os.environ | {"PYTHONPATH": f"{ROOT}{os.pathsep}{tmp_path}"},
    )
    assert process.stdin is not None
    assert process.stdout is not None
    with process:
        try:
            said = json.loads(process.stdout.readline())
            yield process, said, descendants(process.pid)
        finally:
            process.kill()


@pytest.mark.parametrize("how", ["module", "some_script.py", "knightshift"])
def test_whatever_the_main_script_is_children_work_and_end_with_it(tmp_path: Path, how: str) -> None:
    with running_main(tmp_path, how) as (process, said, pids):
        assert len(said["move"]) == 4
        assert len(pids) == 4  # two children, the process server, multiprocessing's resource tracker
        process.communicate("", timeout=PATIENCE_S)
        assert process.returncode == 0
        wait_until(lambda: not any(map(is_running, pids)), f"{pids} end")


def test_a_bot_that_is_killed_takes_even_a_child_stuck_in_c_along(tmp_path: Path) -> None:
    with running_main(tmp_path, "some_script.py") as (process, _, pids):
        assert len(pids) == 4
        process.send_signal(signal.SIGKILL)
        process.wait(PATIENCE_S)
        wait_until(lambda: not any(map(is_running, pids)), f"{pids} end")


@pytest.mark.parametrize("method", ["forkserver", "spawn"])
def test_a_strategy_plays_from_either_kind_of_child(method: Method) -> None:
    nursery = Nursery(method=method)
    try:
        with owner_of(StrategySpec("random"), nursery) as owner:
            owner.asks(1)
            owner.hears(Ready)
            owner.hears(Committed)
            owner.hears(Chose)
    finally:
        nursery.close()


@pytest.mark.parametrize("method", ["forkserver", "spawn"])
def test_a_buried_child_has_the_exit_code_it_died_with(method: Method) -> None:
    nursery = Nursery(method=method)
    try:
        children = [nursery.launch(SETTINGS, name=f"child {number}") for number in range(3)]
        for child in children:
            child.link.recv()
        for child, number in zip(children, (signal.SIGTERM, signal.SIGKILL, signal.SIGUSR1), strict=True):
            os.kill(child.pid, number)
            assert wait([child.sentinel], PATIENCE_S)
            assert child.bury() == -number
    finally:
        nursery.close()


def test_closing_stops_the_process_server() -> None:
    nursery = Nursery()
    child = nursery.launch(SETTINGS, name="child")
    child.link.recv()
    server = int(Path(f"/proc/{child.pid}/stat").read_text().rpartition(")")[2].split()[1])
    assert server != os.getpid()
    nursery.close()
    assert not is_running(server)
    assert wait([child.sentinel], PATIENCE_S)  # and so does whatever was left of its children
    child.bury()
    nursery.close()
    with pytest.raises(RuntimeError, match="the nursery is closed"):
        nursery.launch(SETTINGS, name="child")


def test_a_process_server_that_dies_is_replaced() -> None:
    nursery = Nursery()
    try:
        with owner_of(StrategySpec("random"), nursery) as owner:
            first = nursery.launch(SETTINGS, name="child")
            first.link.recv()
            server = int(Path(f"/proc/{first.pid}/stat").read_text().rpartition(")")[2].split()[1])
            os.kill(server, signal.SIGKILL)
            assert wait([first.sentinel], PATIENCE_S)
            first.bury()
            owner.asks(1)
            owner.hears(Ready)
            owner.hears(Committed)
            owner.hears(Chose)
    finally:
        nursery.close()


def test_the_main_process_imports_no_strategy(tmp_path: Path) -> None:
    with running_main(tmp_path, "module") as (_, said, _pids):
        assert "bot.strategy_host" in said["modules"]
        assert not {"bot.strategies.random_move", "bot.strategies.select_move", "numba"} & set(
            said["modules"]
        )


INTERRUPTED = """
import os, signal
signal.signal(signal.SIGINT, lambda *_: None)
from bot.nursery import Nursery
nursery = Nursery()
nursery.warm()
for _ in range(20):
    os.killpg(0, signal.SIGINT)
nursery.close()
signal.signal(signal.SIGINT, signal.default_int_handler)
try:
    os.killpg(0, signal.SIGINT)
    signal.pause()
except KeyboardInterrupt:
    print("interrupted itself")
"""


def test_ctrl_c_while_the_process_server_imports_ends_nothing_and_says_nothing() -> None:
    """A terminal sends it to the whole group; the server used to die of it with a traceback."""
    ended = subprocess.run(
        [sys.executable, "-c", INTERRUPTED],
        cwd=ROOT,
        start_new_session=True,
        capture_output=True,
        text=True,
        timeout=PATIENCE_S,
        check=False,
    )
    assert (ended.returncode, ended.stdout, ended.stderr) == (0, "interrupted itself\n", "")
