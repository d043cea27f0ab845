"""A strategy may do what it likes: its host tells in one line what happened, and the next ask is answered."""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from bot.nursery import Nursery
from bot.strategies.contract import StrategySpec
from bot.strategies.messages import Chose, Committed, Failed, Ready
from tests.hosting import (
    BAD_FACTS,
    Overheard,
    hears_a_move,
    is_running,
    misbehaving,
    overheard,
    owner_of,
    surroundings,
    wait_until,
    warm_nursery,
)
from tests.strategies.misbehaving import HANGING, HANGS

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="looks into /proc")


@pytest.fixture(scope="module")
def nursery() -> Iterator[Nursery]:
    with warm_nursery() as nursery:
        yield nursery


@pytest.fixture
def printed() -> Iterator[Overheard]:
    with overheard() as handler:
        yield handler


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
        "nice": min(os.nice(0) + 5, 19),
        "leads_group": True,
        "sigint_ignored": True,
        "main_thread": True,
        "stdout_is_stderr": True,
        "token": None,
        "data_limit": 512 * 1024 * 1024,
        "stdin": "",
        "frozen": True,  # a collection that walked through all that is loaded cost 0.13 s of a turn
        "oom": "500",
    }


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
