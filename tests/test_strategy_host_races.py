"""Killing, closing and asking at the worst of moments: nothing stale is heard, nothing waits or stays."""

from __future__ import annotations

import fcntl
import logging
import os
import pickle
import signal
import sys
import termios
import threading
from collections.abc import Callable, Iterator
from dataclasses import replace
from multiprocessing.connection import wait
from pathlib import Path

import pytest

from bot.nursery import Child, Nursery
from bot.strategies.contract import StrategySpec
from bot.strategies.messages import ChildSettings, Chose, Committed, Failed, Ready
from bot.strategy_host import StrategyHost
from tests.hosting import (
    BAD_FACTS,
    FACTS,
    PATIENCE_S,
    Overheard,
    Owner,
    hears_a_move,
    misbehaving,
    open_fds,
    overheard,
    owner_of,
    surroundings,
    wait_until,
    warm_nursery,
)

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="looks into /proc")


@pytest.fixture(scope="module")
def nursery() -> Iterator[Nursery]:
    with warm_nursery() as nursery:
        yield nursery


@pytest.fixture
def printed() -> Iterator[Overheard]:
    with overheard() as handler:
        yield handler


def test_a_child_that_dies_between_asks_is_told_at_once(nursery: Nursery, printed: Overheard) -> None:
    with owner_of(misbehaving("reports_surroundings"), nursery) as owner:
        owner.asks(1)
        owner.hears(Ready)
        hears_a_move(owner, 1)
        first = surroundings(printed)["pid"]
        assert isinstance(first, int)
        os.kill(first, signal.SIGTERM)
        failed = owner.hears(Failed)
        assert (failed.ask_id, failed.died) == (None, True)
        assert "signal 15 (SIGTERM)" in failed.reason
        owner.asks(2)
        owner.hears(Ready)
        hears_a_move(owner, 2)
        assert surroundings(printed)["pid"] != first


def test_killing_or_closing_while_the_strategy_is_still_being_loaded(
    nursery: Nursery, tmp_path: Path
) -> None:
    gate = tmp_path / "gate"
    (tmp_path / "slow_to_import.py").write_text(
        "import os, pathlib, time\n"
        "os.write(2, b'importing\\n')\n"
        f"while not pathlib.Path({str(gate)!r}).exists(): time.sleep(0.01)\n"
        "from bot.strategies.select_move import select_move\n"
    )
    spec = StrategySpec("slow_to_import:select_move", search_path=(str(tmp_path),))
    with overheard() as printed, owner_of(spec, nursery) as owner:
        owner.host.start()
        printed.wait_for("importing")
        owner.host.kill()
        owner.asks(1)
        owner.host.kill()  # before there is a process
        owner.asks(2)
        gate.touch()
        owner.hears(Ready)
        hears_a_move(owner, 2)
        gate.unlink()
        owner.host.kill()
        printed.lines.clear()
        owner.asks(3)
        printed.wait_for("importing")
    assert owner.hears_nothing_more()


class WatchedNursery(Nursery):
    """Lets a test look at each child, and act at the worst of moments: before the host has it."""

    def __init__(self, at_launch: Callable[[Child], None] = lambda _: None) -> None:
        super().__init__(preload=["_pytest.config"])
        self.children: list[Child] = []
        self._at_launch = at_launch

    def launch(self, settings: ChildSettings, *, name: str) -> Child:
        child = super().launch(settings, name=name)
        self.children.append(child)
        self._at_launch(child)
        return child


def test_a_child_killed_before_the_host_has_it_is_never_heard() -> None:
    def kill_the_first(child: Child) -> None:
        if len(nursery.children) == 1:
            assert child.link.poll(PATIENCE_S)  # what it says is there already
            owner.host.kill()
            owner.asks(2)

    nursery = WatchedNursery(kill_the_first)
    with owner_of(StrategySpec("random"), nursery) as owner:
        owner.asks(1)
        owner.hears(Ready)
        hears_a_move(owner, 2)
    assert owner.hears_nothing_more()
    assert len(nursery.children) == 2
    nursery.close()


def test_what_a_child_said_before_it_died_is_heard_however_late() -> None:
    class Hold(logging.Handler):
        def emit(self, record: logging.LogRecord) -> None:  # noqa: ARG002  logging's own signature
            released.wait(PATIENCE_S)

    def unread_bytes(child: Child) -> int:
        return int.from_bytes(fcntl.ioctl(child.link, termios.FIONREAD, b"\0" * 4), sys.byteorder)

    released = threading.Event()
    held = logging.getLogger("bot.strategy")
    handler = Hold()
    nursery = WatchedNursery()
    with owner_of(misbehaving("prints_then_plays"), nursery) as owner, overheard():
        owner.host.start()
        owner.hears(Ready)
        held.addHandler(handler)
        try:
            owner.asks(1)
            (child,) = nursery.children
            both = len(pickle.dumps(Committed(1, "a2a3"))) + len(pickle.dumps(Chose(1, "a2a3", 0)))
            wait_until(lambda: unread_bytes(child) >= both, "the child says two things")
            os.kill(child.pid, signal.SIGKILL)
            assert wait([child.sentinel], PATIENCE_S)
        finally:
            released.set()
            held.removeHandler(handler)
        hears_a_move(owner, 1)
        assert owner.hears(Failed).ask_id is None
    nursery.close()


def test_a_newer_ask_replaces_one_that_is_unanswered(nursery: Nursery, tmp_path: Path) -> None:
    gate = tmp_path / "gate"
    (tmp_path / "slow_to_think.py").write_text(
        "import os, pathlib, time\n"
        "def play(turn):\n"
        "    os.write(2, b'thinking\\n')\n"
        f"    while not pathlib.Path({str(gate)!r}).exists(): time.sleep(0.01)\n"
        "    turn.play_move(turn.simulate_move(turn.fen)['legal_moves'][0])\n"
    )
    with (
        overheard() as printed,
        owner_of(StrategySpec("slow_to_think:play", search_path=(str(tmp_path),)), nursery) as owner,
    ):
        owner.asks(1)
        owner.hears(Ready)
        printed.wait_for("thinking")
        owner.asks(2)
        owner.asks(3)
        gate.touch()
        hears_a_move(owner, 3)
    assert owner.hears_nothing_more()


def test_asking_and_killing_never_wait_for_a_child_that_does_not_read(
    nursery: Nursery, printed: Overheard
) -> None:
    enormous = replace(FACTS, fen=FACTS.fen + " " * 64 * 2**20)  # over the socket buffer of any machine
    with owner_of(misbehaving("reports_surroundings"), nursery) as owner:
        owner.asks(1)
        owner.hears(Ready)
        hears_a_move(owner, 1)
        pid = surroundings(printed)["pid"]
        assert isinstance(pid, int)
        os.kill(pid, signal.SIGSTOP)
        owner.asks(2, enormous)
        wait_until(_a_host_is_stuck_in_sending, "the host's thread is stuck")
        owner.asks(3, enormous)
        owner.host.kill()
        owner.asks(4)
        owner.hears(Ready)
        hears_a_move(owner, 4)


def _a_host_is_stuck_in_sending() -> bool:
    return any(
        frame.f_code.co_name == "_send" and Path(frame.f_code.co_filename).name == "connection.py"
        for frame in sys._current_frames().values()
    )


def test_a_process_that_cannot_be_had_is_told(nursery: Nursery, monkeypatch: pytest.MonkeyPatch) -> None:
    with owner_of(StrategySpec("random"), nursery) as owner, monkeypatch.context() as patch:
        patch.setattr(nursery, "launch", _no_more_processes)
        owner.asks(1)
        failed = owner.hears(Failed)
        assert (failed.ask_id, failed.died) == (1, True)
        assert failed.reason == "its process could not be started: BlockingIOError: no more processes"
        patch.undo()
        owner.asks(2)
        owner.hears(Ready)
        hears_a_move(owner, 2)


def _no_more_processes(*_: object, **__: object) -> None:
    raise BlockingIOError("no more processes")


def test_nothing_is_left_behind(nursery: Nursery) -> None:
    def one_of_each() -> None:
        for fault, ending in [
            ("hangs_in_sleep", "close"),
            ("hangs_in_c", "kill"),
            ("dies_by_exit", "fail"),
            ("raises", "fail"),
            ("no_such_strategy", "unloadable"),
        ]:
            with owner_of(misbehaving(fault), nursery) as owner:
                owner.asks(1, BAD_FACTS)
                if ending == "unloadable":
                    owner.hears(Failed)
                    continue
                owner.hears(Ready)
                if ending == "fail":
                    owner.hears(Failed)
                if ending == "kill":
                    owner.host.kill()
        Owner(StrategySpec("random"), nursery).host.close()  # never started

    one_of_each()
    fds, threads = open_fds(), threading.active_count()
    for _ in range(2):
        one_of_each()
    assert (open_fds(), threading.active_count()) == (fds, threads)


def test_a_closed_host_takes_no_asks(nursery: Nursery) -> None:
    with owner_of(StrategySpec("random"), nursery) as owner:
        owner.host.close()
        with pytest.raises(RuntimeError, match="the host of test game is closed"):
            owner.asks(1)
        owner.host.kill()
        owner.host.close()


def test_a_strategy_is_never_put_before_the_bot(nursery: Nursery) -> None:
    with pytest.raises(ValueError, match="niceness is -1"):
        StrategyHost(StrategySpec("random"), deliver=print, name="x", nursery=nursery, niceness=-1)
