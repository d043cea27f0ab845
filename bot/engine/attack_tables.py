"""The tables of squares behind `attacks`, as data of the record."""

from __future__ import annotations

from itertools import product

import chess
import numpy as np


def fill(tables: np.void) -> None:
    """Fill a record of `state.ATTACKS`.

    - knight, king, pawn[colour]: what is attacked from a square.
    - file, diagonal, antidiagonal: the squares in line with a square, itself left out.
    - first_rank[file, inner]: what a rook on the first rank attacks, where `inner` are the occupied squares
      of its files b to g.
    - between[a, b]: the squares between two squares in line, both left out. line[a, b]: the whole line
      through them. Nothing where they are not in line. distance[a, b]: in king's moves.
    """
    for square in chess.SQUARES:
        tables["knight"][square] = chess.BB_KNIGHT_ATTACKS[square]
        tables["king"][square] = chess.BB_KING_ATTACKS[square]
        for colour in (0, 1):
            tables["pawn"][colour, square] = chess.BB_PAWN_ATTACKS[colour][square]
        rank, file = divmod(square, 8)
        for name, steps in (("file", (0, 1)), ("diagonal", (1, 1)), ("antidiagonal", (-1, 1))):
            tables[name][square] = sum(
                chess.BB_SQUARES[chess.square(file + n * steps[0], rank + n * steps[1])]
                for n in range(-7, 8)
                if n and 0 <= file + n * steps[0] < 8 and 0 <= rank + n * steps[1] < 8
            )
    for file, inner in product(range(8), range(64)):
        mask = chess.BB_RANK_MASKS[file] & inner << 1
        tables["first_rank"][file, inner] = chess.BB_RANK_ATTACKS[file][mask]
    for a, b in product(chess.SQUARES, chess.SQUARES):
        tables["between"][a, b] = chess.between(a, b)
        tables["line"][a, b] = chess.ray(a, b)
        tables["distance"][a, b] = chess.square_distance(a, b)
