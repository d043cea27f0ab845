"""Every term against its definition spelt out square by square, on positions without rhyme or reason."""

from __future__ import annotations

import chess
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bot.evaluation import WEIGHTS, Pair, breakdown
from tests.evaluation import naive
from tests.evaluation.kit import placements, random_game

VALUES = {chess.PAWN: 100, chess.KNIGHT: 320, chess.BISHOP: 330, chess.ROOK: 500, chess.QUEEN: 900}
OUTER_CENTRE = [
    square
    for square in chess.SQUARES
    if chess.square_file(square) in range(2, 6)
    and chess.square_rank(square) in range(2, 6)
    and square not in (chess.D4, chess.E4, chess.D5, chess.E5)
]


def weighed(count: int, weight: Pair) -> Pair:
    return count * weight[0], count * weight[1]


def summed(pairs: list[Pair]) -> Pair:
    return sum(pair[0] for pair in pairs), sum(pair[1] for pair in pairs)


def material(board: chess.Board, color: chess.Color) -> dict[str, Pair]:
    pieces = sum(value * len(board.pieces(piece_type, color)) for piece_type, value in VALUES.items())
    knights, bishops, rooks = (
        len(board.pieces(piece, color)) for piece in (chess.KNIGHT, chess.BISHOP, chess.ROOK)
    )
    black_pawns = board.pieces(chess.PAWN, chess.BLACK)
    rams = sum(1 for square in board.pieces(chess.PAWN, chess.WHITE) if square + 8 in black_pawns)
    missing = 16 - len(black_pawns) - len(board.pieces(chess.PAWN, chess.WHITE))
    return {
        "pieces": (pieces, pieces),
        "bishop pair": weighed(bishops >= 2, WEIGHTS.bishop_pair),
        "rook pair": weighed(rooks >= 2, WEIGHTS.rook_pair),
        "knights (closed)": weighed(knights * rams, WEIGHTS.knight_per_ram),
        "bishops (open)": weighed(bishops * max(missing, 0), WEIGHTS.bishop_per_missing_pawn),
        "rooks (endgame)": weighed(rooks, WEIGHTS.rook_in_endgame),
    }


def piece_square(board: chess.Board, color: chess.Color) -> dict[str, Pair]:
    names = {"pawns": 1, "knights": 2, "bishops": 3, "rooks": 4, "queens": 5, "king": 6}
    found = {}
    for name, piece_type in names.items():
        middlegame, endgame = WEIGHTS.piece_square[piece_type]
        # The first row of a table is the far side of the board.
        places = [
            8 * (7 - naive.rank_of(square, color)) + chess.square_file(square)
            for square in board.pieces(piece_type, color)
        ]
        found[name] = summed([(middlegame[place], endgame[place]) for place in places])
    return found


def pawns(board: chess.Board, color: chess.Color) -> dict[str, Pair]:
    passed = [WEIGHTS.passed_pawn_by_rank[rank] for _, rank in naive.passed_pawns(board, color)]
    return {
        "isolated": weighed(naive.isolated_files(board, color), WEIGHTS.isolated_file),
        "doubled": weighed(naive.doubled_files(board, color), WEIGHTS.doubled_file),
        "backward": weighed(naive.backward_pawns(board, color), WEIGHTS.backward_pawn),
        "passed": summed(passed),
        "connected passed": weighed(
            naive.neighbouring_passed_files(board, color), WEIGHTS.connected_passed_pawns
        ),
        "chain": weighed(naive.defended_pawns(board, color), WEIGHTS.chain_link),
        "islands": weighed(max(0, naive.islands(board, color) - 1), WEIGHTS.island),
    }


def king_safety(board: chess.Board, color: chess.Color) -> dict[str, Pair]:
    king = board.king(color)
    assert king is not None
    attackers = naive.king_attack(board, color)
    units = sum(WEIGHTS.king_attack_units[piece_type] * hits for piece_type, hits in attackers)
    attack = [
        -min(units**2 // divisor, limit) if len(attackers) >= 2 else 0
        for divisor, limit in zip(WEIGHTS.king_attack_divisor, WEIGHTS.king_attack_limit, strict=True)
    ]
    near = [
        weighed(7 - chess.square_distance(king, square), WEIGHTS.tropism[piece_type])
        for piece_type in naive.OFFICERS
        for square in naive.men(board, not color, piece_type)
    ]
    return {
        "pawn shield": weighed(naive.shield_pawns(board, color), WEIGHTS.shield_pawn),
        "open files": weighed(naive.open_files_near_king(board, color), WEIGHTS.open_file_near_king),
        "under attack": (attack[0], attack[1]),
        "enemies near": summed(near),
    }


def mobility(board: chess.Board, color: chess.Color) -> dict[str, Pair]:
    return {
        f"{chess.piece_name(piece_type)}s": summed(
            [
                weighed(count - WEIGHTS.usual_mobility[piece_type], WEIGHTS.mobility[piece_type])
                for count in naive.mobility(board, color, piece_type)
            ]
        )
        for piece_type in naive.OFFICERS
    }


def key_squares(board: chess.Board, color: chess.Color) -> dict[str, Pair]:
    centre = (chess.D4, chess.E4, chess.D5, chess.E5)
    held = sum(naive.attacks(board, color, square) for square in centre)
    by_pawn = sum(naive.pawn_attacks(board, color, square) for square in centre)
    outer = sum(naive.attacks(board, color, square) for square in OUTER_CENTRE)
    return {
        "centre": weighed(held, WEIGHTS.centre_square),
        "centre by pawns": weighed(by_pawn, WEIGHTS.centre_square_by_pawn),
        "outer centre": weighed(outer, WEIGHTS.outer_centre_square),
        "free passed pawns": weighed(naive.free_passed_pawns(board, color), WEIGHTS.free_passed_pawn),
    }


def development(board: chess.Board, color: chess.Color) -> dict[str, Pair]:
    minors = [
        square
        for square in naive.men(board, color, chess.KNIGHT, chess.BISHOP)
        if naive.rank_of(square, color) == 0
    ]
    queens_out = [
        square for square in naive.men(board, color, chess.QUEEN) if naive.rank_of(square, color) > 0
    ]
    rooks = board.pieces(chess.ROOK, color)
    connected = any(target in rooks for square in rooks for target in board.attacks(square))
    rights = board.has_kingside_castling_rights(color) + board.has_queenside_castling_rights(color)
    return {
        "minors at home": weighed(len(minors), WEIGHTS.minor_at_home),
        "early queen": weighed(len(minors) * len(queens_out), WEIGHTS.early_queen_per_minor),
        "castling": weighed(rights, WEIGHTS.castling_right),
        "connected rooks": weighed(connected, WEIGHTS.connected_rooks),
        "tempo": weighed(board.turn == color, WEIGHTS.tempo),
    }


def tactics(board: chess.Board, color: chess.Color) -> dict[str, Pair]:
    return {
        "pins made": weighed(naive.pins_made(board, color), WEIGHTS.pin),
        "forks made": weighed(naive.forks_made(board, color), WEIGHTS.fork),
        "hanging pieces": weighed(naive.hanging_pieces(board, color), WEIGHTS.hanging_piece),
        "hit by pawns": weighed(naive.pieces_hit_by_pawns(board, color), WEIGHTS.piece_attacked_by_pawn),
        "batteries": weighed(naive.batteries(board, color), WEIGHTS.battery),
    }


def patterns(board: chess.Board, color: chess.Color) -> dict[str, Pair]:
    open_files, half_open_files = naive.rooks_on_files(board, color)
    return {
        "knight outposts": weighed(naive.outposts(board, color, chess.KNIGHT), WEIGHTS.knight_outpost),
        "bishop outposts": weighed(naive.outposts(board, color, chess.BISHOP), WEIGHTS.bishop_outpost),
        "rooks: open file": weighed(open_files, WEIGHTS.rook_on_open_file),
        "rooks: half-open file": weighed(half_open_files, WEIGHTS.rook_on_half_open_file),
        "rooks: seventh rank": weighed(naive.rooks_on_seventh(board, color), WEIGHTS.rook_on_seventh),
        "bad bishops": weighed(naive.bad_bishop_pawns(board, color), WEIGHTS.bad_bishop_per_pawn),
        "trapped minors": weighed(naive.trapped_minors(board, color), WEIGHTS.trapped_minor),
        "trapped rooks": weighed(naive.trapped_rooks(board, color), WEIGHTS.trapped_rook),
    }


def bare_king(board: chess.Board, color: chess.Color) -> dict[str, Pair]:
    steps, corner, close = naive.bare_king(board, color)
    return {
        "driven to the edge": weighed(steps, WEIGHTS.bare_king_step),
        "driven to the corner": weighed(corner, WEIGHTS.bare_king_to_corner),
        "kings close": weighed(close, WEIGHTS.kings_close),
    }


FAMILIES = {
    "material": material,
    "piece-square": piece_square,
    "pawns": pawns,
    "king safety": king_safety,
    "mobility": mobility,
    "key squares": key_squares,
    "development": development,
    "tactics": tactics,
    "patterns": patterns,
    "bare king": bare_king,
}


def assert_as_defined(board: chess.Board) -> None:
    expected = {
        (family, term): (pair, black[term])
        for family, count in FAMILIES.items()
        for black in [count(board, chess.BLACK)]
        for term, pair in count(board, chess.WHITE).items()
    }
    assert {(row.family, row.term): (row.white, row.black) for row in breakdown(board)} == expected


@settings(max_examples=400)
@given(board=placements())
def test_every_term_is_what_its_definition_says(board: chess.Board) -> None:
    assert_as_defined(board)


@pytest.mark.parametrize("seed", range(6))
def test_so_it_is_along_random_games(seed: int) -> None:
    for board in random_game(chess.Board(), seed, plies=150):
        assert_as_defined(board)


@settings(max_examples=400)
@given(st.data())
def test_so_it_is_with_a_bare_king(data: st.DataObject) -> None:
    board = chess.Board(None)
    squares = data.draw(st.lists(st.integers(8, 55), min_size=3, max_size=6, unique=True))
    strong = data.draw(st.booleans())
    board.set_piece_at(squares[0], chess.Piece(chess.KING, strong))
    board.set_piece_at(data.draw(st.integers(0, 7)), chess.Piece(chess.KING, not strong))
    for square in squares[2:]:
        board.set_piece_at(square, chess.Piece(data.draw(st.integers(1, 5)), strong))
    board.turn = data.draw(st.booleans())
    assert_as_defined(board)
    assert_as_defined(board.mirror())
