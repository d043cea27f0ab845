"""How long a move may take. Pure: from the clocks as they stand to a limit for this one move.

Every move costs its thinking and, on top, the overhead: the road to Lichess and back. The increment pays that
back, in part or in full. What is left is spread over the moves that a game of this length usually still has,
so that the most is spent in the middlegame, where games are decided.
"""

from __future__ import annotations

from bot.events import Side
from bot.strategies.contract import Clocks, TimeLimit

#: Without a running clock: quick enough to be good company.
UNHURRIED = TimeLimit(soft_ms=5_000, hard_ms=15_000)
#: At the first move the opponent waits to see whether anybody is there, and there is little to find out.
FIRST_SOFT_MS = 3_000
#: What is left is spread over this many moves at the first one, fewer and fewer with each, but never less.
SPREAD_MOVES, SPREAD_LEAST, SPREAD_FALL = 40.0, 18.0, 0.6
#: Of what a move earns by its increment this part is spent at once.
SPENT_GAIN = 0.75
#: Overhead that no increment pays back is put aside for a game this long, and for this many moves at least.
LONG_GAME_MOVES, LEAST_MOVES_AHEAD = 150, 20
#: An opponent with this little time, compared with ours, has to think on our time: then there is no use in
#: more than so many times theirs, their increments for so many moves counted. At least half is used anyway.
TROUBLE_TIMES, TROUBLE_MOVES, TROUBLE_LEAST = 2, 20, 0.5
#: A hard move may take this many times the usual, within these two shares of what is left.
HARD_TIMES, HARD_LEAST, HARD_MOST = 5, 0.1, 0.8
#: At these speeds less: one long move costs the game there.
FAST_SPEEDS, FAST_HARD_TIMES = frozenset({"ultraBullet", "bullet"}), 3


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
    white = (clocks.white_ms, clocks.white_increment_ms)
    black = (clocks.black_ms, clocks.black_increment_ms)
    ours, theirs = (white, black) if color == "white" else (black, white)
    remaining_ms, increment_ms = ours
    if remaining_ms is None:
        return UNHURRIED
    usable_ms = max(0, remaining_ms - overhead_ms)
    longest_ms = max(1, int(HARD_MOST * usable_ms))
    if speed == "correspondence":
        return TimeLimit(min(UNHURRIED.soft_ms, longest_ms), min(UNHURRIED.hard_ms, longest_ms))
    gain_ms = increment_ms - overhead_ms  # what a move brings when it takes no time
    moves_ahead = max(LEAST_MOVES_AHEAD, LONG_GAME_MOVES - moves_played)
    spendable_ms = max(0, usable_ms + min(0, gain_ms) * moves_ahead)
    spread = max(SPREAD_LEAST, SPREAD_MOVES - SPREAD_FALL * moves_played)
    wanted_ms = _worth_spending(spendable_ms, theirs) / spread + SPENT_GAIN * max(0, gain_ms)
    hard_times = FAST_HARD_TIMES if speed in FAST_SPEEDS else HARD_TIMES
    hard_ms = min(longest_ms, max(1, int(hard_times * wanted_ms), int(HARD_LEAST * usable_ms)))
    if moves_played == 0:
        wanted_ms = min(wanted_ms, FIRST_SOFT_MS)
    return TimeLimit(min(hard_ms, max(1, int(wanted_ms))), hard_ms)


def _worth_spending(spendable_ms: int, theirs: tuple[int | None, int]) -> float:
    """What to spread over the game, of what could be spent: less where the opponent is short of time."""
    their_ms, their_increment_ms = theirs
    if their_ms is None:
        return spendable_ms
    enough_ms = TROUBLE_TIMES * (max(0, their_ms) + TROUBLE_MOVES * their_increment_ms)
    return max(TROUBLE_LEAST * spendable_ms, min(spendable_ms, enough_ms))
