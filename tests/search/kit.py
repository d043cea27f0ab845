"""Positions and evaluations to search with."""

from __future__ import annotations

import random
import zlib
from collections.abc import Iterator

import chess
import chess.variant

from bot.search.alphabeta import Features
from bot.search.deepening import Found, deepen
from bot.search.leaf import Evaluate
from bot.search.limits import Limits
from bot.timing.clock import VirtualClock

MEN = {
    chess.PAWN: 100,
    chess.KNIGHT: 320,
    chess.BISHOP: 330,
    chess.ROOK: 500,
    chess.QUEEN: 900,
    chess.KING: 0,
}

#: Few men, and so quickly searched.
ENDINGS = ("8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1", "6k1/5pp1/1n2p3/3p4/3P2N1/4P3/2R2PP1/6K1 b - - 0 30")

#: Nothing that could make a search find anything but what plain minimax finds.
NOTHING_CLEVER = Features(table=False, quiescence=False, check_extension=False, reductions=False)


def material(board: chess.Board) -> int:
    """Nothing but the men on the board: quick, and easily checked by hand."""
    return sum(MEN[piece.piece_type] * (1 if piece.color else -1) for piece in board.piece_map().values())


def noise(board: chess.Board) -> int:
    """A number from -500 to 499 that depends on the whole position and has no sense in it: nothing that a
    search leaves out goes unnoticed."""
    return zlib.crc32(board.epd().encode()) % 1000 - 500


def playouts(
    seed: int, count: int, rules: type[chess.Board] = chess.Board, *, plies: tuple[int, int] = (4, 70)
) -> Iterator[chess.Board]:
    """Positions of random games, with their move stacks, in which there is a move to play."""
    rng = random.Random(seed)
    while count:
        board = rules()
        for _ in range(rng.randint(*plies)):
            moves = list(board.legal_moves)
            if not moves:
                break
            board.push(rng.choice(moves))
        if any(board.legal_moves) and not board.is_variant_end():
            count -= 1
            yield board


def after(moves: str, fen: str = chess.STARTING_FEN) -> chess.Board:
    """The board after `moves` (UCI, with spaces) from `fen`."""
    board = chess.Board(fen)
    for move in moves.split():
        board.push_uci(move)
    return board


def look(
    board: chess.Board | str,
    depth: int | None = None,
    *,
    nodes: int | None = None,
    evaluate: Evaluate = material,
    features: Features | None = None,
) -> Found:
    """A search that knows no time."""
    board = chess.Board(board) if isinstance(board, str) else board
    return deepen(
        board, Limits(depth=depth, nodes=nodes), evaluate=evaluate, clock=VirtualClock(), features=features
    )
