"""A strategy may do what it likes: its host tells in one line what happened, and the next ask is answered."""

from __future__ import annotations

import fcntl
import json
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

import chess
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
    is_running,
    misbehaving,
    open_fds,
    overheard,
    owner_of,
    wait_until,
)
from tests.strategies.misbehaving import HANGING, HANGS

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="looks into /proc")


@pytest.fixture(scope="module")
def nursery() -> Iterator[Nursery]:
    nursery = Nursery(preload=["_pytest.config"])  # the pytest script is re-run in every child
    nursery.warm()
    yield nursery
    nursery.close()


@pytest.fixture
def printed() -> Iterator[Overheard]:
    with overheard() as handler:
        yield handler


def hears_a_move(owner: Owner, ask_id: int) -> None:
    committed, chose = owner.hears(Committed), owner.hears(Chose)
    assert committed.ask_id == chose.ask_id == ask_id
    assert committed.move == chose.move
    assert chess.Move.from_uci(chose.move) in chess.Board(FACTS.fen).legal_moves
    assert chose.note is None


def test_one_child_answers_ask_after_ask(nursery: Nursery) -> None:
    with owner_of(StrategySpec("random"), nursery) as owner:
        owner.asks(7)
        assert owner.hears(Ready).host == "test game"
        hears_a_move(owner, 7)
        owner.asks(8)
        hears_a_move(owner, 8)
    assert owner.hears_nothing_more()


def test_start_loads_the_strategy_once_before_it_is_asked(nursery: Nursery) -> None:
    with owner_of(StrategySpec("random"), nursery) as owner:
        owner.host.start()
        owner.host.start()
        owner.hears(Ready)
        owner.host.start()
        owner.asks(1)
        hears_a_move(owner, 1)
    assert owner.hears_nothing_more()


@pytest.mark.parametrize(
    ("fault", "reason"),
    [
        ("raises", "ValueError: no idea what to play"),
        ("raises_unpicklable", "Local"),
        ("illegal_move", "e2e5"),
        ("unpicklable_move", "play_move"),
        ("no_move", "without calling play_move"),
        ("two_moves", "was played already"),
        ("swallows_errors", "e2e5"),
        ("exits", "SystemExit: that is it"),
        ("interrupts", "KeyboardInterrupt"),
    ],
)
def test_a_failed_turn_is_told_in_one_line_and_the_child_lives_on(
    nursery: Nursery, fault: str, reason: str
) -> None:
    with owner_of(misbehaving(fault), nursery) as owner:
        owner.asks(1, BAD_FACTS)
        owner.hears(Ready)
        if fault == "two_moves":
            owner.hears(Committed)
        failed = owner.hears(Failed)
        assert (failed.ask_id, failed.died) == (1, False)
        assert reason in failed.reason
        assert failed.reason.isprintable()
        owner.asks(2)
        hears_a_move(owner, 2)


def test_memory_beyond_the_limit_is_a_failed_turn(nursery: Nursery) -> None:
    with owner_of(misbehaving("grows"), nursery, memory_limit_mib=256) as owner:
        owner.asks(1, BAD_FACTS)
        owner.hears(Ready)
        failed = owner.hears(Failed)
        assert "MemoryError" in failed.reason
        owner.asks(2)
        hears_a_move(owner, 2)


@pytest.mark.parametrize(
    ("fault", "reason"),
    [
        ("dies_by_exit", "its process ended with exit code 3; last words: first words | I was told to go"),
        ("dies_by_sigkill", "its process was killed by signal 9 (SIGKILL), maybe out of memory"),
        ("dies_by_segfault", "its process was killed by signal 11 (SIGSEGV); last words: Fatal Python error"),
    ],
)
def test_a_death_is_told_in_one_line_and_the_next_ask_starts_afresh(
    nursery: Nursery, fault: str, reason: str
) -> None:
    with owner_of(misbehaving(fault), nursery) as owner:
        owner.asks(1, BAD_FACTS)
        owner.hears(Ready)
        failed = owner.hears(Failed)
        assert (failed.ask_id, failed.died) == (1, True)
        assert failed.reason.startswith(reason)
        assert failed.reason.isprintable()
        owner.asks(2)
        owner.hears(Ready)
        hears_a_move(owner, 2)


def test_a_segfault_names_its_place(nursery: Nursery) -> None:
    with owner_of(misbehaving("dies_by_segfault"), nursery) as owner:
        owner.asks(1, BAD_FACTS)
        owner.hears(Ready)
        assert "in dies_by_segfault" in owner.hears(Failed).reason


@pytest.mark.parametrize("hang", HANGS)
def test_a_hang_is_killed_and_the_next_ask_starts_afresh(
    nursery: Nursery, printed: Overheard, hang: str
) -> None:
    with owner_of(misbehaving(hang), nursery) as owner:
        owner.asks(1, BAD_FACTS)
        owner.hears(Ready)
        printed.wait_for(HANGING)
        owner.host.kill()
        owner.asks(2)
        owner.hears(Ready)
        hears_a_move(owner, 2)
    assert owner.hears_nothing_more()  # nothing about the ask that was killed


@pytest.mark.parametrize("hang", HANGS)
def test_closing_does_not_wait_for_a_hang(nursery: Nursery, printed: Overheard, hang: str) -> None:
    with owner_of(misbehaving(hang), nursery) as owner:
        owner.asks(1, BAD_FACTS)
        owner.hears(Ready)
        printed.wait_for(HANGING)
    assert owner.hears_nothing_more()


@pytest.mark.parametrize(
    ("fault", "note"),
    [
        ("commits_then_raises", "ValueError: too late"),
        ("commits_then_interrupts", "KeyboardInterrupt"),
    ],
)
def test_an_exception_after_the_move_is_a_note(nursery: Nursery, fault: str, note: str) -> None:
    with owner_of(misbehaving(fault), nursery) as owner:
        owner.asks(1, BAD_FACTS)
        owner.hears(Ready)
        committed, chose = owner.hears(Committed), owner.hears(Chose)
        assert chose.move == committed.move
        assert note in (chose.note or "")


def test_a_committed_move_is_told_before_the_death(nursery: Nursery) -> None:
    with owner_of(misbehaving("commits_then_dies"), nursery) as owner:
        owner.asks(1, BAD_FACTS)
        owner.hears(Ready)
        assert owner.hears(Committed).ask_id == 1
        assert owner.hears(Failed) == Failed(1, "its process ended with exit code 4", died=True)


def test_a_committed_move_is_told_before_the_hang(nursery: Nursery) -> None:
    with owner_of(misbehaving("commits_then_hangs"), nursery) as owner:
        owner.asks(1, BAD_FACTS)
        owner.hears(Ready)
        assert owner.hears(Committed).ask_id == 1
        owner.host.kill()
        owner.asks(2)
        owner.hears(Ready)
        hears_a_move(owner, 2)


def test_noise_on_both_outputs_disturbs_nothing(nursery: Nursery, printed: Overheard) -> None:
    with owner_of(misbehaving("noisy"), nursery) as owner:
        owner.asks(1, BAD_FACTS)
        owner.hears(Ready)
        owner.hears(Committed)
        owner.hears(Chose)
        assert (
            printed.wait_for(r"printed .*").group() == "printed  [31mred [0m"
        )  # no escape reaches a terminal
        assert all(len(line) < 2000 for line in printed.lines)
        owner.asks(2)
        hears_a_move(owner, 2)


def test_a_thread_left_behind_cannot_play_in_a_later_turn(nursery: Nursery, printed: Overheard) -> None:
    with owner_of(misbehaving("leaves_a_thread"), nursery) as owner:
        owner.asks(1, BAD_FACTS)
        owner.hears(Ready)
        hears_a_move(owner, 1)
        owner.asks(2)
        hears_a_move(owner, 2)
        printed.wait_for("the late move was refused")
    assert owner.hears_nothing_more()


@pytest.mark.parametrize("ending", ["kill", "close"])
def test_an_engine_dies_with_its_strategy(nursery: Nursery, printed: Overheard, ending: str) -> None:
    with owner_of(misbehaving("leaves_an_engine"), nursery) as owner:
        owner.asks(1, BAD_FACTS)
        owner.hears(Ready)
        engine = int(printed.wait_for(r"engine (\d+)")[1])
        assert is_running(engine)
        (owner.host.kill if ending == "kill" else owner.host.close)()
        wait_until(lambda: not is_running(engine), "the engine ends")


def test_an_engine_that_holds_on_to_the_outputs_delays_nothing(nursery: Nursery, printed: Overheard) -> None:
    with owner_of(misbehaving("dies_and_leaves_an_engine"), nursery) as owner:
        owner.asks(1, BAD_FACTS)
        owner.hears(Ready)
        engine = int(printed.wait_for(r"engine (\d+)")[1])
        try:
            assert "exit code 5" in owner.hears(Failed).reason
            assert is_running(engine)
        finally:
            os.kill(engine, signal.SIGKILL)


def surroundings(printed: Overheard) -> dict[str, object]:
    seen = json.loads(printed.wait_for(r"surroundings (.*)")[1])
    printed.lines.clear()
    assert isinstance(seen, dict)
    return seen


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


def test_what_a_strategy_sees_from_where_it_sits(
    monkeypatch: pytest.MonkeyPatch, printed: Overheard, nursery: Nursery
) -> None:
    del nursery  # its server was started without the token; this one has it
    monkeypatch.setenv("LICHESS_BOT_TOKEN", "lip_secret")
    nursery = Nursery(method="spawn")
    with owner_of(misbehaving("reports_surroundings"), nursery, memory_limit_mib=512) as owner:
        owner.asks(1)
        owner.hears(Ready)
        hears_a_move(owner, 1)
        seen = surroundings(printed)
    del seen["pid"]
    assert seen == {
        "nice": os.nice(0) + 5,
        "leads_group": True,
        "sigint_ignored": True,
        "main_thread": True,
        "stdout_is_stderr": True,
        "token": None,
        "data_limit": 512 * 1024 * 1024,
        "stdin": "",
        "oom": "500",
    }


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


@pytest.mark.parametrize(
    ("source", "reason"),
    [
        ("import no_such_thing", "no module named 'no_such_thing'"),
        ("def broken(:", "SyntaxError"),
        ("import sys; sys.exit(5)", "SystemExit: 5"),
        ("raise KeyboardInterrupt", "KeyboardInterrupt"),
        ("import os; os._exit(6)", "its process ended with exit code 6"),
        ("x = 1", "no 'play'"),
    ],
)
def test_a_strategy_that_cannot_be_loaded_is_told_each_time(
    nursery: Nursery, tmp_path: Path, source: str, reason: str
) -> None:
    (tmp_path / "unloadable.py").write_text(source)
    spec = StrategySpec("unloadable:play", search_path=(str(tmp_path),))
    with owner_of(spec, nursery) as owner:
        owner.host.start()
        failed = owner.hears(Failed)
        assert (failed.ask_id, failed.died) == (None, True)
        assert reason.lower() in failed.reason.lower()
        owner.asks(1)
        assert owner.hears(Failed) == replace(failed, ask_id=1)
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
    enormous = replace(FACTS, moves=("g1f3", "g8f6", "f3g1", "f6g8") * 100_000)  # over any pipe's buffer
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
