"""What a finished game is worth."""

from __future__ import annotations

import chess

#: A win on the board, in centipawns, less the plies that it takes. No evaluation comes near it (the 10000 of
#: the course notes is within reach of nine queens).
MATE = 100_000


def game_value(board: chess.Board, ply: int = 0) -> int | None:
    """The final value of `board` from White's side, or None while the game goes on.

    Won by White: MATE - ply; won by Black: ply - MATE, so that a search at `ply` prefers the shorter way to
    win and the longer way to lose. 0 for every draw that needs no claim: stalemate, insufficient material,
    the 75-move rule, and, where the board has its move stack, a position for the fifth time. Variants end as
    their rules say.
    """
    outcome = board.outcome()
    if outcome is None:
        return None
    if outcome.winner is None:
        return 0
    return MATE - ply if outcome.winner == chess.WHITE else ply - MATE
