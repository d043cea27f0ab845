"""Where the games begin: openings of the lab and random plies behind them, or random plies alone."""

from __future__ import annotations

import random
from collections.abc import Sequence

import chess

#: The openings of the lab are so long, in plies.
OPENING_PLIES = 4
#: So many of a hundred games begin with random plies alone.
PURE_PERCENT = 25


def draw_start(rng: random.Random, openings: Sequence[str], random_plies: int) -> chess.Board:
    """A position to play from, in which the game is not over.

    Most games begin with one of `openings` (FENs, two moves each) and random plies of both sides, so that
    there are `random_plies` plies in all; the rest with random plies from the first on. There is one ply more
    in half of all games, so that either side comes to move first.
    """
    while True:
        plies = random_plies + rng.randrange(2)
        if rng.randrange(100) < PURE_PERCENT:
            board = chess.Board()
        else:
            board = chess.Board(rng.choice(openings))
            plies = max(0, plies - OPENING_PLIES)
        for _ in range(plies):
            moves = list(board.legal_moves)
            if not moves:
                break
            board.push(rng.choice(moves))
        if board.outcome() is None:
            return board
