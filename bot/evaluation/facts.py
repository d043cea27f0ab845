"""What several families ask of a position, looked up once."""

from __future__ import annotations

import chess

from bot.evaluation.bits import forward, forward_fill, pawn_attacks, squares
from bot.evaluation.weights import Weights

_DIAG, _DIAG_MASK = chess.BB_DIAG_ATTACKS, chess.BB_DIAG_MASKS
_FILE, _FILE_MASK = chess.BB_FILE_ATTACKS, chess.BB_FILE_MASKS
_RANK, _RANK_MASK = chess.BB_RANK_ATTACKS, chess.BB_RANK_MASKS


class Facts:
    """A position for one evaluation. Lists have two entries, Black's first: `pawns[chess.WHITE]`.

    `attacks` has (square, what is attacked from there) for each knight, bishop, rook and queen of a side, by
    piece type; squares are attacked whoever stands on them, and pinned men attack like others.
    `pawn_attacks` and `attacked` are unions: of the pawns, and of all men, kings included. `king` is None
    for a side without a king, or (in antichess) with several men that only look like one. `passed`: pawns
    with no enemy pawn ahead on their file or a neighbouring one, and no pawn of their own ahead on their
    file. `pawn_spans`: every square that a side's pawns attack, or can attack once they advance.
    """

    __slots__ = (
        "attacked",
        "attacks",
        "bishops",
        "board",
        "king",
        "knights",
        "occupied",
        "own",
        "passed",
        "pawn_attacks",
        "pawn_spans",
        "pawns",
        "queens",
        "rooks",
        "weights",
    )

    def __init__(self, board: chess.Board, weights: Weights) -> None:
        self.board = board
        self.weights = weights
        self.occupied = board.occupied
        self.own = own = board.occupied_co
        black, white = own
        self.pawns = [board.pawns & black, board.pawns & white]
        self.knights = [board.knights & black, board.knights & white]
        self.bishops = [board.bishops & black, board.bishops & white]
        self.rooks = [board.rooks & black, board.rooks & white]
        self.queens = [board.queens & black, board.queens & white]
        self.pawn_attacks = [pawn_attacks(self.pawns[0], False), pawn_attacks(self.pawns[1], True)]
        self.king = [self._king(False), self._king(True)]
        self.attacked = self.pawn_attacks.copy()
        self.attacks = [self._attacks(False), self._attacks(True)]
        self.pawn_spans = [forward_fill(self.pawn_attacks[side], bool(side)) for side in (0, 1)]
        self.passed = [self._passed(False), self._passed(True)]

    def _king(self, color: chess.Color) -> chess.Square | None:
        kings = self.board.kings & self.own[color]
        return kings.bit_length() - 1 if kings and not kings & (kings - 1) else None

    def _attacks(
        self, color: chess.Color
    ) -> dict[chess.PieceType, list[tuple[chess.Square, chess.Bitboard]]]:
        occupied = self.occupied
        knights = [(square, chess.BB_KNIGHT_ATTACKS[square]) for square in squares(self.knights[color])]
        bishops = [
            (square, _DIAG[square][_DIAG_MASK[square] & occupied]) for square in squares(self.bishops[color])
        ]
        rooks = [
            (
                square,
                _FILE[square][_FILE_MASK[square] & occupied] | _RANK[square][_RANK_MASK[square] & occupied],
            )
            for square in squares(self.rooks[color])
        ]
        queens = [
            (
                square,
                _DIAG[square][_DIAG_MASK[square] & occupied]
                | _FILE[square][_FILE_MASK[square] & occupied]
                | _RANK[square][_RANK_MASK[square] & occupied],
            )
            for square in squares(self.queens[color])
        ]
        attacks = {chess.KNIGHT: knights, chess.BISHOP: bishops, chess.ROOK: rooks, chess.QUEEN: queens}
        union = self.attacked[color]
        for square in squares(self.board.kings & self.own[color]):
            union |= chess.BB_KING_ATTACKS[square]
        for pairs in attacks.values():
            for _, mask in pairs:
                union |= mask
        self.attacked[color] = union
        return attacks

    def _passed(self, color: chess.Color) -> chess.Bitboard:
        own, enemy = self.pawns[color], self.pawns[not color]
        enemy_ahead = forward_fill(forward(enemy, not color), not color) | self.pawn_spans[not color]
        own_behind = forward_fill(forward(own, not color), not color)
        return own & ~enemy_ahead & ~own_behind
