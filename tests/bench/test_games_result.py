"""How games end, by name, and what was left on the clock."""

from __future__ import annotations

from dataclasses import replace

import chess
import pytest

from bot.bench.games_result import ENDINGS, GAVE_UP, OUR_FLAG, THEIR_FLAG, ending_of, judge, least_left_ms
from bot.bench.games_schedule import Fixture
from bot.local_lichess.clocks import FineRealtime
from tests.bench.test_verdict import GAME

CONTROL = FineRealtime(15, 1, 10_000, 100)
FIXTURE = Fixture(1, "classical", "white", chess.STARTING_FEN)
SHUFFLE = ("g1f3", "g8f6", "f3g1", "f6g8")
LONE_KINGS = "7k/8/8/8/8/8/8/Kr6 w - - 0 1"


@pytest.mark.parametrize(
    ("status", "opening", "moves", "ending"),
    [
        ("mate", chess.STARTING_FEN, ("e2e4",), "checkmate"),
        ("stalemate", chess.STARTING_FEN, ("e2e4",), "stalemate"),
        ("draw", LONE_KINGS, ("a1b1",), "insufficient material"),
        ("draw", chess.STARTING_FEN, SHUFFLE * 2, "repetition"),
        ("draw", "7k/8/8/8/8/8/8/KR6 w - - 99 80", ("b1b2",), "fifty moves"),
        ("draw", chess.STARTING_FEN, ("e2e4",), "a draw by no rule"),
        ("aborted", chess.STARTING_FEN, ("e2e4",), "aborted"),
        ("started", chess.STARTING_FEN, ("e2e4",), "not finished"),
    ],
)
def test_endings(status: str, opening: str, moves: tuple[str, ...], ending: str) -> None:
    game = replace(GAME, status=status, winner=None, moves=moves)
    assert ending_of(opening, game, "knight") == ending


def test_castling_is_replayed_as_games_from_a_position_write_it() -> None:
    opening = "r3k3/8/8/8/8/8/8/4K2R w K - 0 1"
    game = replace(GAME, status="draw", winner=None, variant="fromPosition", moves=("e1h1",))
    assert ending_of(opening, game, "knight") == "a draw by no rule"


def test_flags_and_resignations_by_whose_they_are() -> None:
    flag = replace(GAME, status="outoftime", winner="black")  # White is to move
    assert ending_of(chess.STARTING_FEN, flag, "knight") == OUR_FLAG
    assert ending_of(chess.STARTING_FEN, replace(flag, winner="white"), "guest") == THEIR_FLAG
    resigned = replace(GAME, status="resign", winner="white")
    assert ending_of(chess.STARTING_FEN, resigned, "knight") == GAVE_UP
    assert ending_of(chess.STARTING_FEN, resigned, "guest") == "we resigned"
    assert not {OUR_FLAG, THEIR_FLAG, GAVE_UP} & set(ENDINGS)


@pytest.mark.parametrize(
    ("status", "winner", "result"),
    [
        ("mate", "white", "won"),
        ("mate", "black", "lost"),
        ("draw", None, "drawn"),
        ("outoftime", None, "drawn"),
        ("aborted", None, None),
        ("started", None, None),
    ],
)
def test_results_are_the_bots(status: str, winner: str | None, result: str | None) -> None:
    game = replace(GAME, status=status, winner=winner)  # type: ignore[arg-type]  # parametrized
    assert judge(FIXTURE, game, (), CONTROL, "knight").result == result


@pytest.mark.parametrize(
    ("side", "to_move", "least"),
    [
        ("white", "w", 4_900),  # after the third move: 5.0 s, of which the increment is 0.1 s
        ("black", "w", 2_950),  # the last move of the game, which earned nothing
        ("black", "b", 4_900),
        ("white", "b", 2_950),
    ],
)
def test_the_least_on_the_clock_is_before_the_increment(side: str, to_move: str, least: int) -> None:
    left_ms = (10_000, 10_000, 9_000, 8_000, 5_000, 2_950)
    fixture = replace(FIXTURE, bots_side=side, opening=f"4k3/8/8/8/8/8/8/4K2R {to_move} - - 0 1")  # type: ignore[arg-type]  # parametrized
    assert least_left_ms(fixture, left_ms, CONTROL) == least
    assert least_left_ms(fixture, left_ms[:2], CONTROL) == 10_000
    assert least_left_ms(fixture, (), CONTROL) is None
