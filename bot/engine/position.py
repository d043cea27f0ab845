"""From a board of python-chess to the engine's record, and from the engine's moves back to python-chess."""

from __future__ import annotations

import chess

from bot.engine import zobrist
from bot.engine.attacks import checkers, pinned
from bot.engine.evaluate_material import placed
from bot.engine.generate import recall_move
from bot.engine.jit import BOOLEAN, INT64, compiled
from bot.engine.make import make
from bot.engine.moves import NO_MOVE
from bot.engine.state import MAX_COUNTER, MAX_GAME, MAX_MEN, STATE_T, State


@compiled(BOOLEAN(STATE_T, INT64))
def play(S: State, name: int) -> bool:
    """Make the legal move of this name, if there is one."""
    move = recall_move(S, name, checkers(S), pinned(S))
    if move == NO_MOVE:
        return False
    make(S, move)
    return True


def playable(board: chess.Board) -> bool:
    """Whether the engine can play on: chess (chess960 as well), and no more men than a game begins with."""
    return type(board) is chess.Board and all(men.bit_count() <= MAX_MEN for men in board.occupied_co)


def load(state: State, board: chess.Board) -> None:
    """Put the position of `board` into the record, with so much of its move stack as may come again.

    Raises ValueError where it cannot be played; see `playable`. `board` is left as it is.
    """
    if not playable(board):
        raise ValueError(f"the engine cannot play {board.fen()} of {type(board).__name__}")
    past = board.copy(stack=min(board.halfmove_clock, MAX_GAME - 1))
    moves = []
    while past.move_stack:
        moves.append(past.pop())
    _place(state, past)
    for move in reversed(moves):
        if not play(state, name_of(move, past)):
            raise ValueError(f"{move.uci()} is not legal in {past.fen()}")
        past.push(move)


def name_of(move: chess.Move, board: chess.Board) -> int:
    """The name (see `moves`) of a legal move on `board`."""
    rook_taken = board._to_chess960(move)
    return rook_taken.from_square | rook_taken.to_square << 6 | (move.promotion or 0) << 12


def in_passing(board: chess.Board) -> int | None:
    """The square on which a pawn of the side to move can take in passing.

    python-chess believes what a FEN says of it; here the pawn that is taken must have come by.
    """
    if not board.has_pseudo_legal_en_passant() or board.status() & chess.STATUS_INVALID_EP_SQUARE:
        return None
    return board.ep_square


def to_chess(move: int, board: chess.Board) -> chess.Move:
    """The engine's move as python-chess has it on `board`: castling as the board's chess960 flag says."""
    promotion = move >> 12 & 7
    found = chess.Move(move & 63, move >> 6 & 63, promotion or None)
    return board._from_chess960(board.chess960, found.from_square, found.to_square, found.promotion)


def _place(state: State, board: chess.Board) -> None:
    state["men"] = 0
    state["board"] = 0
    for square, piece in board.piece_map().items():
        state["men"][int(piece.color), piece.piece_type] |= chess.BB_SQUARES[square]
        state["board"][square] = piece.piece_type + 8 * piece.color
    state["own"] = board.occupied_co
    state["occupied"] = board.occupied
    state["turn"] = int(board.turn)
    state["castling"] = board.clean_castling_rights()
    state["en_passant"] = -1 if (passed_over := in_passing(board)) is None else passed_over
    state["halfmoves"] = min(board.halfmove_clock, MAX_COUNTER)
    state["fullmove"] = min(board.fullmove_number, MAX_COUNTER)
    state["height"] = 0
    state["key"], state["pawn_key"], state["piece_keys"] = zobrist.keys(state)
    state["placed"] = placed(state)
