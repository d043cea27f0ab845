"""What a strategy's process sends: its messages are read, and nothing else is, or runs."""

from __future__ import annotations

import os
import pickle
from pathlib import Path

import pytest

from bot.strategies.answers import NoAnswerError, read_answer
from bot.strategies.contract import Thought
from bot.strategies.messages import Answer, Chose, Committed, Faulted, Loaded, NotLoaded, Thinking

THOUGHT = Thought(depth=3, nodes=99, time_ms=12, score_cp=-30, pv=("e2e4",))


@pytest.mark.parametrize(
    "answer",
    [
        Loaded(12),
        NotLoaded("why"),
        Thinking(3, THOUGHT),
        Committed(3, "e2e4"),
        Chose(3, "e2e4", 20),
        Chose(3, "e2e4", 20, "a note", THOUGHT),
        Faulted(3, "why"),
    ],
)
def test_every_message_comes_through(answer: Answer) -> None:
    assert read_answer(pickle.dumps(answer)) == answer


class Runs:
    """Unpickled, it would make a folder."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def __reduce__(self) -> tuple[object, tuple[str]]:
        return os.mkdir, (str(self._folder),)


def test_nothing_that_it_names_is_run(tmp_path: Path) -> None:
    folder = tmp_path / "made"
    with pytest.raises(NoAnswerError, match="mkdir"):
        read_answer(pickle.dumps(Runs(folder)))
    assert not folder.exists()


@pytest.mark.parametrize(
    "answer",
    [
        Committed(3, 4),  # type: ignore[arg-type]  # what somebody else's code may send
        Chose("3", "e2e4", 20),  # type: ignore[arg-type]
        Thinking(3, Thought("deep", 1, 1)),  # type: ignore[arg-type]
        Chose(3, "e2e4", 20, None, Thought(1, 1, 1, pv=None)),  # type: ignore[arg-type]
        "e2e4",
        None,
    ],
)
def test_a_message_with_something_else_in_it_is_none(answer: object) -> None:
    with pytest.raises(NoAnswerError):
        read_answer(pickle.dumps(answer))


@pytest.mark.parametrize("data", [b"", b"e2e4", b"\x80\x04", pickle.dumps(Loaded(1))[:-3]])
def test_bytes_that_are_no_message(data: bytes) -> None:
    with pytest.raises(NoAnswerError):
        read_answer(data)
