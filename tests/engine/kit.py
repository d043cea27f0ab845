"""Positions for the engine's tests: games of random moves, seeded."""

from __future__ import annotations

import random
from collections.abc import Iterator

import chess

#: In each of them many rules meet; from the chess programming wiki's page on perft.
KIWIPETE = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1"


def random_game(rng: random.Random, *, plies: int = 160) -> Iterator[tuple[chess.Board, chess.Move]]:
    """A game of random moves, every second one chess960: each position before its move."""
    board = chess.Board()
    if rng.random() < 0.5:
        board = chess.Board.from_chess960_pos(rng.randrange(960))
    for _ in range(plies):
        moves = list(board.legal_moves)
        if not moves or board.is_insufficient_material():
            return
        special = [each for each in moves if board.is_zeroing(each) or board.is_castling(each)]
        move = rng.choice(special if special and rng.random() < 0.2 else moves)
        yield board, move
        board.push(move)


def random_positions(count: int, seed: int) -> Iterator[chess.Board]:
    """`count` positions of random games; each has its move stack, and is only good until the next."""
    rng = random.Random(seed)
    while True:
        for board, _ in random_game(rng):
            if count == 0:
                return
            count -= 1
            yield board
