"""Static exchanges, by known positions and against the game itself."""

from __future__ import annotations

import chess
import chess.variant
import pytest

from bot.evaluation import PIECE_VALUES as WORTH
from bot.search.exchange import captured_worth, exchange, is_exchange
from tests.search.kit import playouts


@pytest.mark.parametrize(
    ("fen", "move", "worth"),
    [
        ("1k1r4/1pp4p/p7/4p3/8/P5P1/1PP4P/2K1R3 w - - 0 1", "e1e5", 100),  # a pawn that nobody protects
        ("1k1r3q/1ppn3p/p4b2/4p3/8/P2N2P1/1PP1R1BP/2K1Q3 w - - 0 1", "d3e5", 100 - 320),
        ("4k3/8/3p4/4p3/8/8/8/4R1K1 w - - 0 1", "e1e5", 100 - 500),
        ("4k3/8/3p4/4p3/3P4/8/8/6K1 w - - 0 1", "d4e5", 0),  # pawn for pawn
        ("4k3/8/3p4/4r3/3P4/8/8/6K1 w - - 0 1", "d4e5", 500 - 100),
        ("3rk3/8/8/3p4/8/8/3R4/3R2K1 w - - 0 1", "d2d5", 100),  # the second rook joins in, through the first
        ("3rk3/3r4/8/3p4/8/8/3R4/3R2K1 w - - 0 1", "d2d5", 100 - 500),  # and so do those of Black
        ("8/8/3kp3/3p4/4P3/8/8/6K1 w - - 0 1", "e4d5", 0),
        ("8/8/3k4/3p4/8/8/3R4/6K1 w - - 0 1", "d2d5", 100 - 500),  # a king protects
        ("8/8/3k4/3p4/8/8/3R4/3R2K1 w - - 0 1", "d2d5", 100),  # but not from two
        ("8/8/8/3pP3/8/8/8/k5K1 w - d6 0 1", "e5d6", 100),  # en passant
        ("8/2k5/8/3pP3/8/8/8/6K1 w - d6 0 1", "e5d6", 0),
        ("3r4/2k5/8/3pP3/8/8/8/6K1 w - d6 0 1", "e5d6", 0),
        ("8/P6k/8/8/8/8/8/6K1 w - - 0 1", "a7a8q", 900 - 100),
        ("8/P5rk/8/8/8/8/8/4K3 w - - 0 1", "a7a8q", 900 - 100),
        ("6r1/P6k/8/8/8/8/8/4K3 w - - 0 1", "a7a8q", -100),  # the new queen is lost, and the pawn is gone
        ("1r5k/P7/8/8/8/8/8/6K1 w - - 0 1", "a7b8q", 500 + 900 - 100),
        ("4k3/8/8/8/8/2n5/8/1R2K3 w - - 0 1", "b1b8", 0),
        ("4k3/8/8/8/8/r7/8/1R2K3 w - - 0 1", "b1b3", -500),  # no capture at all, and a piece is hanging
    ],
)
def test_known_exchanges(fen: str, move: str, worth: int) -> None:
    board, capture = chess.Board(fen), chess.Move.from_uci(move)
    assert board.is_legal(capture)
    assert exchange(board, capture) == worth
    from_square, to_square = (chess.square_mirror(at) for at in (capture.from_square, capture.to_square))
    mirrored = chess.Move(from_square, to_square, capture.promotion)
    assert exchange(board.mirror(), mirrored) == worth


def played_out(board: chess.BaseBoard, square: chess.Square, side: chess.Color) -> int:
    """What `side` wins by capturing on `square`, if it likes: man by man, on boards of their own."""
    captured = board.piece_type_at(square)
    attackers = board.attackers(side, square)
    if not attackers or captured is None:
        return 0
    cheapest = min(attackers, key=lambda at: WORTH[board.piece_type_at(at) or 0])
    piece = board.piece_at(cheapest)
    after = board.copy()
    after.set_piece_at(square, after.remove_piece_at(cheapest))
    if piece is not None and piece.piece_type == chess.KING and after.is_attacked_by(not side, square):
        return 0
    return max(0, WORTH[captured] - played_out(after, square, not side))


def test_random_captures_are_worth_what_playing_them_out_brings() -> None:
    compared = 0
    for position in playouts(11, 60, plies=(10, 60)):
        for move in position.legal_moves:
            if not position.is_capture(move) or move.promotion or position.is_en_passant(move):
                continue
            board = chess.BaseBoard(position.board_fen())
            board.set_piece_at(move.to_square, board.remove_piece_at(move.from_square))
            expected = captured_worth(position, move) - played_out(board, move.to_square, not position.turn)
            assert exchange(position, move) == expected, (position.fen(), move.uci())
            compared += 1
    assert compared > 100


def test_castling_captures_nothing() -> None:
    board = chess.Board("4k3/8/8/8/8/8/8/4K2R w K - 0 1", chess960=True)
    castling = board.parse_san("O-O")
    assert castling.to_square == chess.H1
    assert captured_worth(board, castling) == 0
    assert exchange(board, castling) == 0


def test_a_drop_may_be_taken() -> None:
    board = chess.variant.CrazyhouseBoard("4k3/8/3p4/8/8/8/8/4K3[N] w - - 0 1")
    assert exchange(board, chess.Move.from_uci("N@e5")) == -320
    assert exchange(board, chess.Move.from_uci("N@e4")) == 0


def test_where_pieces_are_not_traded() -> None:
    without = {rules for rules in chess.variant.VARIANTS if not is_exchange(rules())}
    assert chess.variant.AtomicBoard in without
    assert chess.variant.AntichessBoard in without
    assert chess.variant.CrazyhouseBoard not in without
    assert is_exchange(chess.Board())


def test_a_move_from_an_empty_square_is_refused() -> None:
    with pytest.raises(ValueError, match=r"e4e5 moves no piece in"):
        exchange(chess.Board(), chess.Move.from_uci("e4e5"))
