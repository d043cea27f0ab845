"""Depth by the share of empty squares, as an agent for another game was submitted with it.

1. On the first two turns, as either side, a fixed opening.
2. A move that wins at once.
3. Else minimax, 1, 2, 3 or 4 plies deep, as >= 15 %, 10 to 15 %, 5 to 10 % or < 5 % of the board is empty.

Literal are the three steps, their order, the two turns, the thresholds and the depths. What the game brings
with it is not: that agent opened on a cell of its own board, which chess has not; here it is the first legal
of the house strategy's preferences, which are White's, and for Black the same seen from the other side. And
the positions are judged by the evaluation that all strategies share.

On a chessboard at least half of the squares are always empty, so it searches one ply, always. That is what
its record found of the original too, which is why it stays exactly so.
"""

from __future__ import annotations

import chess

from bot.strategies.contract import Turn
from bot.strategies.fixed_depth import play_at_depth
from bot.strategies.select_move import OPENINGS

OPENING_TURNS = 2
#: For each side, Black first: the same moves as seen from there.
_OPENINGS = (
    tuple("".join(str(9 - int(sign)) if sign.isdigit() else sign for sign in move) for move in OPENINGS),
    OPENINGS,
)


def depth_by_space(turn: Turn) -> None:
    """Play the opening, the win, or the best move at the depth of the empty share."""
    board = turn.board()
    empty = len(chess.SQUARES) - chess.popcount(board.occupied)
    play_by_share(turn, board, depth_for(empty, len(chess.SQUARES)))


def depth_for(left: int, of: int) -> int:
    """The depth in plies when `left` of `of` are left."""
    for depth, percent in ((1, 15), (2, 10), (3, 5)):
        if 100 * left >= percent * of:
            return depth
    return 4


def play_by_share(turn: Turn, board: chess.Board, depth: int) -> None:
    """The whole procedure, with the depth already chosen. `board`: the turn's position."""
    move = _opening(turn, board) or _win(turn)
    if move is None:
        play_at_depth(turn, board, depth)
    else:
        turn.play_move(move)


def _opening(turn: Turn, board: chess.Board) -> str | None:
    if board.fullmove_number > OPENING_TURNS:
        return None
    legal = turn.simulate_move(turn.fen)["legal_moves"]
    return next((move for move in _OPENINGS[board.turn] if move in legal), None)


def _win(turn: Turn) -> str | None:
    legal = turn.simulate_move(turn.fen)["legal_moves"]
    wins = (move for move in sorted(legal) if turn.simulate_move(turn.fen, move)["winner"] == turn.color)
    return next(wins, None)
