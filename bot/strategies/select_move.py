"""The house strategy: two plies of simulation, a plain count, the best score.

1. In the first full move of a game, the first of four openings that is legal.
2. Otherwise the legal moves in the order of their UCI text;
3. each is worth what is left of it after the reply that hurts it most,
4. counted in centipawns from White's side: material, pieces in the centre, a check.
5. A move must be strictly better to replace an earlier one. Then it is played, once.

White looks for the highest score, Black for the lowest: all else is the same.
"""

from __future__ import annotations

import chess

from bot.simulate_move import board_of
from bot.strategies.contract import Look, Turn

OPENINGS = ("e2e4", "d2d4", "c2c4", "g1f3")
MATE = 1_000_000  # beyond any material
VALUES = {
    chess.PAWN: 100,
    chess.KNIGHT: 320,
    chess.BISHOP: 330,
    chess.ROOK: 500,
    chess.QUEEN: 900,
    chess.KING: 0,
}
CENTRE = chess.BB_CENTER
CENTRE_BONUS = 12
CHECK_BONUS = 25


def select_move(turn: Turn) -> None:
    """Play the move that two plies of simulation like best."""
    legal_moves = turn.simulate_move(turn.fen)["legal_moves"]
    if board_of(turn.variant, turn.fen).fullmove_number == 1:
        for move in OPENINGS:
            if move in legal_moves:
                turn.play_move(move)
                return
    sign = 1 if turn.color == "white" else -1
    best, best_score = "", -MATE - 1
    for move in sorted(legal_moves):
        score = sign * worst_after(turn, move)
        if score > best_score:
            best, best_score = move, score
    turn.play_move(best)


def worst_after(turn: Turn, move: str) -> int:
    """The score of `move`: White's count after the reply that is best for the other side."""
    after = turn.simulate_move(turn.fen, move)
    if after["game_over"]:
        return evaluate(after, turn.variant)
    scores = [
        evaluate(turn.simulate_move(after["fen"], reply), turn.variant) for reply in after["legal_moves"]
    ]
    return min(scores) if turn.color == "white" else max(scores)


def evaluate(position: Look, variant: str) -> int:
    """What `position` is worth to White, in centipawns."""
    if position["game_over"]:
        return {"white": MATE, "black": -MATE, None: 0}[position["winner"]]
    board = board_of(variant, position["fen"])
    score = 0
    for color, sign in ((chess.WHITE, 1), (chess.BLACK, -1)):
        for kind, value in VALUES.items():
            score += sign * value * board.pieces_mask(kind, color).bit_count()
        score += sign * CENTRE_BONUS * (board.occupied_co[color] & CENTRE).bit_count()
    if board.is_check():
        score += CHECK_BONUS if board.turn == chess.BLACK else -CHECK_BONUS
    return score
