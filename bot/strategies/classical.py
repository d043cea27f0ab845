"""The searching strategy: alpha-beta on the classical evaluation, as deep as its time allows.

Without options it deepens under the turn's own limit: about `soft_ms`, more when the search changes its mind
or the score falls, less when it does not. With `nodes`, `depth` or `movetime` it goes so far, always, and the
turn's `hard_ms` only keeps it from losing the move. Each turn starts afresh, and depends on nothing before.
"""

from __future__ import annotations

from bot.errors import StrategyNameError
from bot.evaluation import evaluate
from bot.search import Found, Limits, deepen, moves_to_mate
from bot.strategies.contract import Strategy, Thought, TimeLimit, Turn
from bot.timing.clock import Clock, SystemClock

#: Of the hard limit so much is used at most, less what the way to and from this process takes.
HARD_SHARE, RESERVE_MS = 0.85, 25


def classical(*, nodes: int | None = None, depth: int | None = None, movetime: int | None = None) -> Strategy:
    """The strategy. `nodes`: positions a move; `depth`: plies; `movetime`: milliseconds a move."""
    for name, value in (("nodes", nodes), ("depth", depth), ("movetime", movetime)):
        if value is not None and value < 1:
            raise StrategyNameError(f"classical: {name} is {value}; it must be at least 1")
    return Classical(SystemClock(), nodes=nodes, depth=depth, movetime_ms=movetime)


class Classical:
    """See the module. `clock` tells how much of a turn's time is gone."""

    def __init__(
        self,
        clock: Clock,
        *,
        nodes: int | None = None,
        depth: int | None = None,
        movetime_ms: int | None = None,
    ) -> None:
        self._clock = clock
        self._nodes = nodes
        self._depth = depth
        self._movetime_ms = movetime_ms

    def __call__(self, turn: Turn) -> None:
        board = turn.board()
        moves = list(board.legal_moves)
        if len(moves) == 1:
            turn.play_move(board.uci(moves[0]))
            return

        def report(found: Found) -> None:
            mate_in = moves_to_mate(found.score)
            turn.tell(
                Thought(
                    depth=found.depth,
                    nodes=found.nodes,
                    time_ms=round(found.elapsed_s * 1000),
                    score_cp=found.score if mate_in is None else None,
                    mate_in=mate_in,
                    pv=(board.uci(found.move),),
                )
            )

        limits = self._limits(turn.limit)
        found = deepen(board, limits, evaluate=evaluate, clock=self._clock, report=report)
        turn.play_move(board.uci(found.move))

    def _limits(self, limit: TimeLimit) -> Limits:
        hard_ms = max(1.0, HARD_SHARE * limit.hard_ms - RESERVE_MS)
        soft_ms: float | None = None
        if self._movetime_ms is not None:
            hard_ms = min(hard_ms, self._movetime_ms)
        elif self._nodes is None and self._depth is None:
            soft_ms = limit.soft_ms
        return Limits(
            depth=self._depth,
            nodes=self._nodes,
            soft_s=None if soft_ms is None else soft_ms / 1000,
            hard_s=hard_ms / 1000,
        )
