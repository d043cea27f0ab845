"""One thread's search: its own record, and one iteration after the other on it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType

import chess

from bot.engine.attacks import checkers, pinned
from bot.engine.features import ALL
from bot.engine.generate import recall_move
from bot.engine.learned import use
from bot.engine.meter import DEADLINE, STOP
from bot.engine.network import Network
from bot.engine.ordering import begin_list, next_move
from bot.engine.position import load
from bot.engine.scores import DECISIVE, INFINITY
from bot.engine.search import search_root
from bot.engine.state import LEARNT, MAX_LEFT_OUT, MAX_PLY, new_state, tune
from bot.engine.table import AGES, Table, find, name_of

#: From this depth on the score is expected near that of the iteration before: so far, in centipawns, and this
#: many times further each time that it is not.
ASPIRATION_DEPTH, NEAR, FURTHER = 5, 14, 1.8
#: No search is longer, and it fits into an int64.
NO_LIMIT = 1 << 60
#: What was learnt about moves loses this part (bits) from one search to the next.
FADING_BITS = 2


class Worker:
    """`stop` and `stop_at` may be called by any thread; the rest by the one that searches."""

    def __init__(
        self,
        features: int = ALL,
        network: Network | None = None,
        tuned: Mapping[str, int] = MappingProxyType({}),
    ) -> None:
        self.state = new_state()
        self.state["features"] = features
        tune(self.state, tuned)
        use(self.state, network)
        self._line: list[int] = []

    @property
    def nodes(self) -> int:
        """Searched since `begin`."""
        return int(self.state["nodes"])

    @property
    def stopped(self) -> bool:
        """Whether the last iteration was stopped in its midst."""
        return bool(self.state["stopped"])

    def begin(self, board: chess.Board, *, node_limit: int | None, contempt: int, age: int) -> None:
        """Get ready to search `board`. `contempt`: what a draw costs the side to move, in centipawns. `age`:
        the number of this search. Raises ValueError for a board that the engine cannot play."""
        state = self.state
        load(state, board)
        state["nodes"] = state["stopped"] = state["deepest"] = state["left_out_count"] = 0
        state["node_limit"] = NO_LIMIT if node_limit is None else node_limit
        state["contempt"] = contempt if board.turn == chess.WHITE else -contempt
        state["age"] = age % AGES
        state["plies"] = 0
        for name in ("history", "capture_history", "continuation"):
            state[name] -= state[name] >> FADING_BITS

    def forget(self) -> None:
        """Forget what was learnt in other games."""
        for name in LEARNT:
            self.state[name] = 0

    def iteration(
        self,
        table: Table,
        depth: int,
        *,
        expected: int,
        left_out: Sequence[int] = (),
        on_bound: Callable[[int], None] | None = None,
    ) -> int:
        """Search `depth` plies deep (1 or more), all moves but those left out; returns the score.

        `expected`: the score of the iteration before. `on_bound` is called with each score that turned out to
        be a bound only. Means nothing once `stopped` is set.
        """
        state = self.state
        if len(left_out) > MAX_LEFT_OUT:
            raise ValueError(f"{len(left_out)} moves are left out; {MAX_LEFT_OUT} can be")
        state["left_out"][: len(left_out)] = left_out
        state["left_out_count"] = len(left_out)
        self._line = []
        width: float = NEAR
        low, high = expected - NEAR, expected + NEAR
        if depth < ASPIRATION_DEPTH or abs(expected) >= DECISIVE:
            low, high = -INFINITY, INFINITY
        while True:
            score = int(search_root(state, table, depth, max(low, -INFINITY), min(high, INFINITY)))
            ends = int(state["line_ends"][0])
            if ends or not self.stopped:  # else the line of the search before, of this iteration, still holds
                self._line = [int(move) for move in state["lines"][0][:ends]]
            if self.stopped or low < score < high:
                return score
            if on_bound is not None:
                on_bound(score)
            width *= FURTHER
            if score <= low:
                low = -INFINITY if score <= -DECISIVE else score - int(width)
            else:
                high = INFINITY if score >= DECISIVE else score + int(width)

    def engine_move(self, name: int) -> int:
        """The move of this name in the position that is searched."""
        return int(recall_move(self.state, name, checkers(self.state), pinned(self.state)))

    def best_line(self) -> list[int]:
        """The best line of the last iteration; where it was stopped, or failed low, perhaps none.

        Where a move was better than expected, and time ran out before it was known how much, that move.
        """
        return self._line

    def likeliest(self, table: Table, left_out: Sequence[int]) -> int:
        """The move that a search would begin with, NO_MOVE if all are left out; not while one runs."""
        state = self.state
        checks, pins = checkers(state), pinned(state)
        known = recall_move(state, name_of(find(table, state["key"])), checks, pins)
        begin_list(state, 0, known, checks, pins)
        while (move := int(next_move(state, 0))) in left_out:
            pass
        return move

    def deepen(self, table: Table, *, first: int, most: int = MAX_PLY - 1) -> None:
        """Search deeper and deeper until stopped: a helper, whose results are in the table."""
        score = 0
        for depth in range(first, most + 1):
            score = self.iteration(table, depth, expected=score)
            if self.stopped:
                return

    def stop(self) -> None:
        """Stop, from whichever thread; a search that begins later stops at once, until `go_on`."""
        self.state["control"][STOP] = 1

    def stop_at(self, deadline_ns: int) -> None:
        """Stop at that time of the monotonic clock; 0: time does not matter."""
        self.state["control"][DEADLINE] = deadline_ns

    def go_on(self) -> None:
        """Take back `stop` and `stop_at`."""
        self.state["control"] = 0
