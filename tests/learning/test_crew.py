"""Processes that do jobs: all of them, also those that come up meanwhile; and what is told of dead ones."""

from __future__ import annotations

import os
import signal
from collections.abc import Callable

import pytest

from bot.errors import BenchError
from bot.learning.crew import Crew, Work

pytestmark = pytest.mark.timeout(120)
DEADLY, HOPELESS = 13, 14


def doubling() -> Work[int, str, int]:
    return doubled


def hopeless() -> Work[int, str, int]:
    raise BenchError("nothing can be done here")


def doubled(job: int, tell: Callable[[str], None]) -> int:
    tell(f"begun {job}")
    if job == DEADLY:
        os.kill(os.getpid(), signal.SIGKILL)
    if job == HOPELESS:
        raise BenchError(f"{job} cannot be done")
    return 2 * job


def crew(processes: int, begin: Callable[[], Work[int, str, int]] = doubling) -> Crew[int, str, int]:
    return Crew[int, str, int](begin, processes, name=lambda job: f"job {job}", kept="the rest is kept")


@pytest.mark.parametrize("processes", [1, 3])
def test_all_jobs_are_done_also_those_that_others_bring_up(processes: int) -> None:
    done, heard = [], set()
    with crew(processes) as members:
        for job in (1, 2):
            members.give(job)
        for outcome in members.work():
            heard.update(members.news)
            if outcome is not None:
                done.append(outcome)
                if outcome < 20:
                    members.give(outcome)
        assert members.news == []
    assert sorted(done) == [2, 4, 4, 8, 8, 16, 16, 32, 32]
    assert heard <= {f"begun {job}" for job in (1, 2, 4, 8, 16)}
    assert heard


def test_there_is_nothing_to_do_without_jobs() -> None:
    with crew(2) as members:
        assert list(members.work()) == []


@pytest.mark.parametrize(
    ("begin", "job", "told"),
    [
        (doubling, DEADLY, r"^a process died at job 13: .*KILL.*; the rest is kept$"),
        (doubling, HOPELESS, r"^14 cannot be done$"),
        (hopeless, 1, r"^nothing can be done here$"),
    ],
)
def test_why_something_is_not_done_is_told(
    begin: Callable[[], Work[int, str, int]], job: int, told: str
) -> None:
    with crew(2, begin) as members:
        members.give(job)
        with pytest.raises(BenchError, match=told):
            list(members.work())
