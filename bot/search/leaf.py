"""What a position is worth by itself, asked for once and remembered."""

from __future__ import annotations

from collections.abc import Callable

import chess

from bot.search.line import position_key
from bot.search.table import Generations

#: Centipawns, from White's view.
Evaluate = Callable[[chess.Board], int]
#: How many worths are remembered; a key and a number are a few hundred bytes.
REMEMBERED = 200_000


class Leaf:
    """The evaluation, from the view of the side to move."""

    def __init__(self, evaluate: Evaluate) -> None:
        self._evaluate = evaluate
        self._known = Generations[int](REMEMBERED)

    def worth(self, board: chess.Board) -> int:
        """Centipawns. `board` is not looked at for mate or draws: that is done before."""
        key = position_key(board)
        score = self._known.get(key)
        if score is None:
            score = self._evaluate(board)
            self._known.put(key, score)
        return score if board.turn == chess.WHITE else -score
