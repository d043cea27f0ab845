"""A player in a process, as the referee sees it: moves, and faults by their names."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from bot.lab.host_mover import HostMover, fault_of
from bot.lab.records import Fault
from bot.lab.referee import Moved, Refused, Reply, Waiting
from bot.nursery import Nursery
from bot.strategies.contract import StrategySpec
from bot.timing.clock import SystemClock
from tests.hosting import BAD_FACTS, FACTS, misbehaving, warm_nursery

PATIENT_MS = 20_000


@pytest.fixture(scope="module")
def nursery() -> Iterator[Nursery]:
    with warm_nursery() as nursery:
        yield nursery


def mover(spec: StrategySpec, nursery: Nursery) -> HostMover:
    return HostMover(spec, nursery, name="player", clock=SystemClock())


def ask(name: str, nursery: Nursery, deadline_ms: int = PATIENT_MS) -> Reply:
    with mover(misbehaving(name), nursery) as player:
        player.start()
        assert player.fault_in_loading() is None
        return player.choose(BAD_FACTS, deadline_ms)


def test_a_move_comes_with_what_was_told_of_it(nursery: Nursery) -> None:
    with mover(StrategySpec("classical", (("nodes", 50),)), nursery) as player:
        player.start()
        assert player.fault_in_loading() is None
        reply = player.choose(FACTS, PATIENT_MS)
    assert isinstance(reply, Moved)
    assert reply.thought is not None
    assert 0 < reply.thought.nodes <= 50


@pytest.mark.parametrize(
    ("name", "fault", "told"),
    [
        ("raises", "crash", "misbehaving.py"),
        ("exits", "crash", "SystemExit"),
        ("dies_by_sigkill", "crash", "SIGKILL"),
        ("dies_by_segfault", "crash", "SIGSEGV"),
        ("commits_then_dies", "crash", "exit code 4"),
        ("illegal_move", "illegal move", "not"),
        ("no_move", "no move", "without calling play_move"),
        ("two_moves", "two moves", "was played already"),
        ("swallows_errors", "illegal move", "not"),
    ],
)
def test_every_fault_has_its_name_and_one_line(nursery: Nursery, name: str, fault: Fault, told: str) -> None:
    reply = ask(name, nursery)
    assert isinstance(reply, Refused)
    assert reply.fault == fault
    assert told in reply.detail
    assert "\n" not in reply.detail


@pytest.mark.parametrize("name", ["hangs_in_sleep", "hangs_in_c", "commits_then_hangs"])
def test_a_hang_is_waited_for_until_the_deadline(nursery: Nursery, name: str) -> None:
    assert ask(name, nursery, deadline_ms=300) == Waiting()


def test_what_cannot_be_loaded_says_why(nursery: Nursery) -> None:
    with mover(StrategySpec("random", (("sead", 1),)), nursery) as player:
        player.start()
        why = player.fault_in_loading()
    assert why is not None
    assert "unknown option 'sead'" in why


def test_an_exception_that_looks_like_ours_is_still_a_crash() -> None:
    assert fault_of("bot.py:3 in play: ValueError: play_move: no") == "crash"
