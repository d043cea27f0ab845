"""What has stood on the board: in the game so far, and in the line that is being looked at."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable

import chess


def position_key(board: chess.Board) -> Hashable:
    """What makes two positions the same: pieces, side to move, castling, a possible en passant capture, and
    what a variant adds. Equal keys are equal positions; nothing is hashed away.

    python-chess compares positions by the same key, without a public name for it.
    """
    return board._transposition_key()


class Line:
    """The line from the root to the present position, after the game that led to the root.

    A position that has been in the line is a draw when it comes again: whoever could force it once can force
    it twice. One of the game before is a draw when it comes for the third time, as the rules have it.
    """

    def __init__(self, root: chess.Board) -> None:
        """`root` with its move stack; it is left as it is."""
        board = root.copy()
        self._game: Counter[Hashable] = Counter()
        self._line: set[Hashable] = set()
        self._game[position_key(board)] += 1
        while board.move_stack:  # all of it: in crazyhouse even a capture can be undone by a drop
            board.pop()
            self._game[position_key(board)] += 1

    def enter(self, key: Hashable) -> None:
        self._line.add(key)

    def leave(self, key: Hashable) -> None:
        self._line.discard(key)

    def repeats(self, key: Hashable) -> bool:
        """Whether the position of `key`, now on the board, is a draw by repetition."""
        return key in self._line or self._game.get(key, 0) >= 2
