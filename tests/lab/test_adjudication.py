"""When a game is over."""

from __future__ import annotations

from dataclasses import dataclass

import chess
import pytest

from bot.lab.adjudication import (
    DRAW_FROM_MOVE,
    DRAW_MOVES,
    WIN_MOVES,
    AgreedScores,
    Ending,
    by_tablebase,
    by_the_rules,
    in_words,
)
from bot.strategies.contract import Thought

KQK = "7k/8/8/8/8/8/8/KQ6 w - - {clock} 60"


def after(*moves: str, fen: str = chess.STARTING_FEN) -> chess.Board:
    board = chess.Board(fen)
    for move in moves:
        board.push_uci(move)
    return board


@pytest.mark.parametrize(
    ("board", "ending"),
    [
        (after("f2f3", "e7e5", "g2g4", "d8h4"), Ending("0-1", "checkmate")),
        (chess.Board("R5k1/5ppp/8/8/8/8/8/K7 b - - 0 1"), Ending("1-0", "checkmate")),
        (chess.Board("7k/5Q2/8/8/8/8/8/K7 b - - 0 1"), Ending("1/2-1/2", "stalemate")),
        (chess.Board("7k/8/8/8/8/8/8/KN6 w - - 0 1"), Ending("1/2-1/2", "insufficient material")),
        (after(*("g1f3", "g8f6", "f3g1", "f6g8") * 2), Ending("1/2-1/2", "threefold repetition")),
        (chess.Board("7k/8/8/8/8/8/8/KR6 w - - 100 90"), Ending("1/2-1/2", "fifty moves")),
        (after(*("g1f3", "g8f6", "f3g1", "f6g8"), "g1f3", "g8f6", "f3g1"), None),  # it could be claimed next
        (chess.Board("7k/8/8/8/8/8/8/KR6 w - - 99 90"), None),
        (chess.Board(), None),
    ],
)
def test_the_rules_end_a_game_and_claim_its_draws(board: chess.Board, ending: Ending | None) -> None:
    assert by_the_rules(board) == ending


@dataclass
class Tables:
    """Answers as tables of Syzygy do."""

    wdl: int | None
    dtz: int | None = None

    def get_wdl(self, board: chess.Board) -> int | None:  # noqa: ARG002  the same for any
        return self.wdl

    def get_dtz(self, board: chess.Board) -> int | None:  # noqa: ARG002
        return self.dtz


@pytest.mark.parametrize(
    ("fen", "tables", "ending"),
    [
        (KQK.format(clock=0), Tables(2), Ending("1-0", "tablebase")),
        (KQK.format(clock=0), Tables(-2), Ending("0-1", "tablebase")),
        (KQK.format(clock=0).replace(" w ", " b "), Tables(-2), Ending("1-0", "tablebase")),
        (KQK.format(clock=0), Tables(1), Ending("1/2-1/2", "tablebase")),
        (KQK.format(clock=30), Tables(0), Ending("1/2-1/2", "tablebase")),
        (KQK.format(clock=30), Tables(2, 69), Ending("1-0", "tablebase")),
        (KQK.format(clock=30), Tables(2, 70), None),
        (KQK.format(clock=30), Tables(2), None),
        (KQK.format(clock=0), Tables(None), None),
        ("4k3/8/8/8/8/8/8/4K2R w K - 0 60", Tables(2), None),
    ],
)
def test_a_tablebase_ends_what_is_certain_under_the_fifty_move_rule(
    fen: str, tables: Tables, ending: Ending | None
) -> None:
    assert by_tablebase(chess.Board(fen), tables, 3) == ending


def test_more_men_than_the_tables_have_are_not_looked_up() -> None:
    assert by_tablebase(chess.Board(), Tables(0), 5) is None


def run(scores: list[tuple[int | None, int | None]], *, at_move: int = 20) -> list[Ending | None]:
    """What is said after each move of White and Black, who told these scores, each from its own side."""
    agreed = AgreedScores()
    said = []
    for number, pair in enumerate(scores):
        for turn_after, score in zip((chess.BLACK, chess.WHITE), pair, strict=True):
            board = chess.Board()
            board.turn = turn_after
            board.fullmove_number = at_move + number
            said.append(agreed.after(board, None if score is None else Thought(5, 100, 1, score_cp=score)))
    return said


def test_a_win_needs_both_to_see_it_for_so_long() -> None:
    said = run([(1500, -1200)] * WIN_MOVES)
    assert said[-1] == Ending("1-0", "agreed scores")
    assert said[:-1] == [None] * (2 * WIN_MOVES - 1)
    assert run([(-1500, 1200)] * WIN_MOVES)[-1] == Ending("0-1", "agreed scores")


@pytest.mark.parametrize("doubt", [(1500, -300), (900, -1200), (None, -1200), (1500, None), (1500, 1500)])
def test_one_doubt_is_enough_against_it(doubt: tuple[int | None, int | None]) -> None:
    scores: list[tuple[int | None, int | None]] = [(1500, -1200)] * (WIN_MOVES - 1)
    assert set(run([*scores, doubt, *scores])) == {None}


def test_a_mate_is_far_ahead() -> None:
    agreed, board = AgreedScores(), chess.Board()
    said = []
    for _ in range(WIN_MOVES):
        for turn_after, mate_in in ((chess.BLACK, 3), (chess.WHITE, -2)):
            board.turn = turn_after
            said.append(agreed.after(board, Thought(5, 100, 1, mate_in=mate_in)))
    assert said[-1] == Ending("1-0", "agreed scores")


def test_a_draw_needs_a_late_game_as_well() -> None:
    assert run([(5, -3)] * DRAW_MOVES, at_move=DRAW_FROM_MOVE)[-1] == Ending("1/2-1/2", "agreed scores")
    assert set(run([(5, -3)] * DRAW_MOVES, at_move=DRAW_FROM_MOVE - 1)) == {None}
    assert set(run([(5, -30)] * DRAW_MOVES, at_move=DRAW_FROM_MOVE)) == {None}


def test_the_words_name_the_thresholds() -> None:
    assert in_words("rules") == "rules"
    assert "1000 cp for 4 moves" in in_words("agreed scores")
