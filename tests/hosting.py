"""What the tests of hosts and their processes share: an owner with an inbox, and waiting with a deadline."""

from __future__ import annotations

import json
import logging
import os
import queue
import re
import sys
import threading
import traceback
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import TypeVar

import chess

from bot.nursery import Nursery
from bot.strategies.contract import StrategySpec, TurnFacts
from bot.strategies.messages import Chose, Committed, HostMessage
from bot.strategies.turn_tools import facts_from_fen
from bot.strategy_host import StrategyHost
from tests.strategies.misbehaving import MISBEHAVE

ROOT = Path(__file__).parents[1]
PATIENCE_S = 100.0  # generous: only a failing test ever waits so long

FACTS = replace(facts_from_fen("startpos"), game_id="well-behaved")
BAD_FACTS = replace(FACTS, game_id=MISBEHAVE)

M = TypeVar("M", bound=HostMessage)


def misbehaving(name: str) -> StrategySpec:
    return StrategySpec(f"tests.strategies.misbehaving:{name}", search_path=(str(ROOT),))


class Owner:
    """Owns a host as a game does: hears its messages, and what its strategy prints."""

    def __init__(self, spec: StrategySpec, nursery: Nursery, *, memory_limit_mib: int | None = None) -> None:
        self.inbox: queue.Queue[HostMessage] = queue.Queue()
        self.host = StrategyHost(
            spec, deliver=self.inbox.put, name="test game", nursery=nursery, memory_limit_mib=memory_limit_mib
        )

    def hears(self, kind: type[M]) -> M:
        """The next message, which must be of that kind."""
        message = self.inbox.get(timeout=PATIENCE_S)
        assert isinstance(message, kind), message
        return message

    def asks(self, ask_id: int, facts: TurnFacts = FACTS) -> None:
        self.host.ask(ask_id, facts)

    def hears_nothing_more(self) -> bool:
        """Only to be asked after close(): then nothing can follow."""
        return self.inbox.empty()


@contextmanager
def owner_of(spec: StrategySpec, nursery: Nursery, *, memory_limit_mib: int | None = None) -> Iterator[Owner]:
    owner = Owner(spec, nursery, memory_limit_mib=memory_limit_mib)
    try:
        yield owner
    finally:
        owner.host.close()


class Overheard(logging.Handler):
    """The lines that strategies print, as they arrive in the log."""

    def __init__(self) -> None:
        super().__init__(logging.DEBUG)
        self.lines: list[str] = []
        self._arrived = threading.Condition()

    def emit(self, record: logging.LogRecord) -> None:
        with self._arrived:
            self.lines.append(record.getMessage())
            self._arrived.notify_all()

    def wait_for(self, pattern: str) -> re.Match[str]:
        """Wait until a line matches; returns the match."""
        found: list[re.Match[str]] = []

        def arrived() -> bool:
            found.extend(match for line in self.lines if (match := re.search(pattern, line)))
            return bool(found)

        with self._arrived:
            assert self._arrived.wait_for(arrived, PATIENCE_S), f"no {pattern!r} in {self.lines[-10:]}"
        return found[0]


@contextmanager
def overheard() -> Iterator[Overheard]:
    handler = Overheard()
    logger = logging.getLogger("bot.strategy")
    level = logger.level
    logger.addHandler(handler)
    logger.setLevel(logging.DEBUG)
    try:
        yield handler
    finally:
        logger.removeHandler(handler)
        logger.setLevel(level)


def wait_until(condition: Callable[[], bool], what: str) -> None:
    """Poll until `condition` holds; for what happens in other processes, which tell nobody."""
    pause = threading.Event()
    for _ in range(int(PATIENCE_S / 0.01)):
        if condition():
            return
        pause.wait(0.01)
    stacks = "".join(
        f"\n--- thread {number}:\n{''.join(traceback.format_stack(frame, limit=6))}"
        for number, frame in sys._current_frames().items()
    )
    raise AssertionError(f"waited {PATIENCE_S:g} s in vain: {what}; meanwhile:{stacks}")


def is_running(pid: int) -> bool:
    """False also for a zombie: it has ended, and waits only for its parent to look."""
    try:
        state = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    except (FileNotFoundError, ProcessLookupError):
        return False
    return state not in "ZX"


def open_fds() -> int:
    return len(os.listdir("/proc/self/fd"))  # noqa: PTH208  no Path for a count of descriptors


def hears_a_move(owner: Owner, ask_id: int) -> None:
    committed, chose = owner.hears(Committed), owner.hears(Chose)
    assert committed.ask_id == chose.ask_id == ask_id
    assert committed.move == chose.move
    assert chess.Move.from_uci(chose.move) in chess.Board(FACTS.fen).legal_moves
    assert chose.note is None


def surroundings(printed: Overheard) -> dict[str, object]:
    seen = json.loads(printed.wait_for(r"surroundings (.*)")[1])
    printed.lines.clear()
    assert isinstance(seen, dict)
    return seen


@contextmanager
def warm_nursery() -> Iterator[Nursery]:
    nursery = Nursery(preload=["_pytest.config"])  # the pytest script is re-run in every child
    nursery.warm()
    try:
        yield nursery
    finally:
        nursery.close()
