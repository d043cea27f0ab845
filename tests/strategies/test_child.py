"""The child's side: what it answers, over a real connection, and that it ends when it should."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from multiprocessing import Pipe
from multiprocessing.connection import wait

import pytest

from bot.errors import IllegalMoveError
from bot.nursery import Child, Nursery
from bot.strategies.child import REASON_CHARS, TELL_EVERY_S, Desk, answer_to, in_one_line
from bot.strategies.contract import Strategy, StrategySpec, Thought, Turn
from bot.strategies.messages import (
    Answer,
    ChildSettings,
    Chose,
    Committed,
    Faulted,
    Leave,
    Loaded,
    NotLoaded,
    Think,
    Thinking,
)
from bot.timing.clock import VirtualClock
from tests.hosting import FACTS, PATIENCE_S, warm_nursery


def answers(strategy: Strategy, clock: VirtualClock | None = None) -> list[Answer]:
    """All that the child sends for one turn, in order."""
    reader, writer = Pipe(duplex=False)
    with reader, writer:
        clock = clock or VirtualClock()
        desk = Desk(writer, clock)
        desk.send(answer_to(Think(7, FACTS), strategy, desk, clock))
        sent = []
        while reader.poll():
            sent.append(reader.recv())
        return sent


def test_the_move_is_sent_when_it_is_committed_and_again_when_the_turn_is_over() -> None:
    clock = VirtualClock()

    def strategy(turn: Turn) -> None:
        clock.advance(0.25)
        turn.play_move("e2e4")
        clock.advance(0.05)

    assert answers(strategy, clock) == [Committed(7, "e2e4"), Chose(7, "e2e4", elapsed_ms=300)]


def test_thoughts_go_out_at_a_bearable_pace_and_the_last_comes_with_the_move() -> None:
    clock = VirtualClock()

    def strategy(turn: Turn) -> None:
        for depth in range(1, 9):
            turn.tell(Thought(depth=depth, nodes=depth, time_ms=0, score_cp=10 * depth))
            clock.advance(TELL_EVERY_S / 2)
        turn.play_move("e2e4")

    *thinking, _, chose = answers(strategy, clock)
    assert [each.thought.depth for each in thinking if isinstance(each, Thinking)] == [1, 3, 5, 7]
    assert isinstance(chose, Chose)
    assert chose.thought == Thought(depth=8, nodes=8, time_ms=0, score_cp=80)


def test_something_told_that_is_no_thought_does_not_cost_the_move() -> None:
    def strategy(turn: Turn) -> None:
        turn.tell("depth 3")  # type: ignore[arg-type]  # what a student may try
        turn.play_move("e2e4")

    assert answers(strategy) == [Committed(7, "e2e4"), Chose(7, "e2e4", elapsed_ms=0)]


def test_an_exception_before_the_move_is_a_fault_with_its_place() -> None:
    def strategy(turn: Turn) -> None:
        raise KeyError("x")

    (answer,) = answers(strategy)
    assert isinstance(answer, Faulted)
    assert answer.ask_id == 7
    assert "KeyError: 'x'" in answer.reason
    assert "test_child.py:" in answer.reason


def test_an_exception_after_the_move_is_a_note() -> None:
    def strategy(turn: Turn) -> None:
        turn.play_move("e2e4")
        raise KeyboardInterrupt

    committed, chose = answers(strategy)
    assert committed == Committed(7, "e2e4")
    assert isinstance(chose, Chose)
    assert chose.move == "e2e4"
    assert "KeyboardInterrupt" in (chose.note or "")


def test_a_second_move_fails_the_turn_although_the_first_was_told() -> None:
    def strategy(turn: Turn) -> None:
        turn.play_move("e2e4")
        turn.play_move("d2d4")

    committed, faulted = answers(strategy)
    assert committed == Committed(7, "e2e4")
    assert isinstance(faulted, Faulted)
    assert "e2e4 was played already" in faulted.reason


def test_any_error_becomes_one_short_printable_line() -> None:
    assert in_one_line(IllegalMoveError("play_move:\n\te2e5\x1b[0m")) == "play_move: e2e5?[0m"
    assert len(in_one_line(ValueError("long " * 1000))) == REASON_CHARS


# --- in a process of its own ------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def nursery() -> Iterator[Nursery]:
    with warm_nursery() as nursery:
        yield nursery


@contextmanager
def child_of(nursery: Nursery, spec: StrategySpec) -> Iterator[Child]:
    child = nursery.launch(ChildSettings(spec), name="test child")
    try:
        yield child
    finally:
        child.kill()


def said(child: Child) -> Answer:
    assert child.link.poll(PATIENCE_S), "the child said nothing"
    answer: Answer = child.link.recv()
    return answer


def exit_code_of(child: Child) -> int:
    assert wait([child.sentinel], PATIENCE_S), "the child did not end"
    return child.bury()


def test_a_child_loads_answers_and_leaves_when_told(nursery: Nursery) -> None:
    with child_of(nursery, StrategySpec("random")) as child:
        assert isinstance(said(child), Loaded)
        for ask_id in (1, 2):
            child.link.send(Think(ask_id, FACTS))
            committed, chose = said(child), said(child)
            assert isinstance(committed, Committed)
            assert isinstance(chose, Chose)
            assert (chose.ask_id, chose.move, chose.note) == (ask_id, committed.move, None)
        child.link.send(Leave())
        assert exit_code_of(child) == 0


def test_a_child_that_cannot_load_its_strategy_says_so_and_ends(nursery: Nursery) -> None:
    with child_of(nursery, StrategySpec("randon")) as child:
        answer = said(child)
        assert isinstance(answer, NotLoaded)
        assert "it could not be loaded: unknown strategy 'randon'" in answer.reason
        assert exit_code_of(child) == 1


@pytest.mark.skipif(sys.platform == "win32", reason="it ends by exit code there")
def test_a_child_ends_when_the_bot_closes_the_connection(nursery: Nursery) -> None:
    with child_of(nursery, StrategySpec("random")) as child:
        assert isinstance(said(child), Loaded)
        child.link.close()
        assert exit_code_of(child) == -9


def test_facts_that_cannot_be_are_a_fault_of_that_turn_only(nursery: Nursery) -> None:
    with child_of(nursery, StrategySpec("random")) as child:
        assert isinstance(said(child), Loaded)
        child.link.send(Think(1, replace(FACTS, moves=("e2e5",))))
        assert isinstance(said(child), Faulted)
        child.link.send(Think(2, FACTS))
        assert isinstance(said(child), Committed)
        assert isinstance(said(child), Chose)
        child.link.send(Leave())
        assert exit_code_of(child) == 0
