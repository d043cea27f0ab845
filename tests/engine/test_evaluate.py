"""The compiled evaluation is the readable one, to the centipawn: as a whole, and family by family."""

from __future__ import annotations

import dataclasses
import itertools
import random
from collections.abc import Iterator

import chess
import pytest
from hypothesis import assume, given

from bot.engine import position, weights
from bot.engine.evaluate import FULL_MATERIAL, LIMIT, OPENING, evaluate
from bot.engine.evaluate_material import placed
from bot.engine.state import State, new_state
from bot.evaluation import WEIGHTS, Pair, Weights, breakdown, game_phase, phase, score, taper
from bot.evaluation import evaluate as reference
from tests.engine.kit import random_positions
from tests.evaluation.kit import placements

#: Which weights are whose.
FAMILIES = {
    "material": (
        "piece_values",
        "bishop_pair",
        "rook_pair",
        "knight_per_ram",
        "bishop_per_missing_pawn",
        "rook_in_endgame",
    ),
    "piece-square": ("piece_square",),
    "pawns": (
        "isolated_file",
        "doubled_file",
        "backward_pawn",
        "passed_pawn_by_rank",
        "connected_passed_pawns",
        "chain_link",
        "island",
    ),
    "king safety": (
        "shield_pawn",
        "open_file_near_king",
        "king_attack_units",
        "king_attack_divisor",
        "king_attack_limit",
        "tropism",
    ),
    "mobility": ("mobility", "usual_mobility"),
    "key squares": ("centre_square", "centre_square_by_pawn", "outer_centre_square", "free_passed_pawn"),
    "development": (
        "minor_at_home",
        "early_queen_per_minor",
        "castling_right",
        "connected_rooks",
        "tempo",
    ),
    "tactics": ("pin", "fork", "hanging_piece", "piece_attacked_by_pawn", "battery"),
    "patterns": (
        "knight_outpost",
        "bishop_outpost",
        "rook_on_open_file",
        "rook_on_half_open_file",
        "rook_on_seventh",
        "bad_bishop_per_pawn",
        "trapped_minor",
        "trapped_rook",
    ),
    "bare king": ("bare_king_step", "bare_king_to_corner", "kings_close"),
}
#: Not worth anything by themselves, and no division by zero.
SCALES = ("king_attack_units", "king_attack_divisor", "usual_mobility")


@pytest.fixture
def state() -> State:
    return new_state()


def value(state: State, board: chess.Board) -> int:
    position.load(state, board.copy(stack=False))
    return int(evaluate(state))


def zero(weight: object) -> object:
    """The same shape, all of it nothing."""
    if isinstance(weight, int):
        return 0
    if isinstance(weight, tuple):
        return tuple(zero(part) for part in weight)
    assert hasattr(weight, "items")
    return {key: zero(part) for key, part in weight.items()}


def shaken(weight: object, rng: random.Random) -> object:
    """The same shape, every number a little different."""
    if isinstance(weight, int):
        return weight + rng.randint(-9, 9)
    if isinstance(weight, tuple):
        return tuple(shaken(part, rng) for part in weight)
    assert hasattr(weight, "items")
    return {key: shaken(part, rng) for key, part in weight.items()}


def endgames(count: int, seed: int) -> Iterator[chess.Board]:
    """A few men anywhere, with more queens or minors than a game often sees."""
    rng = random.Random(seed)
    while count:
        board = chess.Board(None)
        for men, (square, piece_type) in enumerate(
            zip(rng.sample(range(8, 56), rng.randint(2, 12)), _menagerie(rng), strict=False)
        ):
            board.set_piece_at(square, chess.Piece(piece_type, men % 2 == 0))
        board.turn = rng.random() < 0.5
        if board.is_valid() and any(board.legal_moves):
            count -= 1
            yield board


def bare_kings(count: int, seed: int) -> Iterator[chess.Board]:
    """A king and one to four men against a king."""
    rng = random.Random(seed)
    while count:
        board = chess.Board(None)
        strong = rng.random() < 0.5
        squares = rng.sample(range(64), rng.randint(3, 6))
        board.set_piece_at(squares[0], chess.Piece(chess.KING, not strong))
        board.set_piece_at(squares[1], chess.Piece(chess.KING, strong))
        for square in squares[2:]:
            board.set_piece_at(square, chess.Piece(rng.choice((2, 2, 3, 3, 3, 4, 5)), strong))
        board.turn = rng.random() < 0.5
        if board.is_valid() and any(board.legal_moves):
            count -= 1
            yield board


def _menagerie(rng: random.Random) -> Iterator[chess.PieceType]:
    yield from (chess.KING, chess.KING)
    while True:
        yield rng.choice((1, 1, 1, 2, 3, 4, 5))


@pytest.mark.timeout(300)
def test_the_compiled_value_equals_the_reference_on_ten_thousand_positions(state: State) -> None:
    boards = itertools.chain(random_positions(8000, seed=1), endgames(1500, seed=2), bare_kings(500, seed=3))
    different = [
        (board.fen(), found, wanted)
        for board in boards
        if (found := value(state, board)) != (wanted := reference(board))
    ]
    assert different == []


@given(placements())
def test_it_does_so_where_no_game_leads(board: chess.Board) -> None:
    assume(position.playable(board))
    assert value(_STATE, board) == reference(board)


_STATE = new_state()


@pytest.mark.parametrize("name", FAMILIES)
def test_each_family_by_itself_is_that_of_the_reference(name: str, state: State) -> None:
    only = dataclasses.replace(
        WEIGHTS,
        **{
            field.name: zero(getattr(WEIGHTS, field.name))  # type: ignore[arg-type]  # any shape in, the same out
            for field in dataclasses.fields(WEIGHTS)
            if field.name not in (*FAMILIES[name], *SCALES)
        },
    )
    weights.load(state["w"], only)
    values = set()
    rare = bare_kings(1000, seed=5) if name == "bare king" else endgames(300, seed=4)
    for board in itertools.chain(random_positions(700, seed=3), rare):
        found = value(state, board)
        assert found == family_value(board, name), board.fen()
        values.add(found)
    assert len(values) > 10


def family_value(board: chess.Board, name: str) -> int:
    """What a family is worth by itself, read from the table of all terms."""
    rows = [row for row in breakdown(board) if row.family == name]
    total: Pair = (
        sum(row.white[0] - row.black[0] for row in rows),
        sum(row.white[1] - row.black[1] for row in rows),
    )
    return taper(*total, game_phase(board))


def test_every_weight_belongs_to_a_family_or_to_a_variant() -> None:
    names = [field.name for field in dataclasses.fields(Weights)]
    assert sorted([*itertools.chain(*FAMILIES.values()), *weights.UNUSED]) == sorted(names)


@pytest.mark.parametrize("seed", range(5))
def test_other_weights_can_be_loaded(seed: int, state: State) -> None:
    rng = random.Random(seed)
    other = dataclasses.replace(
        WEIGHTS,
        **{
            field.name: shaken(getattr(WEIGHTS, field.name), rng)  # type: ignore[arg-type]  # as above
            for field in dataclasses.fields(WEIGHTS)
            if field.name not in ("king_attack_units", "king_attack_limit", "king_attack_divisor")
        },
        king_attack_units={2: 1, 3: 4, 4: 2, 5: 7},
        king_attack_divisor=(rng.randint(8, 24), rng.randint(48, 120)),
        king_attack_limit=(rng.randint(200, 400), rng.randint(30, 100)),
    )
    weights.load(state["w"], other)
    for board in random_positions(300, seed=seed):
        assert value(state, board) == reference(board, other), board.fen()


def test_an_attack_that_the_table_cannot_hold_is_refused(state: State) -> None:
    boundless = dataclasses.replace(WEIGHTS, king_attack_divisor=(1000, 96))
    with pytest.raises(ValueError, match="255 units must reach the limit"):
        weights.load(state["w"], boundless)


def test_it_stays_within_the_limit(state: State) -> None:
    priceless = dataclasses.replace(WEIGHTS, tempo=(100_000, 100_000))
    weights.load(state["w"], priceless)
    assert value(state, chess.Board()) == LIMIT == score.LIMIT == reference(chess.Board(), priceless)


def test_the_phase_is_that_of_the_reference() -> None:
    assert (OPENING, FULL_MATERIAL) == (phase.OPENING, phase.FULL_MATERIAL)


def test_evaluating_changes_nothing_but_its_own_notes(state: State) -> None:
    position.load(state, chess.Board())
    before = state.tobytes()
    evaluate(state)
    facts = state["facts"].copy()
    state["facts"] = new_state()["facts"]
    assert state.tobytes() == before
    assert facts["attacked"][int(chess.WHITE)] == 0x0000_0000_00FF_FF7E  # all but a1 and h1
    assert placed(state) == state["placed"]
