"""The look tool: what it returns, in every variant, and what it knows of a game's past."""

from __future__ import annotations

import random

import chess
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bot.errors import PositionError
from bot.position import BOARDS, new_board, replay
from bot.simulate_move import past_of, simulate_move, tool_for
from bot.strategies.contract import SimulateMove

SHUFFLE = ("g1f3", "g8f6", "f3g1", "f6g8")  # four plies, and the same position again


def tool_in(variant: str, game: chess.Board) -> SimulateMove:
    """The tool of a strategy in that game."""
    moves = tuple(move.uci() for move in game.move_stack)
    return tool_for(variant, past_of(variant, game.root().fen(), moves))


def test_inspecting_the_start() -> None:
    look = simulate_move(chess.STARTING_FEN)
    assert look["fen"] == chess.STARTING_FEN
    assert sorted(look["legal_moves"]) == sorted(move.uci() for move in chess.Board().legal_moves)
    assert (look["game_over"], look["winner"], look["result"]) == (False, None, "*")
    assert set(look) == {"fen", "legal_moves", "game_over", "winner", "result"}


def test_a_move_is_one_ply_and_chains() -> None:
    fen = chess.STARTING_FEN
    for move in ("e2e4", "c7c5", "g1f3"):
        fen = simulate_move(fen, move)["fen"]
    assert fen == "rnbqkbnr/pp1ppppp/8/2p5/4P3/5N2/PPPP1PPP/RNBQKB1R b KQkq - 1 2"


@pytest.mark.parametrize(
    ("fen", "move", "winner", "result"),
    [
        ("6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1", "a1a8", "white", "1-0"),
        ("r5k1/8/8/8/8/8/5PPP/6K1 b - - 0 1", "a8a1", "black", "0-1"),
        ("7k/8/5K2/6Q1/8/8/8/8 w - - 0 1", "g5g6", None, "1/2-1/2"),  # stalemate
        ("4k3/8/8/8/8/8/4p3/4K3 w - - 0 1", "e1e2", None, "1/2-1/2"),  # bare kings
        ("4k3/8/8/8/8/8/8/R3K3 w - - 99 90", "a1a2", None, "1/2-1/2"),  # fifty moves
        ("4k3/8/8/8/8/8/8/R3K3 w - - 98 90", "a1a2", None, "1/2-1/2"),  # the next one can claim
        ("4k3/8/8/8/8/8/8/R3K3 w - - 199 90", None, None, "1/2-1/2"),
        ("4k3/8/8/8/8/8/8/R3K3 w - - 97 90", "a1a2", None, "*"),
        ("4k3/8/8/8/8/8/P7/R3K3 w - - 99 90", "a2a4", None, "*"),
    ],
)
def test_endings(fen: str, move: str | None, winner: str | None, result: str) -> None:
    look = simulate_move(fen, move)
    assert (look["game_over"], look["winner"], look["result"]) == (result != "*", winner, result)


def test_moves_are_still_listed_where_a_draw_can_merely_be_claimed() -> None:
    assert "a1a2" in simulate_move("4k3/8/8/8/8/8/8/R3K3 w - - 100 90")["legal_moves"]


@pytest.mark.parametrize(
    ("variant", "fen", "move", "winner"),
    [
        ("kingOfTheHill", "7k/8/8/8/8/4K3/8/8 w - - 0 1", "e3e4", "white"),
        ("threeCheck", "4k3/8/8/8/8/8/8/R3K3 w - - 1+3 0 1", "a1a8", "white"),
        ("threeCheck", "4k3/8/8/8/8/8/8/R3K3 w - - 0 1 +2+0", "a1a8", "white"),
        ("racingKings", "8/k6K/8/8/8/8/8/8 b - - 0 1", "a7a8", "black"),
        ("atomic", "3qk3/8/8/8/8/8/8/3QK3 w - - 0 1", "d1d8", "white"),
        ("horde", "4k3/8/8/8/8/8/r7/P7 b kq - 0 1", "a2a1", "black"),
        ("antichess", "8/8/8/8/8/8/1p6/R7 b - - 0 1", "b2a1q", "white"),  # who has nothing left has won
        ("antichess", "8/8/8/p7/8/P7/8/8 w - - 0 1", "a3a4", "black"),  # and who cannot move
        ("antichess", "8/8/8/p7/8/8/P7/8 w - - 0 1", "a2a3", None),
    ],
)
def test_endings_of_variants(variant: str, fen: str, move: str | None, winner: str | None) -> None:
    look = tool_for(variant)(fen, move)
    assert look["winner"] == winner
    assert look["game_over"] is (winner is not None)
    assert bool(look["legal_moves"]) is (winner is None)


@settings(deadline=None, max_examples=40)
@given(variant=st.sampled_from(tuple(BOARDS)), seed=st.integers(0, 10_000))
def test_it_agrees_with_python_chess_along_a_random_game(variant: str, seed: int) -> None:
    rng = random.Random(seed)
    tool = tool_for(variant)
    board = new_board(variant, "startpos")
    look = tool(board.fen())
    for _ in range(80):
        fresh = new_board(variant, board.fen())
        outcome = fresh.outcome(claim_draw=True)
        assert look["fen"] == board.fen()
        assert look["game_over"] is (outcome is not None)
        assert look["result"] == (outcome.result() if outcome else "*")
        winner = (
            None if outcome is None or outcome.winner is None else ("white" if outcome.winner else "black")
        )
        assert look["winner"] == winner
        if board.is_game_over():
            return
        assert sorted(look["legal_moves"]) == sorted(board.uci(move) for move in board.legal_moves)
        uci = rng.choice(look["legal_moves"])
        look = tool(look["fen"], uci)
        board.push_uci(uci)


def test_chess960_fens_go_in_and_out_as_x_fen() -> None:
    tool = tool_for("chess960")
    fen = "4k3/8/8/8/8/8/8/R1RK4 w C - 0 1"  # castling with the inner rook, which is named by its file
    look = tool(fen)
    assert look["fen"] == fen
    assert "d1c1" in look["legal_moves"]
    assert "d1a1" not in look["legal_moves"]
    assert tool(fen, "d1c1")["fen"] == "4k3/8/8/8/8/8/8/R1KR4 b - - 1 1"
    assert tool(fen, "a1a2")["fen"] == "4k3/8/8/8/8/8/R7/2RK4 b Q - 1 1", "now it is the outer one"


def test_castling_is_taken_in_both_notations() -> None:
    fen = "4k3/8/8/8/8/8/8/4K2R w K - 0 1"
    assert simulate_move(fen, "e1g1") == simulate_move(fen, "e1h1")
    chess960 = tool_for("chess960")
    assert "e1g1" in simulate_move(fen)["legal_moves"]
    assert "e1h1" in chess960(fen)["legal_moves"]
    assert chess960(fen, "e1g1") == chess960(fen, "e1h1")


@pytest.mark.parametrize("move", ["e2e5", "", "0000", "e9e4", "castle", "e2e4q", "P@e4"])
def test_a_move_that_cannot_be_is_one_clear_line(move: str) -> None:
    with pytest.raises(PositionError) as caught:
        simulate_move(chess.STARTING_FEN, move)
    assert isinstance(caught.value, ValueError)
    assert repr(move) in str(caught.value)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("fen", ["", "nonsense", "8/8/8/8/8/8/8/8 w - - 0 1", None, 7])
def test_a_fen_that_cannot_be_is_one_clear_line(fen: str) -> None:
    with pytest.raises(PositionError) as caught:
        simulate_move(fen)
    assert repr(fen) in str(caught.value)


# --- the game's past --------------------------------------------------------------------------------------


def test_the_third_time_is_a_draw() -> None:
    game = replay("standard", "startpos", SHUFFLE + SHUFFLE[:3])  # one ply before the start's third time
    look = tool_in("standard", game)
    assert look(game.fen())["game_over"] is False
    drawn = look(game.fen(), "f6g8")
    assert (drawn["game_over"], drawn["winner"], drawn["result"]) == (True, None, "1/2-1/2")
    assert "e2e4" in drawn["legal_moves"]
    assert look(game.fen(), "f6e4")["game_over"] is False
    assert tool_for("standard")(game.fen(), "f6g8")["game_over"] is False, "without a game there is no past"


def test_the_present_position_is_not_counted_twice() -> None:
    game = replay("standard", "startpos", SHUFFLE)
    tool = tool_in("standard", game)
    assert tool(game.fen())["game_over"] is False, "it stands on the board for the second time"
    assert tool(chess.STARTING_FEN)["game_over"] is True, (
        "the same again, later or earlier, would be the third"
    )
    third = replay("standard", "startpos", SHUFFLE * 2)
    assert tool_in("standard", third)(third.fen())["game_over"] is True


def test_a_line_that_is_only_simulated_leaves_no_trace() -> None:
    game = replay("standard", "startpos", SHUFFLE[:1])
    tool = tool_in("standard", game)
    fen = game.fen()
    for move in (*SHUFFLE[1:], *SHUFFLE, *SHUFFLE):
        look = tool(fen, move)
        fen = look["fen"]
        assert look["game_over"] is False
    assert game.fen() == replay("standard", "startpos", SHUFFLE[:1]).fen()


def test_lost_castling_rights_make_another_position() -> None:
    opening = ("e2e4", "e7e5")
    kings_walk = ("e1e2", "e8e7", "e2e1", "e7e8")
    game = replay("standard", "startpos", (*opening, *kings_walk, *kings_walk[:3]))
    # The first time the kings could still castle: that is not the same position.
    assert tool_in("standard", game)(game.fen(), "e7e8")["game_over"] is False
    longer = replay("standard", "startpos", (*opening, *kings_walk * 2, *kings_walk[:3]))
    assert tool_in("standard", longer)(longer.fen(), "e7e8")["game_over"] is True


def test_given_checks_make_another_position() -> None:
    fen = "4k3/8/8/8/8/8/8/Q3K3 w - - 9+9 0 1"
    checks = ("a1a4", "e8e7", "a4a1", "e7e8")
    game = replay("threeCheck", fen, checks + checks[:3])
    assert tool_in("threeCheck", game)(game.fen(), "e7e8")["game_over"] is False
    quiet = ("a1b1", "e8e7", "b1a1", "e7e8")
    game = replay("threeCheck", fen, quiet + quiet[:3])
    assert tool_in("threeCheck", game)(game.fen(), "e7e8")["game_over"] is True


def test_pockets_make_another_position() -> None:
    fen = "4k3/8/8/8/8/8/8/4K3[Nn] w - - 0 1"
    kings_walk = ("e1e2", "e8e7", "e2e1", "e7e8")
    game = replay("crazyhouse", fen, kings_walk + kings_walk[:3])
    assert tool_in("crazyhouse", game)(game.fen(), "e7e8")["game_over"] is True
    other = replay("crazyhouse", fen.replace("[Nn]", "[Nnn]"), kings_walk[:3])
    assert tool_in("crazyhouse", game)(other.fen(), "e7e8")["game_over"] is False


@settings(deadline=None, max_examples=40)
@given(variant=st.sampled_from(tuple(BOARDS)), seed=st.integers(0, 1_000))
def test_a_repetition_is_what_python_chess_counts(variant: str, seed: int) -> None:
    """Games of few moves, so that positions do come again."""
    rng = random.Random(seed)
    board = new_board(variant, "startpos")
    for _ in range(24):
        moves = sorted(board.legal_moves, key=lambda move: move.uci())
        knights = [move for move in moves if board.piece_type_at(move.from_square) == chess.KNIGHT] or moves
        board.push(rng.choice(knights[:2] + knights[-2:]))
        if board.is_game_over():
            return
        fresh = new_board(variant, board.fen())
        drawn = board.is_repetition(3) or fresh.outcome(claim_draw=True) is not None
        assert tool_in(variant, board)(board.fen())["game_over"] is drawn


# --- it only looks ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("variant", tuple(BOARDS))
def test_looking_changes_nothing(variant: str) -> None:
    game = replay(variant, "startpos", [])
    before = (game.fen(), list(game.move_stack))
    tool = tool_in(variant, game)
    first = tool(game.fen())
    for move in first["legal_moves"]:
        tool(game.fen(), move)
    first_moves = list(first["legal_moves"])
    first["legal_moves"].clear()  # the caller's own list
    assert tool(game.fen())["legal_moves"] == first_moves
    assert (game.fen(), list(game.move_stack)) == before
