"""Iterative deepening: search one ply, then two, then three, for as long as there is time.

Each iteration tries the best move of the one before it first, and the others by how much work they were.
An iteration that is stopped in its midst still counts for the moves that it got through.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace

import chess

from bot.search.alphabeta import AlphaBeta, Features
from bot.search.leaf import Evaluate, Leaf
from bot.search.limits import Limits, Meter, SearchStopped
from bot.search.line import position_key
from bot.search.patience import Patience
from bot.search.scores import INFINITY, MAX_PLY, plies_to_mate
from bot.timing.clock import Clock

#: An iteration takes several times as long as the one before: after this part of the time none is begun.
LAST_START = 0.6


@dataclass(frozen=True, slots=True)
class Found:
    """What a search found: its move and the score of it for the side to move, in centipawns.

    `depth`: the last iteration that was finished, in plies. 0: not even the first; when nothing at all was,
    the score is that of the position as it stands. `nodes`: positions entered, the root not counted.
    `elapsed_s`: seconds since the search began, of what is reported on the way.
    """

    move: chess.Move
    score: int
    depth: int
    nodes: int
    elapsed_s: float = field(default=0.0, compare=False)


@dataclass(slots=True)
class _RootMove:
    move: chess.Move
    nodes: int = 0


def deepen(
    board: chess.Board,
    limits: Limits,
    *,
    evaluate: Evaluate,
    clock: Clock,
    features: Features | None = None,
    report: Callable[[Found], None] | None = None,
) -> Found:
    """The best move on `board`, whose move stack is the game so far; the board is left as it is.

    `evaluate`: centipawns, White's view. `report` is called after each iteration. Without any limit the
    search goes on to the greatest depth there is. Raises ValueError where there is no legal move.
    """
    return Deepening(board, limits, evaluate, clock, features or Features()).run(report)


class Deepening:
    """One search, from its first iteration to its last; see `deepen`."""

    def __init__(
        self, board: chess.Board, limits: Limits, evaluate: Evaluate, clock: Clock, features: Features
    ) -> None:
        self._limits = limits
        self._meter = Meter(limits, clock)
        self._board = board.copy()
        leaf = Leaf(evaluate)
        self._tree = AlphaBeta(self._board, leaf, self._meter, features)
        self._in_check = board.is_check()
        self._moves = [_RootMove(move) for move in self._tree.ordering.moves(self._board, None, 0)]
        if not self._moves:
            raise ValueError(f"no legal move in {board.fen()}")
        self._patience = Patience()
        self._best = Found(self._moves[0].move, leaf.worth(board), 0, 0)

    def run(self, report: Callable[[Found], None] | None = None) -> Found:
        """Search until a limit is reached, or nothing can be found any more."""
        self._tree.line.enter(position_key(self._board))
        for depth in range(1, (self._limits.depth or MAX_PLY) + 1):
            try:
                score, changed = self._iterate(depth)
            except SearchStopped:
                break
            self._patience = self._patience.iteration(score, changed=changed)
            self._best = Found(self._best.move, score, depth, self._meter.nodes)
            if report is not None:
                report(replace(self._best, elapsed_s=self._meter.elapsed_s()))
            if is_shortest_mate(score, depth):
                break
            if not self._another():
                break
        return replace(self._best, nodes=self._meter.nodes)

    def _iterate(self, depth: int) -> tuple[int, bool]:
        """One iteration: the best score, and whether its move is another than before."""
        tree, nodes = self._tree, self._meter
        before = self._best.move
        alpha = -INFINITY
        for index, root_move in enumerate(self._moves):
            nodes_before = nodes.nodes
            score = tree.try_move(root_move.move, index, depth, (alpha, INFINITY), 0, in_check=self._in_check)
            root_move.nodes = nodes.nodes - nodes_before
            if score > alpha:
                alpha = score
                self._take(root_move.move, score, first=index == 0)
        best = self._best.move
        self._moves.sort(key=lambda each: (each.move != best, -each.nodes))
        return alpha, best != before

    def _take(self, move: chess.Move, score: int, *, first: bool) -> None:
        """`move` is the best of this iteration so far."""
        self._best = Found(move, score, self._best.depth, self._meter.nodes)
        if self._best.depth:
            self._stop_by(self._patience.warned(score, changed=not first))

    def _another(self) -> bool:
        """Whether there is time for one more iteration."""
        soft_s = self._stop_by(self._patience)
        return soft_s is None or self._meter.elapsed_s() < LAST_START * soft_s

    def _stop_by(self, patience: Patience) -> float | None:
        """Stop when `patience` says so: after so many seconds; None: there is no soft limit."""
        soft_s, hard_s = self._limits.soft_s, self._limits.hard_s
        if soft_s is None:
            return None
        soft_s *= patience.share
        if hard_s is not None:
            soft_s = min(soft_s, hard_s)
        self._meter.stop_after(soft_s)
        return soft_s


def is_shortest_mate(score: int, depth: int) -> bool:
    """Whether `score`, of an iteration `depth` plies deep, is a mate and no deeper one finds a shorter way.

    Each of the winner's moves but the last may have been looked at up to two plies less deeply, and all mates
    that are shorter must have been within reach all the same: of n moves, and so 2n - 1 plies, 4n - 3 deep.
    """
    distance = plies_to_mate(score)
    if distance is None:
        return False
    moves = (distance - 1) // 2  # of the longest mate that would be shorter
    return depth >= max(distance, 4 * moves - 3)
