"""Moves and positions in writing: UCI both ways, and Lichess's dialect of FEN."""

from __future__ import annotations

import re

import chess
import chess.variant

from bot.local_lichess.refusal import Refusal
from bot.local_lichess.rules import CASTLING_ANYWHERE

_UCI = re.compile(r"([a-h][1-8][a-h][1-8][qrbnk]?)|([PNBRQ]@[a-h][1-8])")


def read_uci(text: str) -> chess.Move:
    """The move a text names. Refusal 400 when it is no UCI."""
    if not _UCI.fullmatch(text):
        raise Refusal(400, f"Invalid UCI: {text}")
    return chess.Move.from_uci(text)


def legal_move(variant: str, board: chess.Board, move: chess.Move) -> chess.Move:
    """`move` as `board` names it: castling in either notation, a missing promotion made a queen.

    Castling written as the king's own step is refused in chess960. Refusal 400 for an illegal move.
    """
    candidates = [move]
    if not (move.promotion or move.drop):
        candidates.append(chess.Move(move.from_square, move.to_square, chess.QUEEN))
    for candidate in candidates:
        if variant == "chess960":
            if board.is_legal(candidate):
                return candidate
            continue
        try:
            return board.parse_uci(candidate.uci())
        except chess.IllegalMoveError:
            continue
    raise Refusal(400, _why_illegal(board, move))


def write_uci(variant: str, board: chess.Board, move: chess.Move, *, king_takes_rook: bool) -> str:
    """`move`, legal on `board`, as Lichess writes it: castling e1g1, but e1h1 where pieces start anywhere."""
    return board.uci(move, chess960=king_takes_rook or variant in CASTLING_ANYWHERE)


def squares_of(uci: str) -> str:
    """The two squares of a move, as `lastMove` shows them; a drop is its square twice."""
    return uci[2:4] * 2 if "@" in uci else uci[:4]


def lichess_fen(board: chess.Board) -> str:
    """The FEN as Lichess writes it.

    X-FEN castling, an en-passant square only where a capture is legal, the crazyhouse pocket behind a ninth
    slash, and the checks given so far at the end of a three-check FEN.
    """
    fen = board.fen(en_passant="legal")
    if isinstance(board, chess.variant.CrazyhouseBoard):
        return fen.replace("[", "/", 1).replace("]", "", 1)
    if isinstance(board, chess.variant.ThreeCheckBoard):
        fields = fen.split()
        given = [3 - max(0, board.remaining_checks[side]) for side in (chess.WHITE, chess.BLACK)]
        return " ".join([*fields[:4], *fields[5:], f"+{given[0]}+{given[1]}"])
    return fen


def _why_illegal(board: chess.Board, move: chess.Move) -> str:
    origin, target = chess.square_name(move.from_square), chess.square_name(move.to_square)
    if move.drop:
        return f"Can't drop {chess.piece_name(move.drop)} on {target}"
    piece = board.piece_at(move.from_square)
    if piece is None:
        return f"No piece on {origin}"
    if piece.color != board.turn:
        return f"Not my piece on {origin}"
    if move.promotion and board.is_legal(chess.Move(move.from_square, move.to_square)):
        return f"Piece on {origin} cannot promote to {chess.piece_name(move.promotion)}"
    return f"Piece on {origin} cannot move to {target}"
