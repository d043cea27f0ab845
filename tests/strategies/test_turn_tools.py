"""A turn from its facts to its move: the commit tool, and what becomes of a strategy's faults."""

from __future__ import annotations

import pickle
from collections.abc import Callable
from dataclasses import replace

import chess
import pytest

from bot.errors import (
    IllegalMoveError,
    NoMoveError,
    PositionError,
    SecondMoveError,
    StrategyError,
)
from bot.position import BOARDS, new_board
from bot.strategies.contract import PlayMove, Strategy, Turn, TurnFacts
from bot.strategies.turn_tools import Choice, Commit, facts_from_fen, take_turn

START = facts_from_fen("startpos")


def plays(*moves: str, swallow: bool = False, then: Exception | None = None) -> Strategy:
    """A strategy that calls play_move with each of `moves`, perhaps deaf to what it hears."""

    def strategy(turn: Turn) -> None:
        for move in moves:
            try:
                turn.play_move(move)
            except StrategyError:
                if not swallow:
                    raise
        if then is not None:
            raise then

    return strategy


# --- the commit tool --------------------------------------------------------------------------------------


def test_one_legal_move_is_the_turns_move() -> None:
    committed: list[str] = []
    assert take_turn(plays("e2e4"), START, on_commit=committed.append) == Choice("e2e4", None)
    assert committed == ["e2e4"]


@pytest.mark.parametrize("notation", ["e1g1", "e1h1"])
@pytest.mark.parametrize(
    ("variant", "sent"), [("standard", "e1g1"), ("chess960", "e1h1"), ("fromPosition", "e1h1")]
)
def test_castling_is_committed_as_it_is_sent(variant: str, sent: str, notation: str) -> None:
    facts = facts_from_fen("4k3/8/8/8/8/8/8/4K2R w K - 0 1", variant)
    committed: list[str] = []
    assert take_turn(plays(notation), facts, on_commit=committed.append).move == sent
    assert committed == [sent]


@pytest.mark.parametrize("move", ["e2e5", "e7e5", "", "0000", "castle", "e2e4q", "Nf3", None, 4, b"e2e4"])
@pytest.mark.parametrize("swallow", [True, False])
def test_an_illegal_move_is_a_fault_of_the_turn(move: str, swallow: bool) -> None:
    committed: list[str] = []
    with pytest.raises(IllegalMoveError) as caught:
        take_turn(plays(move, swallow=swallow), START, on_commit=committed.append)
    assert str(caught.value).startswith(f"play_move: {move!r} is ")
    assert committed == []


def test_a_second_try_does_not_mend_an_illegal_move() -> None:
    committed: list[str] = []
    with pytest.raises(IllegalMoveError, match="'e2e5'"):
        take_turn(plays("e2e5", "e2e4", swallow=True), START, on_commit=committed.append)
    assert committed == []


@pytest.mark.parametrize("second", ["e2e4", "d2d4", "e2e5"])
@pytest.mark.parametrize("swallow", [True, False])
def test_a_second_call_is_a_fault_of_the_turn(second: str, swallow: bool) -> None:
    committed: list[str] = []
    with pytest.raises(SecondMoveError, match=f"play_move\\('{second}'\\): e2e4 was played"):
        take_turn(plays("e2e4", second, swallow=swallow), START, on_commit=committed.append)
    assert committed == ["e2e4"], "what was committed was said at once, and said once"


def test_the_strategy_hears_of_its_fault_where_it_happens() -> None:
    commit = Commit(chess.Board())
    with pytest.raises(IllegalMoveError):
        commit.play_move("e2e5")
    with pytest.raises(SecondMoveError):
        commit.play_move("e2e4")
    assert isinstance(commit.fault, IllegalMoveError), "the first one is the turn's"
    assert commit.move is None


def test_a_turn_without_a_move_is_a_fault() -> None:
    with pytest.raises(NoMoveError, match="returned without calling play_move"):
        take_turn(plays(), START)


def test_a_tool_kept_for_later_is_dead() -> None:
    kept: list[PlayMove] = []

    def strategy(turn: Turn) -> None:
        kept.append(turn.play_move)
        turn.play_move("e2e4")

    committed: list[str] = []
    take_turn(strategy, START, on_commit=committed.append)
    with pytest.raises(SecondMoveError, match="over"):
        kept[0]("d2d4")
    assert committed == ["e2e4"]


# --- errors of the strategy's own ---------------------------------------------------------------------------


def test_an_exception_is_told_in_one_line_with_its_place() -> None:
    with pytest.raises(
        StrategyError, match=r"^test_turn_tools\.py:\d+ in strategy: KeyError: 'x'$"
    ) as caught:
        take_turn(plays(then=KeyError("x")), START)
    assert isinstance(caught.value.__cause__, KeyError)


@pytest.mark.parametrize("error", [SystemExit(1), RecursionError("deep"), MemoryError()])
def test_no_exception_gets_away(error: BaseException) -> None:
    def strategy(turn: Turn) -> None:
        raise error

    with pytest.raises(StrategyError, match=type(error).__name__):
        take_turn(strategy, START)


def test_an_exception_after_the_move_does_not_undo_it() -> None:
    choice = take_turn(plays("e2e4", then=ValueError("too late")), START)
    assert choice.move == "e2e4"
    assert choice.note is not None
    assert choice.note.endswith("ValueError: too late")


def test_a_fault_outranks_what_the_strategy_raised_because_of_it() -> None:
    with pytest.raises(IllegalMoveError, match="'e2e5'") as caught:
        take_turn(plays("e2e5", swallow=True, then=ValueError("gave up")), START)
    assert isinstance(caught.value.__cause__, ValueError)


def test_ctrl_c_is_not_the_strategys() -> None:
    def strategy(turn: Turn) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        take_turn(strategy, START)


# --- what a turn is made of ---------------------------------------------------------------------------------


def seen_by_the_strategy(facts: TurnFacts) -> Turn:
    turns: list[Turn] = []

    def strategy(turn: Turn) -> None:
        turns.append(turn)
        turn.play_move(turn.simulate_move(turn.fen)["legal_moves"][0])

    take_turn(strategy, facts)
    return turns[0]


def test_a_turn_has_all_the_facts() -> None:
    turn = seen_by_the_strategy(START)
    for name in TurnFacts.__dataclass_fields__:
        assert getattr(turn, name) == getattr(START, name)
    assert turn.board().fen() == START.fen


def test_the_look_tool_follows_the_variant() -> None:
    turn = seen_by_the_strategy(facts_from_fen("4k3/8/8/8/8/8/8/4K3[Q] w - - 0 1", "crazyhouse"))
    assert "Q@e7" in turn.simulate_move(turn.fen)["legal_moves"]


def test_the_look_tool_knows_the_game() -> None:
    moves = ("g1f3", "g8f6", "f3g1", "f6g8") * 2
    facts = replace(START, moves=moves[:-1], fen=START.fen, color="black")
    turn = seen_by_the_strategy(replace(facts, fen=facts.board().fen()))
    assert turn.simulate_move(turn.fen, "f6g8")["result"] == "1/2-1/2"


def test_facts_that_cannot_be_are_a_position_error() -> None:
    with pytest.raises(PositionError, match="ply 1: 'e2e5'"):
        take_turn(plays("e2e4"), replace(START, moves=("e2e5",)))


@pytest.mark.parametrize("variant", tuple(BOARDS))
def test_facts_from_a_fen_stand_alone(variant: str) -> None:
    facts = facts_from_fen("startpos", variant)
    assert facts.fen == facts.initial_fen == facts.board().fen() == new_board(variant, "startpos").fen()
    assert (facts.moves, facts.color, facts.variant) == ((), "white", variant)
    assert 0 < facts.limit.soft_ms <= facts.limit.hard_ms
    assert pickle.loads(pickle.dumps(facts)) == facts  # noqa: S301  our own bytes


@pytest.mark.parametrize(
    "make", [lambda: facts_from_fen("nonsense"), lambda: facts_from_fen("startpos", "go")]
)
def test_facts_from_a_fen_that_cannot_be(make: Callable[[], TurnFacts]) -> None:
    with pytest.raises(PositionError):
        make()


def test_the_side_to_move_is_the_fens() -> None:
    assert facts_from_fen("4k3/8/8/8/8/8/8/4K2R b K - 3 9").color == "black"
