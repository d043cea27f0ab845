"""The house strategy against the procedure it follows, step by step."""

from __future__ import annotations

import csv
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import chess
import pytest

from bot.position import BOARDS, replay
from bot.simulate_move import simulate_move
from bot.strategies.contract import Look, Turn, TurnFacts
from bot.strategies.select_move import (
    CENTRE_BONUS,
    CHECK_BONUS,
    MATE,
    VALUES,
    evaluate,
    select_move,
    worst_after,
)
from bot.strategies.turn_tools import facts_from_fen, take_turn

CASES = Path(__file__).parent.parent / "data" / "select_move_cases.csv"


def played(fen: str, variant: str = "standard") -> str:
    return take_turn(select_move, facts_from_fen(fen, variant)).move


def turn_at(fen: str, simulate: Callable[[str, str | None], Look] = simulate_move) -> Turn:
    facts = facts_from_fen(fen)
    return Turn(
        **{name: getattr(facts, name) for name in TurnFacts.__dataclass_fields__},
        simulate_move=lambda fen, move=None: simulate(fen, move),
        play_move=lambda _move: None,
    )


def cases() -> list[tuple[str, str]]:
    with CASES.open(encoding="utf-8", newline="") as file:
        return [(row["fen"], row["move"]) for row in csv.DictReader(file, delimiter=";")]


@pytest.mark.parametrize(("fen", "move"), cases())
def test_it_plays_what_an_independent_reading_of_the_procedure_plays(fen: str, move: str) -> None:
    assert played(fen) == move


def test_there_are_sixty_cases_for_both_colours() -> None:
    assert len(cases()) == 60
    assert {fen.split()[1] for fen, _ in cases()} == {"w", "b"}


# --- step 1: opening preferences --------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("fen", "move"),
    [
        (chess.STARTING_FEN, "e2e4"),
        ("rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 1", "d2d4"),
        ("rnbqkbnr/pppppppp/8/8/3PP3/8/PPP2PPP/RNBQKBNR w KQkq - 0 1", "c2c4"),
        ("rnbqkbnr/pppppppp/8/8/2PPP3/8/PP3PPP/RNBQKBNR w KQkq - 0 1", "g1f3"),
    ],
)
def test_the_first_move_is_the_first_preference_that_is_legal(fen: str, move: str) -> None:
    assert played(fen) == move


def test_the_first_full_move_is_not_searched() -> None:
    looked: list[str | None] = []

    def simulate(fen: str, move: str | None) -> Look:
        looked.append(move)
        return simulate_move(fen, move)

    select_move(turn_at(chess.STARTING_FEN, simulate))
    assert looked == [None]


@pytest.mark.parametrize(
    "fen",
    [
        "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1",  # Black: none of the four is legal
        "4k3/8/8/8/8/8/8/R3K3 w - - 0 1",
    ],
)
def test_without_a_legal_preference_the_first_move_is_searched(fen: str) -> None:
    assert played(fen) == played(fen.removesuffix("1") + "2")


def test_the_preferences_are_for_the_first_full_move_only() -> None:
    fen = "rnbqkbnr/pppp1ppp/8/4p3/8/5N2/PPPPPPPP/RNBQKB1R w KQkq - 0 "
    assert played(fen + "1") == "e2e4"
    assert played(fen + "2") == "f3e5"


# --- steps 2 and 3: candidates and replies ----------------------------------------------------------------


@pytest.mark.parametrize("fen", ["r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 9", "6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 9"])
def test_it_looks_at_every_candidate_and_every_reply_in_order_and_nowhere_else(fen: str) -> None:
    looked: list[tuple[str, str | None]] = []

    def simulate(fen: str, move: str | None) -> Look:
        looked.append((fen, move))
        return simulate_move(fen, move)

    select_move(turn_at(fen, simulate))
    expected: list[tuple[str, str | None]] = [(fen, None)]
    for candidate in sorted(simulate_move(fen)["legal_moves"]):
        after = simulate_move(fen, candidate)
        expected.append((fen, candidate))
        if not after["game_over"]:
            expected.extend((after["fen"], reply) for reply in after["legal_moves"])
    assert looked == expected


def test_a_piece_is_not_left_where_it_is_taken() -> None:
    fen = "4k3/8/3p4/8/8/5N2/8/4K3 w - - 0 30"
    assert worst_after(turn_at(fen), "f3e5") == -100 - 12, "d6e5, and the pawn stands in the centre"
    assert worst_after(turn_at(fen), "f3d4") == 320 + 12 - (100 + 12), "the best reply is d6d5"


# --- step 4: what a position is worth ---------------------------------------------------------------------


@pytest.mark.parametrize(
    ("fen", "score"),
    [
        (chess.STARTING_FEN, 0),
        ("4k3/8/8/8/8/8/PPPPPPPP/RNBQKBNR b KQ - 0 1", 8 * 100 + 2 * (320 + 330 + 500) + 900),
        ("4k3/8/8/8/8/8/P7/4K3 w - - 0 1", 100),
        ("4k3/8/8/3N4/8/8/8/4K1N1 b - - 0 1", 2 * 320 + 12),
        ("4k3/8/8/3n4/8/8/8/4K1n1 b - - 0 1", -2 * 320 - 12),
        ("4k3/8/8/8/3PP3/8/8/4K3 b - - 0 1", 2 * 112),
        ("8/8/8/3k4/8/8/8/4K2R b - - 0 1", 500 - 12),  # the king in the centre counts as any piece
        ("4k3/8/8/8/8/8/8/4R1K1 b - - 0 1", 500 + CHECK_BONUS),
        ("4r1k1/8/8/8/8/8/8/4K3 w - - 0 1", -500 - CHECK_BONUS),
    ],
)
def test_the_count(fen: str, score: int) -> None:
    assert evaluate(simulate_move(fen), "standard") == score


@pytest.mark.parametrize(
    ("fen", "score"),
    [
        ("R5k1/5ppp/8/8/8/8/8/6K1 b - - 0 1", MATE),
        ("6k1/8/8/8/8/8/5PPP/r5K1 w - - 0 1", -MATE),
        ("7k/8/5KQ1/8/8/8/8/8 b - - 0 1", 0),
        ("4k3/8/8/8/8/8/8/R3K3 w - - 100 90", 0),
        ("4k3/8/8/8/8/8/8/4KN2 w - - 0 1", 0),
    ],
)
def test_the_end_of_the_game_outweighs_the_count(fen: str, score: int) -> None:
    assert evaluate(simulate_move(fen), "standard") == score


def test_no_material_outweighs_a_mate() -> None:
    heaviest = 63 * (VALUES[chess.QUEEN] + CENTRE_BONUS) + CHECK_BONUS
    assert heaviest < MATE


def test_the_colours_are_mirror_images() -> None:
    for fen, _ in cases()[:8]:
        board = chess.Board(fen)
        mirrored = board.mirror()
        turn, other = turn_at(fen), turn_at(mirrored.fen())
        for move in list(board.legal_moves)[:6]:
            image = chess.Move(
                chess.square_mirror(move.from_square), chess.square_mirror(move.to_square), move.promotion
            )
            assert worst_after(turn, move.uci()) == -worst_after(other, image.uci())


# --- step 5: the choice -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("fen", "move"),
    [
        ("6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 20", "a1a8"),
        ("r5k1/8/8/8/8/8/5PPP/6K1 b - - 0 20", "a8a1"),
        ("6k1/5ppp/8/8/8/8/q1R5/1R4K1 w - - 0 20", "b1b8"),  # rather than the queen
    ],
)
def test_mate_in_one_is_played(fen: str, move: str) -> None:
    assert played(fen) == move


def test_mate_in_one_is_avoided() -> None:
    # Black threatens Ra1 mate, and the knight is worth less than the game.
    board = chess.Board("r5k1/8/8/5n2/8/6N1/5PPP/6K1 w - - 0 20")
    board.push_uci(played(board.fen()))
    for reply in board.legal_moves:
        board.push(reply)
        assert not board.is_checkmate()
        board.pop()


def test_of_equal_scores_the_first_in_uci_order_wins() -> None:
    # No move and no reply takes anything, reaches the centre, or gives check.
    assert played("7k/8/8/8/8/8/P7/K7 w - - 0 30") == "a1b1"
    assert played("k7/p7/8/8/8/8/8/7K b - - 0 30") == "a7a5"


def test_a_draw_that_can_be_claimed_beats_a_loss() -> None:
    lost = "6k1/8/8/8/8/8/1q6/3K3R w - - {clock} 80"
    moves = sorted(simulate_move(lost.format(clock=98))["legal_moves"])
    assert all(worst_after(turn_at(lost.format(clock=10)), move) < 0 for move in moves)
    assert all(worst_after(turn_at(lost.format(clock=98)), move) == 0 for move in moves)
    assert played(lost.format(clock=98)) == moves[0]


@pytest.mark.parametrize(
    ("piece", "repeats"), [("7k/8/8/8/8/8/q7/4K1N1", True), ("7k/Q7/8/8/8/8/8/4K1N1", False)]
)
def test_a_repetition_is_accepted_from_a_worse_position_only(piece: str, repeats: bool) -> None:
    # f3g1 would bring back the position of the start for the third time.
    moves = ("h8g8", "g1f3", "g8h8", "f3g1", "h8g8", "g1f3", "g8h8")
    board = replay("standard", f"{piece} b - - 0 30", moves)
    facts = replace(
        facts_from_fen(board.fen()),
        initial_fen=board.root().fen(),
        moves=moves,
        fen=board.fen(),
        color="white",
    )
    assert (take_turn(select_move, facts).move == "f3g1") is repeats


@pytest.mark.parametrize("variant", tuple(BOARDS))
def test_it_finds_a_move_in_every_variant_for_both_sides(variant: str) -> None:
    board = BOARDS[variant]()
    for _ in range(2):
        move = played(board.fen(), variant)
        assert chess.Move.from_uci(move) in board.legal_moves
        board.push_uci(move)


@pytest.mark.parametrize(
    ("variant", "fen", "move"),
    [
        ("kingOfTheHill", "7k/8/8/8/8/3K4/7q/8 w - - 0 30", "d3d4"),
        ("threeCheck", "4k3/8/8/8/8/8/q7/3RK3 w - - 1+3 0 30", "d1d8"),
        ("racingKings", "8/k6K/8/8/8/8/8/8 w - - 0 30", "h7g8"),
        ("atomic", "3qk3/8/8/8/8/8/8/3QK3 w - - 0 30", "d1d8"),
        ("crazyhouse", "6k1/5ppp/8/8/8/8/8/6K1[R] w - - 0 30", "R@a8"),
        ("antichess", "8/8/8/8/8/8/1p6/R7 b - - 0 30", "b2a1b"),
        ("chess960", "5k2/8/8/4R1R1/8/8/8/5KR1 w G - 0 30", "f1g1"),
        ("fromPosition", "5k2/8/8/4R1R1/8/8/8/5KR1 w G - 0 30", "f1g1"),
    ],
)
def test_it_wins_at_once_where_a_variant_lets_it(variant: str, fen: str, move: str) -> None:
    assert played(fen, variant) == move
