"""The evaluation's weights as data in the engine's record: `bot.evaluation.weights`, ready to be added up.

There is one table of weights, the readable one; this file only changes its shape. Weights that multiply a
small count become tables by that count, and every (middlegame, endgame) becomes one number (see `pair`).
"""

from __future__ import annotations

import chess
import numpy as np
import numpy.typing as npt

from bot.engine.pair import pack
from bot.evaluation.weights import PIECE_VALUES, WEIGHTS, Pair, Weights

#: A queen attacks at most 27 squares.
MOST_SQUARES = 28
#: A king's zone has at most twelve squares.
MOST_HITS = 13
#: More king-attack units than this count as so many; see `load`.
MOST_UNITS = 255
#: The largest distance of two squares, in king's moves, is 7.
DISTANCES = 8

#: Weights that are used as they stand, one pair each; the names are those of `Weights`.
PLAIN = (
    "bishop_pair",
    "rook_pair",
    "knight_per_ram",
    "bishop_per_missing_pawn",
    "rook_in_endgame",
    "isolated_file",
    "doubled_file",
    "backward_pawn",
    "connected_passed_pawns",
    "chain_link",
    "island",
    "shield_pawn",
    "open_file_near_king",
    "centre_square",
    "centre_square_by_pawn",
    "outer_centre_square",
    "free_passed_pawn",
    "minor_at_home",
    "early_queen_per_minor",
    "castling_right",
    "connected_rooks",
    "tempo",
    "pin",
    "fork",
    "hanging_piece",
    "piece_attacked_by_pawn",
    "battery",
    "knight_outpost",
    "bishop_outpost",
    "rook_on_open_file",
    "rook_on_half_open_file",
    "rook_on_seventh",
    "bad_bishop_per_pawn",
    "trapped_minor",
    "trapped_rook",
    "bare_king_step",
    "bare_king_to_corner",
    "kings_close",
)
#: Weights that only variants use, which this engine does not play.
UNUSED = ("pocket_per_cent", "antichess_man", "checks_given", "step_to_hill", "race_by_rank")

#: All numbers are pairs but those of `king_pressure`, which counts: (attackers, units).
#: - placed[colour, piece_type, square]: a man's value and that of its place; Black's with the sign turned.
#: - passed[colour, square]: a passed pawn, by its rank.
#: - mobility[piece_type, squares], tropism[piece_type, distance]: for one piece.
#: - king_pressure[piece_type, squares of the zone hit]; king_attack[units]: what it costs the king's side.
#: - phase_values[piece_type]: not a pair; what the piece counts for the phase.
WEIGHTS_DTYPE = np.dtype(
    [
        ("placed", np.int64, (2, 7, 64)),
        ("passed", np.int64, (2, 64)),
        ("mobility", np.int64, (7, MOST_SQUARES)),
        ("tropism", np.int64, (7, DISTANCES)),
        ("king_pressure", np.int64, (7, MOST_HITS)),
        ("king_attack", np.int64, (MOST_UNITS + 1,)),
        ("phase_values", np.int64, (7,)),
        *((name, np.int64) for name in PLAIN),
    ],
    align=True,
)

_PIECES = (chess.KNIGHT, chess.BISHOP, chess.ROOK, chess.QUEEN)


def load(into: np.void, weights: Weights = WEIGHTS) -> None:
    """Fill `into`, a record of WEIGHTS_DTYPE, from `weights`.

    What the record already holds that comes of other weights, `placed` and the cache of evaluations, must be
    reckoned anew. Raises ValueError where the attack on a king has not reached its limit at MOST_UNITS units,
    where its table ends.
    """
    into["placed"] = _placed(weights)
    for square in chess.SQUARES:
        rank = chess.square_rank(square)
        into["passed"][int(chess.WHITE), square] = pack(weights.passed_pawn_by_rank[rank])
        into["passed"][int(chess.BLACK), square] = pack(weights.passed_pawn_by_rank[7 - rank])
    for piece_type in _PIECES:
        into["phase_values"][piece_type] = PIECE_VALUES[piece_type]
        usual, unit = weights.usual_mobility[piece_type], weights.king_attack_units[piece_type]
        into["mobility"][piece_type] = [
            pack(_times(count - usual, weights.mobility[piece_type])) for count in range(MOST_SQUARES)
        ]
        into["tropism"][piece_type] = [
            pack(_times(7 - distance, weights.tropism[piece_type])) for distance in range(DISTANCES)
        ]
        into["king_pressure"][piece_type] = [pack((int(hits > 0), unit * hits)) for hits in range(MOST_HITS)]
    into["king_attack"] = [pack(_king_attack(units, weights)) for units in range(MOST_UNITS + 1)]
    if into["king_attack"][MOST_UNITS] != pack(_times(-1, weights.king_attack_limit)):
        raise ValueError(
            f"king_attack_divisor {weights.king_attack_divisor}: {MOST_UNITS} units must reach the limit "
            f"{weights.king_attack_limit}"
        )
    for name in PLAIN:
        into[name] = pack(getattr(weights, name))


def _placed(weights: Weights) -> npt.NDArray[np.int64]:
    placed = np.zeros((2, 7, 64), np.int64)
    for piece_type, (middlegame, endgame) in weights.piece_square.items():
        value = 0 if piece_type == chess.KING else weights.piece_values[piece_type]
        for square in chess.SQUARES:
            for colour, sign, entry in ((chess.WHITE, 1, square ^ 56), (chess.BLACK, -1, square)):
                pair = _times(sign, (value + middlegame[entry], value + endgame[entry]))
                placed[int(colour), piece_type, square] = pack(pair)
    return placed


def _king_attack(units: int, weights: Weights) -> Pair:
    divisor, limit = weights.king_attack_divisor, weights.king_attack_limit
    return -min(units * units // divisor[0], limit[0]), -min(units * units // divisor[1], limit[1])


def _times(count: int, weight: Pair) -> Pair:
    return count * weight[0], count * weight[1]
