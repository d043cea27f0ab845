"""The opponent: told its clock, in a process of its own, and at a loss for words when it fails."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import chess
import pytest

from bot.bench.games_rival import Rival, facts_of
from bot.errors import BenchError
from bot.local_lichess.players import Play, Resign, Situation
from bot.local_lichess.seats import Seat
from bot.nursery import Nursery
from bot.strategies.contract import Clocks, StrategySpec
from bot.timing.clock import SystemClock
from tests.hosting import misbehaving, warm_nursery
from tests.strategies.misbehaving import MISBEHAVE

GAME = Situation(
    game_id="game0001",
    side="black",
    variant="fromPosition",
    initial_fen=chess.STARTING_FEN,
    moves=("e2e4",),
    speed="bullet",
    rated=False,
    opponent=Seat("knight", "Knight", "BOT", 1500),
    white_ms=9_000,
    black_ms=8_000,
    increment_ms=100,
)


@pytest.fixture(scope="module")
def nursery() -> Iterator[Nursery]:
    with warm_nursery() as nursery:
        yield nursery


def board_of(game: Situation) -> chess.Board:
    board = chess.Board(game.initial_fen, chess960=True)
    for uci in game.moves:
        board.push_uci(uci)
    return board.copy(stack=False)


def test_it_is_told_what_its_clock_allows() -> None:
    facts = facts_of(board_of(GAME), GAME)
    assert facts.clocks == Clocks(9_000, 8_000, 100, 100)
    assert (facts.color, facts.moves, facts.speed) == ("black", ("e2e4",), "bullet")
    assert facts.board().fen() == facts.fen
    assert 10 < facts.limit.soft_ms <= facts.limit.hard_ms < 8_000
    hurried = replace(GAME, black_ms=300)
    assert facts_of(board_of(hurried), hurried).limit.hard_ms < 300


def test_it_moves(nursery: Nursery) -> None:
    rival = Rival(StrategySpec("random"), nursery, clock=SystemClock())
    try:
        rival.wait_loaded()
        (action,) = rival.on_turn(board_of(GAME), GAME)
        assert isinstance(action, Play)
        assert chess.Move.from_uci(action.uci) in board_of(GAME).legal_moves
        assert rival.on_wait(GAME) == ()
    finally:
        rival.close()


@pytest.mark.parametrize(("name", "why"), [("no_move", "no move: "), ("dies_by_sigkill", "crash: ")])
def test_a_fault_resigns_and_is_told(name: str, why: str, nursery: Nursery) -> None:
    rival = Rival(misbehaving(name), nursery, clock=SystemClock())
    try:
        rival.wait_loaded()
        game = replace(GAME, game_id=MISBEHAVE)
        assert rival.on_turn(board_of(game), game) == (Resign(),)
        assert rival.fault is not None
        assert rival.fault.startswith(why)
    finally:
        rival.close()


def test_one_that_was_closed_says_nothing(nursery: Nursery) -> None:
    """Ctrl-C in the midst of the games ended with a traceback, as the server still asked the opponents."""
    rival = Rival(StrategySpec("random"), nursery, clock=SystemClock())
    rival.wait_loaded()
    rival.close()
    assert rival.on_turn(board_of(GAME), GAME) == ()
    assert rival.fault is None


def test_one_that_thinks_for_ever_says_nothing_when_its_time_is_up(nursery: Nursery) -> None:
    rival = Rival(misbehaving("hangs_in_c"), nursery, clock=SystemClock())
    try:
        rival.wait_loaded()
        game = replace(GAME, game_id=MISBEHAVE, black_ms=50)
        assert rival.on_turn(board_of(game), game) == ()
        assert rival.fault is None
    finally:
        rival.close()


def test_one_that_cannot_be_loaded_is_an_error_of_the_bench(nursery: Nursery) -> None:
    rival = Rival(StrategySpec("tests.no_such_module:play"), nursery, clock=SystemClock())
    try:
        with pytest.raises(BenchError, match=r"the opponent tests\.no_such_module:play cannot play: "):
            rival.wait_loaded()
    finally:
        rival.close()
