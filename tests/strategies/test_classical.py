"""The searching strategy: what its options mean, and that it keeps to the turn's time."""

from __future__ import annotations

from dataclasses import replace

import chess
import pytest

from bot.errors import StrategyNameError
from bot.evaluation import evaluate
from bot.search import Limits, deepen
from bot.strategies.classical import Classical
from bot.strategies.contract import StrategySpec, Thought, TimeLimit, TurnFacts
from bot.strategies.registry import load, parse_spec
from bot.strategies.turn_tools import facts_from_fen, take_turn
from bot.timing.clock import VirtualClock

MIDDLEGAME = "r1bqk2r/pppp1ppp/2n2n2/2b1p3/2B1P3/2NP1N2/PPP2PPP/R1BQK2R w KQkq - 0 5"
#: Time goes by so much with each look at the clock.
TICK_S = 0.010


class TickingClock(VirtualClock):
    """Every look takes time: what a search does between two looks."""

    def monotonic(self) -> float:
        self.advance(TICK_S)
        return super().monotonic()


def facts(fen: str = MIDDLEGAME, *, soft_ms: int = 1_000, hard_ms: int = 5_000) -> TurnFacts:
    return replace(facts_from_fen(fen), limit=TimeLimit(soft_ms, hard_ms))


def seconds_for(turn: TurnFacts, *, nodes: int | None = None, movetime_ms: int | None = None) -> float:
    clock = TickingClock()
    take_turn(Classical(clock, nodes=nodes, movetime_ms=movetime_ms), turn)
    return VirtualClock.monotonic(clock)


@pytest.mark.parametrize("soft_ms", [200, 1_000, 3_000])
def test_by_default_it_takes_about_the_soft_limit(soft_ms: int) -> None:
    assert (
        0.25 * soft_ms / 1000 <= seconds_for(facts(soft_ms=soft_ms, hard_ms=60_000)) <= 2.6 * soft_ms / 1000
    )


@pytest.mark.parametrize("hard_ms", [1, 50, 200, 1_000])
def test_it_never_waits_for_the_hard_limit(hard_ms: int) -> None:
    took_s = seconds_for(facts(soft_ms=hard_ms, hard_ms=hard_ms))
    assert took_s <= max(0.85 * hard_ms / 1000 - 0.025, 0.001) + 2 * TICK_S


def test_one_legal_move_is_played_at_once() -> None:
    assert seconds_for(facts("7k/8/8/8/8/8/1r6/K7 w - - 0 1")) == 0.0


def test_movetime_is_used_up_but_never_against_the_hard_limit() -> None:
    assert seconds_for(facts(soft_ms=1), movetime_ms=400) == pytest.approx(0.4, abs=2 * TICK_S)
    assert seconds_for(facts(hard_ms=200), movetime_ms=400) == pytest.approx(0.145, abs=2 * TICK_S)


def test_nodes_take_no_notice_of_the_soft_limit() -> None:
    assert seconds_for(facts(soft_ms=1), nodes=1_600) >= 0.9  # a look for every 16 nodes


@pytest.mark.parametrize("depth", [1, 2, 3])
def test_depth_takes_no_notice_of_it_either(depth: int) -> None:
    turn = facts(soft_ms=1)
    found = deepen(turn.board(), Limits(depth=depth), evaluate=evaluate, clock=VirtualClock())
    assert take_turn(load(parse_spec(f"classical:depth={depth}")), turn).move == found.move.uci()


@pytest.mark.parametrize("option", ["nodes", "depth", "movetime"])
def test_nothing_at_all_is_refused(option: str) -> None:
    with pytest.raises(StrategyNameError, match=f"classical: {option} is 0; it must be at least 1"):
        load(parse_spec(f"classical:{option}=0"))
    with pytest.raises(StrategyNameError, match=f"option '{option}' must be int"):
        load(parse_spec(f"classical:{option}=much"))


def test_the_game_so_far_counts() -> None:
    """Twice already both sides went to and fro; who is a queen up does not do it a third time."""
    start = "7k/8/8/8/8/8/1P6/Q6K w - - 0 1"
    moves = ("a1b1", "h8g8", "b1a1", "g8h8") * 2 + ("a1b1", "h8g8")
    board = chess.Board(start)
    for move in moves:
        board.push_uci(move)
    turn = replace(facts(start), fen=board.fen(), moves=moves)
    move = take_turn(load(StrategySpec("classical", (("nodes", 400),))), turn).move
    board.push_uci(move)
    assert not board.is_repetition(3)


@pytest.mark.parametrize(
    ("fen", "move"),
    [
        ("6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1", "a1a8"),
        ("r1bq2r1/b4pk1/p1pp1p2/1p2pP2/1P2P1PB/3P4/1PPQ2P1/R3K2R w KQ - 0 1", "d2h6"),
        ("r1bqkbnr/pppp1ppp/2n5/4p2Q/2B1P3/8/PPPP1PPP/RNB1K1NR w KQkq - 0 4", "h5f7"),
    ],
)
def test_it_mates(fen: str, move: str) -> None:
    assert take_turn(load(StrategySpec("classical", (("nodes", 2_000),))), facts(fen)).move == move


def test_it_answers_the_threat_of_mate() -> None:
    scholar = facts("r1bqkbnr/pppp1ppp/2n5/4p2Q/2B1P3/8/PPPP1PPP/RNB1K1NR b KQkq - 3 3")
    move = take_turn(load(StrategySpec("classical", (("nodes", 600),))), scholar).move
    board = scholar.board()
    board.push_uci(move)
    assert all(not _mates(board, reply) for reply in board.legal_moves)


def _mates(board: chess.Board, move: chess.Move) -> bool:
    board = board.copy()
    board.push(move)
    return board.is_checkmate()


@pytest.mark.parametrize(
    ("fen", "mate_in"),
    [("6k1/5ppp/8/8/8/8/8/R3K3 w - - 0 1", 1), ("7k/8/8/8/8/6q1/8/R6K b - - 0 1", None)],
)
def test_it_tells_what_it_found(fen: str, mate_in: int | None) -> None:
    turn = facts_from_fen(fen)
    told: list[Thought] = []
    choice = take_turn(load(parse_spec("classical:depth=2")), turn, on_thought=told.append)
    assert [thought.depth for thought in told] == ([1] if mate_in else [1, 2])
    assert told[-1] == choice.thought
    assert told[-1].pv == (choice.move,)
    assert told[-1].mate_in == mate_in
    assert (told[-1].score_cp is None) == (mate_in is not None)
