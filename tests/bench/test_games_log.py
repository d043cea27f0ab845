"""What is read from the bot's log, out of the mouths of those who write it."""

from __future__ import annotations

import importlib.util
import logging
import sys

import pytest

from bot.bench.games_log import read_log
from bot.game_messages import Action, Chose, Report, ThinkerFailed, ThinkerReady
from bot.game_session import LEVELS
from bot.record.log import LineFormatter
from bot.strategies.compiled import compiled
from bot.thinking import BENCHED_AFTER
from tests.flow_kit import Table, full, state

CYCLE = ("g1f3", "g8f6", "f3g1", "f6g8")


def line(
    text: str, level: int = logging.INFO, *, game: str | None = "Ab3dEf7h", ply: int | None = None
) -> str:
    """A line of the log as it is written."""
    record = logging.LogRecord("bot", level, "", 0, text, None, None)
    for name, value in (("game", game), ("ply", ply)):
        if value is not None:
            setattr(record, name, value)
    return LineFormatter(journal=False).format(record)


def said(actions: tuple[Action, ...], ply: int) -> list[str]:
    return [line(each.text, LEVELS[each.level], ply=ply) for each in actions if isinstance(each, Report)]


def test_a_game_without_trouble() -> None:
    t = Table()
    t.hear(full())
    log = [
        line("strategy is ready after 41 ms", logging.DEBUG),
        line("strategy: depth 3, +0.20, 900 nodes: e2e4 e7e5", logging.DEBUG),
        line("strategy-Ab3dEf7h: the fallback plays", logging.DEBUG, game=None),  # what a strategy printed
        line("chat (player) Rival: strategy: no, really; the fallback plays", ply=0),
        *said(t.hear(Chose("strategy", t.asked().ask_id, "e2e4")), 0),
        line("over: mate, white wins", ply=0),
        "Traceback (most recent call last):",
    ]
    told = read_log(log)
    assert (told.restarts, told.failures, told.troubles) == (0, 0, ())
    assert told.fallback_moves == 0


def test_a_strategy_that_fails_its_turn() -> None:
    t = Table()
    t.hear(full())
    log = said(t.hear(ThinkerFailed("strategy", t.asked().ask_id, "it was tired", died=True)), 0)
    told = read_log(log)
    assert (told.fallback_moves, told.failures) == (1, 1)
    assert told.troubles == tuple(log)
    log += said(t.hear(ThinkerFailed("fallback", t.asked().ask_id, "so was it", died=True)), 0)
    told = read_log(log)
    assert (told.fallback_moves, told.failures) == (1, 2), "one turn, however many fail it"


def test_a_strategy_that_is_not_loaded_in_time() -> None:
    t = Table()
    t.hear(full())
    told = read_log(said(t.wait(60.0), 0))
    assert told.fallback_moves == 1


def test_every_turn_of_a_benched_strategy_counts() -> None:
    t, log = Table(), list[str]()
    moves = CYCLE * 4
    for ply in range(0, 2 * BENCHED_AFTER + 4, 2):
        t.hear(ThinkerReady("strategy"))
        log += said(t.hear(state(" ".join(moves[:ply])) if ply else full()), ply)
        assert (t.asked().role == "strategy") is (ply < 2 * BENCHED_AFTER)
        while t.asked().role == "strategy":
            log += said(t.wait(1.0), ply)
        log += said(t.hear(Chose("fallback", t.asked().ask_id, moves[ply])), ply)
    assert sum("plays the rest of this game" in each for each in log) == 1
    assert read_log(log).fallback_moves == BENCHED_AFTER + 2


def test_processes_beyond_the_first_of_a_game_are_restarts() -> None:
    ready = "strategy is ready after 41 ms"
    log = [
        line(ready),
        line(ready, game="other"),
        line("fallback is ready after 3 ms"),
        line(ready),
        line(ready),
    ]
    assert read_log(log).restarts == 2


def test_other_troubles_are_told_and_are_no_failures_of_strategies() -> None:
    log = [
        line("game stream lost (reset); reopening in 0.5 s", logging.WARNING, ply=4),
        line("the event stream was lost", logging.WARNING, game=None),
    ]
    told = read_log(log)
    assert (told.failures, told.fallback_moves) == (0, 0)
    assert told.troubles == tuple(log)


def test_classical_in_the_engines_place_is_seen(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """The bot loses no game by it, and nothing else would tell."""
    monkeypatch.setattr(importlib.util, "find_spec", lambda _name: None)
    monkeypatch.delitem(sys.modules, "bot.engine.searcher", raising=False)  # another test may have loaded it
    compiled(nodes=10)
    printed = capsys.readouterr().err.strip()
    log = [
        line(f"strategy-Ab3dEf7h: {printed}", logging.DEBUG, game=None),
        line(f"fallback-Ab3dEf7h: {printed}", logging.DEBUG, game=None),
    ]
    assert read_log(log).stand_ins == 1
