"""The phase of the game, and the one number that two scores taper to."""

from __future__ import annotations

import chess

from bot.evaluation.weights import PIECE_VALUES

#: The phase of the opening; that of a bare endgame is 0.
OPENING = 256
#: The knights, bishops, rooks and queens that a game starts with, in centipawns.
FULL_MATERIAL = 6400


def game_phase(board: chess.Board) -> int:
    """From OPENING with all pieces on the board down to 0 with only kings and pawns.

    The phase is the share of the opening's knights, bishops, rooks and queens, of both sides and by value,
    that is still there, rounded down; pieces in hand (crazyhouse) are there, and promotions do not raise it
    above OPENING. (The course notes cap the material itself at 256 centipawns, which makes an opening of
    every position with a single knight.)
    """
    material = 0
    for piece_type, men in (
        (chess.KNIGHT, board.knights),
        (chess.BISHOP, board.bishops),
        (chess.ROOK, board.rooks),
        (chess.QUEEN, board.queens),
    ):
        material += men.bit_count() * PIECE_VALUES[piece_type]
    for pocket in getattr(board, "pockets", ()):
        for piece_type in (chess.KNIGHT, chess.BISHOP, chess.ROOK, chess.QUEEN):
            material += pocket.count(piece_type) * PIECE_VALUES[piece_type]
    return min(material, FULL_MATERIAL) * OPENING // FULL_MATERIAL


def taper(middlegame: int, endgame: int, phase: int) -> int:
    """The mean of both scores, weighted by `phase` in 0..OPENING, rounded towards zero.

    (The course notes lost the signs of both products.) Rounding down, as they do, would make a position and
    its mirror image differ by a centipawn.
    """
    weighted = middlegame * phase + endgame * (OPENING - phase)
    return weighted // OPENING if weighted >= 0 else -(-weighted // OPENING)
