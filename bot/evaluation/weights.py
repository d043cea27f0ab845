"""Every number of the evaluation, by name.

A pair is (middlegame, endgame), in centipawns for the side that has the feature; penalties are negative.
What each number multiplies is defined in the file of the family that its heading names. The course gives
some of the numbers; the others are fitted to positions of the engine's games (`knightshift lab fit`).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType

import chess

from bot.evaluation.tables import PIECE_SQUARE, SquareTable

#: (middlegame, endgame), in centipawns.
Pair = tuple[int, int]

#: What a man is worth by itself, in centipawns; the king more than everything else that can be on a board.
PIECE_VALUES: Mapping[chess.PieceType, int] = MappingProxyType(
    {
        chess.PAWN: 100,
        chess.KNIGHT: 320,
        chess.BISHOP: 330,
        chess.ROOK: 500,
        chess.QUEEN: 900,
        chess.KING: 20_000,
    }
)


def _by_piece(knight: Pair, bishop: Pair, rook: Pair, queen: Pair) -> Mapping[chess.PieceType, Pair]:
    pairs = {chess.KNIGHT: knight, chess.BISHOP: bishop, chess.ROOK: rook, chess.QUEEN: queen}
    return MappingProxyType(pairs)


_TROPISM = _by_piece(knight=(-9, 3), bishop=(-3, 1), rook=(-1, 0), queen=(-7, -20))
_MOBILITY = _by_piece(knight=(3, 4), bishop=(3, 2), rook=(2, 3), queen=(1, 3))
_USUAL_MOBILITY = MappingProxyType({chess.KNIGHT: 4, chess.BISHOP: 6, chess.ROOK: 7, chess.QUEEN: 13})
_ATTACK_UNITS = MappingProxyType({chess.KNIGHT: 2, chess.BISHOP: 2, chess.ROOK: 3, chess.QUEEN: 5})


@dataclass(frozen=True, slots=True)
class Weights:
    """One complete set of values; `dataclasses.replace` makes a variation of it."""

    # material
    piece_values: Mapping[chess.PieceType, int] = field(default_factory=lambda: PIECE_VALUES)
    bishop_pair: Pair = (50, 50)
    rook_pair: Pair = (-10, -10)
    knight_per_ram: Pair = (1, 12)
    bishop_per_missing_pawn: Pair = (3, 1)
    rook_in_endgame: Pair = (0, 62)
    pocket_per_cent: Pair = (100, 100)  # per cent of a man's value, in hand

    # piece_square
    piece_square: Mapping[chess.PieceType, SquareTable] = field(default_factory=lambda: PIECE_SQUARE)

    # pawns
    isolated_file: Pair = (-20, -20)
    doubled_file: Pair = (-10, -10)
    backward_pawn: Pair = (-15, -15)
    passed_pawn_by_rank: tuple[Pair, ...] = (  # from the owner's first rank to the eighth
        (20, 20),
        (20, 20),
        (21, 21),
        (22, 24),
        (23, 62),
        (33, 106),
        (62, 143),
        (62, 143),
    )
    connected_passed_pawns: Pair = (40, 40)
    chain_link: Pair = (9, 3)
    island: Pair = (-8, -2)

    # king_safety
    shield_pawn: Pair = (10, 0)
    open_file_near_king: Pair = (-20, 0)
    king_attack_units: Mapping[chess.PieceType, int] = field(default_factory=lambda: _ATTACK_UNITS)
    king_attack_divisor: Pair = (17, 93)  # of the square of the units, not centipawns
    king_attack_limit: Pair = (289, 62)
    tropism: Mapping[chess.PieceType, Pair] = field(default_factory=lambda: _TROPISM)

    # mobility
    mobility: Mapping[chess.PieceType, Pair] = field(default_factory=lambda: _MOBILITY)
    usual_mobility: Mapping[chess.PieceType, int] = field(default_factory=lambda: _USUAL_MOBILITY)  # squares

    # key_squares
    centre_square: Pair = (1, 1)
    centre_square_by_pawn: Pair = (4, 2)
    outer_centre_square: Pair = (1, 1)
    free_passed_pawn: Pair = (1, 22)

    # development
    minor_at_home: Pair = (-1, 0)
    early_queen_per_minor: Pair = (-2, 0)
    castling_right: Pair = (8, 0)
    connected_rooks: Pair = (2, 5)
    tempo: Pair = (13, 4)

    # tactics
    pin: Pair = (20, 38)
    fork: Pair = (60, 47)
    hanging_piece: Pair = (-26, -19)
    piece_attacked_by_pawn: Pair = (-31, -20)
    battery: Pair = (6, 11)

    # patterns
    knight_outpost: Pair = (13, 13)
    bishop_outpost: Pair = (21, 6)
    rook_on_open_file: Pair = (23, 2)
    rook_on_half_open_file: Pair = (20, 8)
    rook_on_seventh: Pair = (11, 26)
    bad_bishop_per_pawn: Pair = (-4, -1)
    trapped_minor: Pair = (-6, -15)
    trapped_rook: Pair = (-45, -25)

    # bare_king
    bare_king_step: Pair = (30, 30)
    bare_king_to_corner: Pair = (40, 40)
    kings_close: Pair = (25, 25)

    # variants
    antichess_man: Pair = (-100, -100)
    checks_given: tuple[Pair, ...] = ((0, 0), (70, 50), (220, 180), (1000, 1000))  # none, one, two, three
    step_to_hill: Pair = (-10, -35)
    race_by_rank: tuple[Pair, ...] = tuple((10 * n * (n + 1) // 2, 10 * n * (n + 1) // 2) for n in range(8))


WEIGHTS = Weights()
