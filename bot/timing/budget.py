"""How long a move may take. Pure: from the clocks as they stand to a limit for this one move.

Every move costs its thinking and, on top, the overhead: the road to Lichess and back. The increment pays that
back, in part or in full.
"""

from __future__ import annotations

from bot.events import Side
from bot.strategies.contract import Clocks, TimeLimit

#: Without a running clock: quick enough to be good company.
UNHURRIED = TimeLimit(soft_ms=5_000, hard_ms=15_000)
#: What is left is spread over this many moves.
SPREAD_MOVES = 30
#: Overhead that no increment pays back is put aside for a game this long, and for this many moves at least.
LONG_GAME_MOVES, LEAST_MOVES_AHEAD = 150, 20
#: A hard move may take this many times the usual, within these two shares of what is left.
HARD_TIMES, HARD_LEAST, HARD_MOST = 5, 0.1, 0.8


def limits(
    clocks: Clocks,
    color: Side,
    *,
    overhead_ms: int,
    moves_played: int,
    speed: str,
) -> TimeLimit:
    """The limit for the next move of `color`, in milliseconds.

    `clocks` as they stood when the turn began; no clock, and speed "correspondence", mean a fixed limit.
    `moves_played` counts the moves of `color` so far. Always 1 <= soft <= hard; and hard + overhead stays
    below what is left on the clock whenever more than twice the overhead is left, and 2 ms.
    """
    if color == "white":
        remaining_ms, increment_ms = clocks.white_ms, clocks.white_increment_ms
    else:
        remaining_ms, increment_ms = clocks.black_ms, clocks.black_increment_ms
    if remaining_ms is None:
        return UNHURRIED
    usable_ms = max(0, remaining_ms - overhead_ms)
    longest_ms = max(1, int(HARD_MOST * usable_ms))
    if speed == "correspondence":
        return TimeLimit(min(UNHURRIED.soft_ms, longest_ms), min(UNHURRIED.hard_ms, longest_ms))
    gain_ms = increment_ms - overhead_ms  # what a move brings when it takes no time
    moves_ahead = max(LEAST_MOVES_AHEAD, LONG_GAME_MOVES - moves_played)
    spendable_ms = usable_ms + min(0, gain_ms) * moves_ahead
    wanted_ms = spendable_ms / SPREAD_MOVES + 0.7 * max(0, gain_ms)
    soft_ms = min(longest_ms, max(1, int(wanted_ms)))
    hard_ms = min(longest_ms, max(HARD_TIMES * soft_ms, int(HARD_LEAST * usable_ms)))
    return TimeLimit(soft_ms, max(soft_ms, hard_ms))
