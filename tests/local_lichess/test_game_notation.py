"""Moves and positions in writing."""

from __future__ import annotations

import pytest

from bot.local_lichess.notation import lichess_fen, squares_of
from bot.local_lichess.refusal import Refusal
from bot.local_lichess.rules import new_board
from tests.local_lichess.game_kit import Table, refusal_of, table

CASTLES = "r3k2r/pppppppp/8/8/8/8/PPPPPPPP/R3K2R w KQkq - 0 1"
START_518 = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"


def castling(variant: str, *, king_takes_rook: bool = False) -> Table:
    """White may castle on either side."""
    return table(variant=variant, initial_fen=CASTLES, king_takes_rook=king_takes_rook)


@pytest.mark.parametrize("variant", ["standard", "crazyhouse", "atomic", "kingOfTheHill", "threeCheck"])
@pytest.mark.parametrize(
    ("sent", "written"), [("e1g1", "e1g1"), ("e1h1", "e1g1"), ("e1c1", "e1c1"), ("e1a1", "e1c1")]
)
def test_castling_is_taken_either_way_and_written_as_the_kings_step(
    variant: str, sent: str, written: str
) -> None:
    t = castling(variant)
    t.play(sent)
    assert t.game.moves == (written,)
    assert t.game.fen.split()[0].split("/")[7] == ("R4RK1" if written == "e1g1" else "2KR3R")


@pytest.mark.parametrize("sent", ["e1g1", "e1h1"])
def test_from_a_position_castling_is_written_king_takes_rook(sent: str) -> None:
    t = castling("fromPosition")
    t.play(sent)
    assert t.game.moves == ("e1h1",)
    assert t.game.playing_json("white", t.now_ms)["lastMove"] == "e1h1"


@pytest.mark.parametrize("sent", ["e1g1", "e1h1"])
def test_a_switch_writes_king_takes_rook_everywhere(sent: str) -> None:
    t = castling("standard", king_takes_rook=True)
    t.play(sent)
    assert t.game.moves == ("e1h1",)
    assert "e8a8" in t.game.legal_moves()


def test_chess960_takes_king_takes_rook_only() -> None:
    t = table(variant="chess960", initial_fen=START_518)
    t.play("e2e4 e7e5 g1f3 b8c6 f1c4 f8c5")
    with pytest.raises(Refusal) as refused:
        t.game.move("white", "e1g1", t.now_ms)
    assert refusal_of(refused) == (400, "Piece on e1 cannot move to g1")
    t.play("e1h1")
    assert t.game.moves[-1] == "e1h1"


def test_a_king_may_castle_without_moving() -> None:
    t = table(variant="fromPosition", initial_fen="6k1/8/8/8/8/8/8/6KR w K - 0 1")
    t.play("g1h1")
    assert t.game.moves == ("g1h1",)
    assert t.game.fen == "6k1/8/8/8/8/8/8/5RK1 b - - 1 1"


def test_off_the_e_file_only_king_takes_rook_castles() -> None:
    t = table(variant="fromPosition", initial_fen="4k3/8/8/8/8/8/8/3K3R w H - 0 1")
    with pytest.raises(Refusal):
        t.game.move("white", "d1g1", t.now_ms)
    t.play("d1h1")
    assert t.game.fen.split()[0] == "4k3/8/8/8/8/8/8/5RK1"


def test_a_missing_promotion_is_a_queen() -> None:
    t = table(variant="fromPosition", initial_fen="8/P6k/8/8/8/8/7p/K7 w - - 0 1")
    t.play("a7a8 h2h1n")
    assert t.game.moves == ("a7a8q", "h2h1n")


def test_a_pawn_becomes_a_king_in_antichess_only() -> None:
    fen = "8/P7/8/7p/8/8/8/K6k w - - 0 1"
    t = table(variant="antichess", initial_fen=fen)
    t.play("a7a8k")
    assert t.game.fen.split()[0] == "K7/8/8/7p/8/8/8/K6k"
    ordinary = table(variant="fromPosition", initial_fen=fen)
    with pytest.raises(Refusal):
        ordinary.game.move("white", "a7a8k", ordinary.now_ms)


def test_crazyhouse_keeps_its_pocket_behind_a_ninth_slash() -> None:
    t = table(variant="crazyhouse")
    assert t.game.fen == "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR/ w KQkq - 0 1"
    t.play("e2e4 d7d5 e4d5 d8d5")
    assert t.game.fen == "rnb1kbnr/ppp1pppp/8/3q4/8/8/PPPP1PPP/RNBQKBNR/Pp w KQkq - 0 3"
    t.play("P@e4")
    assert t.game.fen.split()[0] == "rnb1kbnr/ppp1pppp/8/3q4/4P3/8/PPPP1PPP/RNBQKBNR/p"
    assert t.game.moves[-1] == "P@e4"
    assert t.game.playing_json("black", t.now_ms)["lastMove"] == "e4e4"


def test_crazyhouse_marks_what_was_promoted_and_gives_a_pawn_for_it() -> None:
    t = table(variant="crazyhouse", initial_fen="1r5k/P7/8/8/8/8/7P/K7/ w - - 0 1")
    t.play("a7b8q")
    assert t.game.fen.split()[0] == "1Q~5k/8/8/8/8/8/7P/K7/R"
    t = table(variant="crazyhouse", initial_fen="rQ~5k/8/8/8/8/8/7P/K7/ b - - 0 1")
    t.play("a8b8")
    assert t.game.fen.split()[0] == "1r5k/8/8/8/8/8/7P/K7/p"


def test_a_drop_needs_the_piece() -> None:
    t = table(variant="crazyhouse")
    with pytest.raises(Refusal) as refused:
        t.game.move("white", "N@e4", t.now_ms)
    assert refusal_of(refused) == (400, "Can't drop knight on e4")


def test_three_check_ends_with_the_checks_given() -> None:
    t = table(variant="threeCheck")
    assert t.game.fen.endswith(" 0 1 +0+0")
    t.play("e2e4 d7d5 f1b5")
    assert t.game.fen == "rnbqkbnr/ppp1pppp/8/1B1p4/4P3/8/PPPP1PPP/RNBQK1NR b KQkq - 1 2 +1+0"
    t.play("c7c6 b5c6 b8c6 e4d5 d8d5 a2a3 d5e5")
    assert t.game.fen.endswith(" +2+1")


def test_castling_rights_name_the_file_only_where_the_outer_rook_has_none() -> None:
    inner = table(variant="fromPosition", initial_fen="4k3/8/8/8/8/8/P7/R3KR1R w FA - 0 1")
    assert inner.game.fen == inner.game.initial_fen == "4k3/8/8/8/8/8/P7/R3KR1R w FQ - 0 1"
    outer = table(variant="chess960", initial_fen="bbqnnrkr/pppppppp/8/8/8/8/PPPPPPPP/BBQNNRKR w HFhf - 0 1")
    assert outer.game.full_json(0)["initialFen"] == (
        "bbqnnrkr/pppppppp/8/8/8/8/PPPPPPPP/BBQNNRKR w KQkq - 0 1"
    )


@pytest.mark.parametrize(
    ("moves", "square"),
    [
        ("e2e4", "-"),
        ("e2e4 a7a6 e4e5 d7d5", "d6"),
        ("e2e4 a7a6 e4e5 f7f5", "f6"),
        ("e2e4 e7e6 e4e5 d8e7 a2a3 f7f6 a3a4 f6e5 a4a5 b7b5", "b6"),
    ],
)
def test_the_en_passant_square_is_there_only_for_a_capture(moves: str, square: str) -> None:
    t = table()
    t.play(moves)
    assert t.game.fen.split()[3] == square


def test_a_pinned_pawn_cannot_capture_en_passant() -> None:
    t = table(variant="fromPosition", initial_fen="4k3/3p4/8/K3P2r/8/8/8/8 b - - 0 1")
    t.play("d7d5")
    assert t.game.fen.split()[3] == "-"


def test_both_dialects_of_fen_are_read() -> None:
    for variant, ours, theirs in (
        ("crazyhouse", "7k/8/8/8/8/8/7P/K7/Nq w - - 0 1", "7k/8/8/8/8/8/7P/K7[Nq] w - - 0 1"),
        ("threeCheck", "7k/8/8/8/8/8/7P/K7 w - - 0 1 +1+2", "7k/8/8/8/8/8/7P/K7 w - - 2+1 0 1"),
    ):
        assert lichess_fen(new_board(variant, ours)) == lichess_fen(new_board(variant, theirs)) == ours


@pytest.mark.parametrize(("uci", "squares"), [("e2e4", "e2e4"), ("e7e8q", "e7e8"), ("N@f3", "f3f3")])
def test_the_last_move_is_two_squares(uci: str, squares: str) -> None:
    assert squares_of(uci) == squares
