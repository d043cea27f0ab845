"""Static exchange evaluation: what a capture is worth when both sides go on capturing on its square."""

from __future__ import annotations

import chess
import chess.variant

from bot.evaluation.weights import PIECE_VALUES as WORTH


def is_exchange(board: chess.Board) -> bool:
    """Whether pieces are traded in this variant as in chess. Not where the capturer explodes, nor where
    losing pieces is the aim."""
    return not isinstance(board, chess.variant.AtomicBoard | chess.variant.SuicideBoard)


def captured_worth(board: chess.Board, move: chess.Move) -> int:
    """What `move` takes off the board, in centipawns; 0: it captures nothing."""
    victim = board.piece_type_at(move.to_square)
    if victim is not None:
        return 0 if board.color_at(move.to_square) == board.turn else WORTH[victim]  # castling takes no rook
    return WORTH[chess.PAWN] if board.is_en_passant(move) else 0


def exchange(board: chess.Board, move: chess.Move) -> int:
    """What the side to move wins by `move`, in centipawns, when both sides go on capturing on its square
    with the cheapest piece, for as long as it pays.

    Pieces behind others join in (x-rays); pins are not seen, nor promotions later in the exchange.
    """
    target = move.to_square
    gains = [captured_worth(board, move)]
    mover = board.piece_type_at(move.from_square) if move.drop is None else move.drop
    if mover is None:
        raise ValueError(f"{move.uci()} moves no piece in {board.fen()}")
    occupied = board.occupied | chess.BB_SQUARES[target]
    if move.drop is None:
        occupied &= ~chess.BB_SQUARES[move.from_square]
    if board.is_en_passant(move):
        occupied &= ~chess.BB_SQUARES[target + (-8 if board.turn == chess.WHITE else 8)]
    at_stake = WORTH[mover]
    if move.promotion is not None:
        gains[0] += WORTH[move.promotion] - at_stake
        at_stake = WORTH[move.promotion]
    side = not board.turn
    while True:
        attackers = board.attackers_mask(side, target, occupied) & occupied
        cheapest = _cheapest(board, attackers)
        if cheapest is None:
            break
        piece, square = cheapest
        occupied &= ~chess.BB_SQUARES[square]
        gains.append(at_stake - gains[-1])
        at_stake = WORTH[piece]
        side = not side
    while len(gains) > 1:  # nobody has to go on, least of all with a king that would be lost
        last = gains.pop()
        gains[-1] = min(gains[-1], -last)
    return gains[0]


def _cheapest(board: chess.Board, attackers: chess.Bitboard) -> tuple[chess.PieceType, chess.Square] | None:
    if not attackers:
        return None
    for piece, pieces in (
        (chess.PAWN, board.pawns),
        (chess.KNIGHT, board.knights),
        (chess.BISHOP, board.bishops),
        (chess.ROOK, board.rooks),
        (chess.QUEEN, board.queens),
    ):
        if found := attackers & pieces:
            return piece, chess.lsb(found)
    return chess.KING, chess.lsb(attackers)
