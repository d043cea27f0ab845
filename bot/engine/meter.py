"""Counting the nodes of a search, and ending it."""

from __future__ import annotations

from bot.engine.intrinsics import load_shared, now_ns
from bot.engine.jit import INT64, VOID, compiled
from bot.engine.state import STATE_T, State

#: Places in `S.control`, which other threads may write to while a search runs: not 0, stop; the time at which
#: to stop, in nanoseconds of the monotonic clock, 0 for never.
STOP, DEADLINE = 0, 1
#: The clock is looked at once in so many nodes: well under a millisecond.
POLL_EVERY = 1024


@compiled(VOID(STATE_T))
def look(S: State) -> None:
    """Set `S.stopped` if a limit is reached, and `S.poll_at` to the node at which to look again."""
    deadline = load_shared(S.control, DEADLINE)
    if (
        S.nodes >= S.node_limit
        or load_shared(S.control, STOP) != 0
        or (deadline != 0 and now_ns() >= deadline)
    ):
        S.stopped = 1
    S.poll_at = min(S.nodes + POLL_EVERY, S.node_limit)


@compiled(VOID(STATE_T, INT64))
def begin_counting(S: State, depth: int) -> None:
    """Get ready for an iteration `depth` plies deep.

    The first `POLL_EVERY` nodes of a search are free, which is enough for almost every first iteration: so
    there is a move even where the time was up before it began.
    """
    S.poll_at = S.nodes
    if depth == 1:
        S.poll_at = min(max(S.nodes, POLL_EVERY), S.node_limit)


@compiled(VOID(STATE_T), inline=True)
def visit(S: State) -> None:
    """Count a node. Where `S.stopped` is set then, it was not counted, and the search must return."""
    if S.nodes >= S.poll_at:
        look(S)
    if S.stopped == 0:
        S.nodes += 1
