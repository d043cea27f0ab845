"""The thread of the second lane. Time is virtual: the lane's waits move its clock on."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import pytest

from bot.errors import ConnectionTroubleError, LichessError, NotFoundError, RateLimitedError
from bot.lichess.lanes import ErrandLane, Priority
from bot.timing.clock import VirtualClock
from tests.lichess.wire_server import DEADLINE_S, eventually


@contextmanager
def lane_at(clock: VirtualClock, *, gap_s: float = 0.5, limit: int = 200) -> Iterator[ErrandLane]:
    def wait(event: threading.Event, seconds: float | None) -> None:
        if seconds is None:
            event.wait(DEADLINE_S)
        else:
            clock.advance(seconds)

    lane = ErrandLane(clock=clock, wait=wait, gap_s=gap_s, limit=limit)
    lane.start()
    yield lane
    assert lane.close(0.0), "the lane's thread did not end"


class Answers:
    """Collects what errands were answered with, and on which thread."""

    def __init__(self) -> None:
        self.heard: list[tuple[str, object]] = []
        self.threads: set[str] = set()

    def to(self, label: str) -> Callable[[object], None]:
        def hear(answer: object) -> None:
            self.threads.add(threading.current_thread().name)
            self.heard.append((label, answer))

        return hear

    def labels(self) -> list[str]:
        return [label for label, _ in self.heard]


@contextmanager
def lane_busy(lane: ErrandLane) -> Iterator[None]:
    """The lane is inside a request until the block ends."""
    inside, go_on = threading.Event(), threading.Event()

    def request() -> bool:
        inside.set()
        return go_on.wait(DEADLINE_S)

    lane.submit(Priority.GAME, "busy", request, lambda _: None)
    assert inside.wait(DEADLINE_S)
    yield
    go_on.set()


def raising(error: Exception) -> Callable[[], None]:
    def request() -> None:
        raise error

    return request


def test_errands_run_by_importance_with_a_gap_on_the_lanes_own_thread() -> None:
    clock, answers = VirtualClock(), Answers()
    with lane_at(clock, gap_s=0.5) as lane:
        with lane_busy(lane):
            for priority in (
                Priority.LOOK_UP,
                Priority.CHAT,
                Priority.ACCEPT,
                Priority.GAME,
                Priority.DECLINE,
            ):
                lane.submit(priority, priority.name, clock.monotonic, answers.to(priority.name))
            assert answers.heard == []
        assert eventually(lambda: len(answers.heard) == 5)
    assert answers.heard == [
        ("GAME", 0.5),
        ("ACCEPT", 1.0),
        ("LOOK_UP", 1.5),
        ("DECLINE", 2.0),
        ("CHAT", 2.5),
    ]
    assert answers.threads == {"errands"}


def test_errors_are_answers() -> None:
    refused = NotFoundError("no such challenge", status=404)
    answers = Answers()
    with lane_at(VirtualClock()) as lane:
        lane.submit(Priority.ACCEPT, "accept", raising(refused), answers.to("accept"))
        lane.submit(Priority.ACCEPT, "next", lambda: "fine", answers.to("next"))
        assert eventually(lambda: len(answers.heard) == 2)
    assert answers.heard == [("accept", refused), ("next", "fine")]


def test_a_429_is_waited_out_and_the_errand_runs_again() -> None:
    clock, answers, tried = VirtualClock(), Answers(), []

    def accept() -> str:
        tried.append(clock.monotonic())
        if len(tried) < 3:
            raise RateLimitedError("slow down", retry_after_s=30.0 if len(tried) == 1 else None)
        return "accepted"

    with lane_at(clock) as lane:
        lane.submit(Priority.ACCEPT, "accept", accept, answers.to("accept"), worth_s=1000.0)
        assert eventually(lambda: answers.heard != [])
    assert answers.heard == [("accept", "accepted")]
    assert tried == [0.0, 30.0, 150.0]


def test_a_429_too_long_for_the_errand_is_its_answer(caplog: pytest.LogCaptureFixture) -> None:
    answers = Answers()
    error = RateLimitedError("HTTP 429, enough", retry_after_s=40_000.0)
    with lane_at(VirtualClock()) as lane:
        lane.submit(Priority.ACCEPT, "accept x", raising(error), answers.to("accept"), worth_s=20.0)
        assert eventually(lambda: answers.heard != [])
    ((_, answer),) = answers.heard
    assert isinstance(answer, RateLimitedError)
    assert answer.retry_after_s == 40_000.0
    assert "accept x: HTTP 429, enough" in caplog.text


def test_bugs_do_not_end_the_lane(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.ERROR)
    answers = Answers()

    def deaf(answer: object) -> None:
        raise ZeroDivisionError("in on_done")

    with lane_at(VirtualClock()) as lane:
        lane.submit(Priority.CHAT, "odd", raising(KeyError("in fn")), answers.to("odd"))
        lane.submit(Priority.CHAT, "deaf", lambda: 1, deaf)
        lane.submit(Priority.CHAT, "fine", lambda: 2, answers.to("fine"))
        assert eventually(lambda: len(answers.heard) == 2)
    (odd, trouble), fine = answers.heard
    assert isinstance(trouble, ConnectionTroubleError)
    assert (odd, str(trouble), fine) == ("odd", "odd: KeyError: 'in fn'", ("fine", 2))
    assert "odd failed in an unforeseen way" in caplog.text
    assert "the answer to deaf was not taken" in caplog.text


def test_a_full_lane_drops_the_least_important_and_says_so(caplog: pytest.LogCaptureFixture) -> None:
    answers = Answers()
    with lane_at(VirtualClock(), limit=2) as lane:
        with lane_busy(lane):
            for label in ("look", "more"):
                lane.submit(Priority.LOOK_UP, label, lambda: "done", answers.to(label))
            lane.submit(Priority.GAME, "abort", lambda: "done", answers.to("abort"))
        assert eventually(lambda: len(answers.heard) == 3)
    heard = dict(answers.heard)
    assert (heard["abort"], heard["look"]) == ("done", "done")
    assert isinstance(heard["more"], LichessError)
    assert "more: not sent: more than 2 errands are waiting" in caplog.text


def test_close_goes_on_with_what_there_is_time_for() -> None:
    clock, answers = VirtualClock(), Answers()
    with lane_at(clock, gap_s=1.0) as lane:
        with lane_busy(lane):
            for label in ("a", "b", "c"):
                lane.submit(Priority.CHAT, label, lambda: "done", answers.to(label))
            closing = threading.Thread(target=lane.close, args=(2.5,))
            closing.start()
            assert eventually(lambda: lane._closing)
            lane.submit(Priority.CHAT, "late", lambda: "done", answers.to("late"))
            assert answers.labels() == ["late"]  # answered at once, on this thread
        closing.join(DEADLINE_S)
    late, *others, (left_over, error) = answers.heard
    assert str(late[1]) == "not sent: the lane is closed"
    assert others == [("a", "done"), ("b", "done")]
    assert (left_over, type(error)) == ("c", LichessError)


def test_close_from_inside_and_before_the_start() -> None:
    ended: list[bool] = []
    with lane_at(VirtualClock()) as lane:
        lane.submit(Priority.CHAT, "last", lambda: None, lambda _: ended.append(lane.close(0.0)))
        assert eventually(lambda: ended == [False])  # it cannot have ended while it says so
    never_started = ErrandLane(clock=VirtualClock())
    assert never_started.close(0.0)
