"""The first tool: look at a position, or at the one after a move. It never touches a game.

A draw that can be claimed counts as the end of the game. Whether a position has stood on the board before is
known only to a tool that was made for a game (`tool_for`).
"""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Mapping
from dataclasses import dataclass

import chess

from bot.events import Side
from bot.move_list import FromMoves
from bot.position import new_board, parse_move
from bot.strategies.contract import Look, SimulateMove

#: Boards kept for their FEN: a search asks many times in a row for the moves of one position.
_CACHED_BOARDS = 64


def simulate_move(fen: str, move: str | None = None) -> Look:
    """The position `fen`, or the one after `move` (UCI, castling in either notation), in standard chess.

    Raises PositionError, a ValueError, for a FEN that cannot be read and for a move that is not legal.
    """
    return _look("standard", _board_after("standard", fen, move))


@dataclass(frozen=True, slots=True)
class Past:
    """A game as far as it was played: its position, without a move stack, and what has stood on the board.

    `seen` counts positions, the present one included. Both are shared: not to be changed.
    """

    board: chess.Board
    seen: Mapping[str, int]


def past_of(variant: str, initial_fen: str, moves: tuple[str, ...]) -> Past:
    """Raises PositionError. In a game that is known already it costs no more than the plies that are new."""
    return _pasts(variant, initial_fen, moves)


def tool_for(variant: str, past: Past | None = None) -> SimulateMove:
    """A `simulate_move` that follows the rules of `variant` (a Lichess key).

    With `past` it also knows what has been on the board: a position that would stand there for the third time
    is a draw. Positions of a line that is only simulated are not counted, for each call stands by itself.
    """
    if past is None:

        def tool(fen: str, move: str | None = None) -> Look:
            return _look(variant, _board_after(variant, fen, move))

        return tool

    seen = past.seen
    present = past.board.fen()

    def tool_with_history(fen: str, move: str | None = None) -> Look:
        look = _look(variant, _board_after(variant, fen, move))
        times = seen.get(_placement(look["fen"]), 0)
        if times >= 2 and not look["game_over"]:
            is_present = move is None and look["fen"] == present  # it is among those seen
            if times + (not is_present) >= 3:
                look["game_over"], look["result"] = True, "1/2-1/2"
        return look

    return tool_with_history


class _Boards:
    """The boards of the positions that were looked at last. Any thread may use it."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._known: OrderedDict[tuple[str, str], chess.Board] = OrderedDict()  # least recently used first

    def read(self, variant: str, fen: str) -> chess.Board:
        """It is shared: copy it before anything, for some rules try moves out to tell legal ones."""
        with self._lock:
            board = self._known.get((variant, fen))
            if board is not None:
                self._known.move_to_end((variant, fen))
                return board
        return self.keep(variant, fen, new_board(variant, fen))

    def keep(self, variant: str, fen: str, board: chess.Board) -> chess.Board:
        """Remember that `fen` is this board."""
        with self._lock:
            self._known[variant, fen] = board
            if len(self._known) > _CACHED_BOARDS:
                self._known.popitem(last=False)
        return board


_boards = _Boards()


def board_of(variant: str, fen: str) -> chess.Board:
    """What `new_board` makes of a FEN, without the work where `simulate_move` returned it a moment ago.

    It is the caller's own. Raises PositionError.
    """
    return _boards.read(variant, fen).copy(stack=False)


def _board_after(variant: str, fen: str, move: str | None) -> chess.Board:
    board = board_of(variant, fen) if isinstance(fen, str) else new_board(variant, fen)
    if move is not None:
        board.push(parse_move(board, move))
    return board


def _look(variant: str, board: chess.Board) -> Look:
    legal = [] if board.is_variant_end() else [move.uci() for move in board.generate_legal_moves()]
    game_over, winner = _ending(board, has_moves=bool(legal))
    if not game_over:
        result = "*"
    elif winner is None:
        result = "1/2-1/2"
    else:
        result = "1-0" if winner == "white" else "0-1"
    fen = board.fen()
    _boards.keep(variant, fen, board)
    return {
        "fen": fen,
        "legal_moves": legal,
        "game_over": game_over,
        "winner": winner,
        "result": result,
    }


def _ending(board: chess.Board, *, has_moves: bool) -> tuple[bool, Side | None]:
    """(over, winner), as `board.outcome(claim_draw=True)` has it but for repetitions, without a second
    generation of moves."""
    to_move: Side = "white" if board.turn else "black"
    other: Side = "black" if board.turn else "white"
    if board.is_variant_loss():
        return True, other
    if board.is_variant_win():
        return True, to_move
    if board.is_variant_draw():
        return True, None
    if not has_moves:
        return True, other if board.is_check() else None
    if board.is_insufficient_material():
        return True, None
    # From 99 on, a move that completes the fifty may be there to claim with.
    return board.halfmove_clock >= 99 and board.can_claim_fifty_moves(), None


def _placement(fen: str) -> str:
    """What makes two positions the same: all of a FEN but its two counters."""
    return fen.rsplit(" ", 2)[0]


def _begin(variant: str, initial_fen: str) -> Past:
    board = new_board(variant, initial_fen)
    return Past(board, {_placement(board.fen()): 1})


def _grow(past: Past, uci: str) -> Past:
    board = past.board.copy(stack=False)
    board.push(parse_move(board, uci))
    placement = _placement(board.fen())
    return Past(board, {**past.seen, placement: past.seen.get(placement, 0) + 1})


#: A strategy's process plays one game; a scripted player may play several.
_pasts: FromMoves[Past] = FromMoves(_begin, _grow, games=16)
