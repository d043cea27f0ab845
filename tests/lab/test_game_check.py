"""Journals that a sceptic doctored, each of which an audit once called good."""

from __future__ import annotations

from dataclasses import replace

import chess
import pytest

from bot.lab.adjudication import Tablebase
from bot.lab.game_check import Ends, wrong_with
from bot.lab.records import GameRecord, MoveRecord

START = chess.STARTING_FEN
RULES = Ends(max_plies=400, agreed_scores=False, tables=False)
FOOLS_MATE = ("f2f3", "e7e5", "g2g4", "d8h4")
SHUFFLE = ("g1f3", "g8f6", "f3g1", "f6g8") * 2
MATE = GameRecord("A", "B", "0-1", "checkmate", None, None, None, tuple(MoveRecord(m, 1) for m in FOOLS_MATE))
THREEFOLD = replace(
    MATE, result="1/2-1/2", ending="threefold repetition", moves=tuple(MoveRecord(m, 1) for m in SHUFFLE)
)
LONG = replace(MATE, result="1/2-1/2", ending="maximum length", moves=THREEFOLD.moves[:6])
CRASH = replace(MATE, result="1-0", ending="crash", fault="crash", fault_by="black", moves=MATE.moves[:3])
SIX = replace(RULES, max_plies=6)


@pytest.mark.parametrize(("game", "ends"), [(MATE, RULES), (THREEFOLD, RULES), (LONG, SIX), (CRASH, RULES)])
def test_what_can_be_is_believed(game: GameRecord, ends: Ends) -> None:
    assert wrong_with(game, START, ends) is None


@pytest.mark.parametrize(
    ("game", "said"),
    [
        # A draw by maximum length that became a win.
        (replace(LONG, result="1-0"), "the result is 1-0, and 1/2-1/2 by the rules (maximum length)"),
        (
            replace(LONG, ending="checkmate"),
            "the ending is 'checkmate', and on the board it is 'maximum length'",
        ),
        # Endings that are none.
        (replace(LONG, ending="resignation"), "the ending is 'resignation', and on the board it is"),
        (
            replace(LONG, ending="resignation", moves=LONG.moves[:5]),
            "the ending is 'resignation', which is none that this run can have",
        ),
        # A draw that was cut off.
        (
            replace(LONG, moves=LONG.moves[:5]),
            "the ending is 'maximum length' after 5 plies, and there the game is not over",
        ),
        (
            replace(LONG, ending="stalemate", moves=LONG.moves[:5]),
            "the ending is 'stalemate' after 5 plies, and there the game is not over",
        ),
        # A result without the game's being over.
        (
            replace(MATE, moves=MATE.moves[:3]),
            "the ending is 'checkmate' after 3 plies, and there the game is not over",
        ),
        (replace(LONG, ending="agreed scores", moves=LONG.moves[:5]), "none that this run can have"),
        (replace(LONG, ending="tablebase", moves=LONG.moves[:5]), "none that this run can have"),
        # Moves behind the end.
        (
            replace(MATE, moves=(*MATE.moves, MoveRecord("a2a3", 1))),
            "ply 5 comes after the end of the game (checkmate, 0-1)",
        ),
        (replace(LONG, moves=THREEFOLD.moves[:7]), "7 plies, where 6 are the most"),
        (replace(MATE, result="1-0"), "the result is 1-0, and 0-1 by the rules (checkmate)"),
        # Faults of the winner, of whoever was not to move, by another name, and behind the end.
        (replace(CRASH, result="0-1"), "crash by black loses the game, and the result is 0-1"),
        (replace(CRASH, fault_by="white", result="0-1"), "crash by white, and it was the other side's turn"),
        (replace(CRASH, ending="checkmate"), "the ending is 'checkmate', and the fault is 'crash'"),
        (
            replace(CRASH, fault_by="white", result="0-1", moves=MATE.moves),
            "crash by white comes after the end of the game (checkmate, 0-1)",
        ),
        (
            replace(CRASH, fault="not loaded", ending="not loaded"),
            "a player that was not loaded has let the game begin",
        ),
        (replace(MATE, moves=(MoveRecord("a1a8", 1),)), "ply 1, a1a8, is not legal"),
        (replace(MATE, moves=(MoveRecord("rubbish", 1),)), "ply 1, rubbish, is not legal"),
    ],
)
def test_what_cannot_be_is_said(game: GameRecord, said: str) -> None:
    found = wrong_with(game, START, SIX)

    assert found is not None
    assert said in found


def test_an_opening_that_is_no_position_is_said() -> None:
    assert wrong_with(MATE, "rubbish", RULES) == "its opening 'rubbish' is no position"


def test_agreed_scores_are_added_up_again() -> None:
    """Eight moves in a row that both say are worth ten pawns to White."""
    moves = ("g1f3", "g8f6", "b1c3", "b8c6", "e2e4", "e7e5", "f1c4", "f8c5")
    told = tuple(MoveRecord(move, 1, 1_200 if ply % 2 == 0 else -1_200) for ply, move in enumerate(moves))
    game = replace(MATE, result="1-0", ending="agreed scores", moves=told)
    agreeing = replace(RULES, agreed_scores=True)

    assert wrong_with(game, START, agreeing) is None
    assert wrong_with(replace(game, result="0-1"), START, agreeing) is not None
    silent = replace(game, moves=(*told[:-1], MoveRecord(moves[-1], 1, 100)))
    assert "and there the game is not over" in (wrong_with(silent, START, agreeing) or "")
    assert "is none that this run can have" in (wrong_with(game, START, RULES) or "")


class Drawn(Tablebase):
    def get_wdl(self, board: chess.Board) -> int:  # noqa: ARG002  whatever the board
        return 0

    def get_dtz(self, board: chess.Board) -> int:  # noqa: ARG002  whatever the board
        return 0


def test_a_tablebase_that_is_not_here_is_believed_as_far_as_it_can_be() -> None:
    fen = "8/8/8/3k4/8/3K4/3R4/8 w - - 0 1"
    away = replace(RULES, tables=True)
    game = replace(MATE, result="1-0", ending="tablebase", moves=())

    assert wrong_with(game, fen, away) is None
    assert (
        wrong_with(game, START, away)
        == "the ending is 'tablebase', and there is none for the 32 men on the board"
    )
    here = replace(away, at_hand=Drawn(), most_men=3)
    assert wrong_with(game, fen, here) == "the result is 1-0, and 1/2-1/2 by the rules (tablebase)"


def test_at_the_maximum_length_a_tablebase_may_have_been_faster() -> None:
    fen = "8/8/8/3k4/8/3K4/3R4/8 w - - 0 1"
    away = Ends(max_plies=1, agreed_scores=False, tables=True)
    one = replace(MATE, result="1-0", ending="tablebase", moves=(MoveRecord("d2d1", 1),))

    assert wrong_with(one, fen, away) is None
    assert wrong_with(replace(one, ending="maximum length"), fen, away) is not None
    assert wrong_with(replace(one, ending="maximum length", result="1/2-1/2"), fen, away) is None


def test_of_rules_of_another_version_only_the_rules_of_chess_are_checked() -> None:
    other = replace(RULES, agreed_scores=None)

    assert wrong_with(replace(MATE, ending="by lot", moves=MATE.moves[:2]), START, other) is None
    assert wrong_with(replace(MATE, ending="by lot"), START, other) is not None
