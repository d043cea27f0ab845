"""The searching strategy: alpha-beta on the classical evaluation, as deep as its time allows.

Without options it deepens under the turn's own limit: about `soft_ms`, more when the search changes its mind
or the score falls, less when it does not. With `nodes`, `depth` or `movetime` it goes so far, always, and the
turn's `hard_ms` only keeps it from losing the move. Each turn starts afresh, and depends on nothing before.
"""

from __future__ import annotations

from bot.evaluation import evaluate
from bot.search import Found, deepen, moves_to_mate
from bot.strategies.contract import Strategy, Thought, Turn
from bot.strategies.reach import Reach, check_reach
from bot.timing.clock import Clock, SystemClock


def classical(*, nodes: int | None = None, depth: int | None = None, movetime: int | None = None) -> Strategy:
    """The strategy. `nodes`: positions a move; `depth`: plies; `movetime`: milliseconds a move."""
    check_reach("classical", nodes=nodes, depth=depth, movetime=movetime)
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
        self._reach = Reach(nodes, depth, movetime_ms)

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

        limits = self._reach.limits(turn.limit)
        found = deepen(board, limits, evaluate=evaluate, clock=self._clock, report=report)
        turn.play_move(board.uci(found.move))
