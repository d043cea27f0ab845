"""How long a move may take. Pure: from the clocks as they stand to a limit for this one move.

Every move costs its thinking and, on top, the overhead: the road to Lichess and back. Of that there are two
numbers: what this move may cost, which no thinking may eat into, and what moves usually cost. The increment
pays the latter back, in part or in full; what it leaves is put aside for a long game. The rest is spread over
the moves that a game of this length usually still has, so that the most is spent in the middlegame, where
games are decided.
"""

from __future__ import annotations

from bot.events import Side
from bot.strategies.contract import Clocks, TimeLimit

#: Without a running clock: quick enough to be good company.
UNHURRIED = TimeLimit(soft_ms=5_000, hard_ms=15_000)
#: At the first move the opponent waits to see whether anybody is there, and there is little to find out.
FIRST_SOFT_MS = 3_000
#: Where no clock runs during it, a strategy that is still being loaded may take so long for it all the same.
FREE_HARD_MS = 10_000
#: A strategy that is given no time at all takes about so much.
LEAST_SOFT_MS = 10
#: What is left is spread over this many moves at the first one, fewer and fewer with each, but never less.
SPREAD_MOVES, SPREAD_LEAST, SPREAD_FALL = 36.0, 16.0, 0.6
#: Where no increment refills the clock, a game that goes on and on has its time spread over all its moves but
#: so many; else nothing would be left of it.
SPREAD_LATE = 44
#: Of what a move earns by its increment this part is spent at once, up to a fourth of what is left.
SPENT_GAIN, MOST_GAIN = 0.9, 0.25
#: The overhead may be what it seldom is so many times in a row: nothing of that is planned with.
CUSHION_MOVES = 3
#: Overhead that no increment pays back is put aside for a game this long, and never for fewer moves to come
#: than have been played.
LONG_GAME_MOVES = 340
#: Where the clock could not pay for that, this share of it is for thinking all the same, at the first move;
#: less and less, and none from so many moves on.
THINKING_SHARE, THINKING_MOVES = 0.3, 70
#: An opponent with this little time, compared with ours, has to think on our time: then there is no use in
#: more than so many times theirs, their increments for so many moves counted. At least half is used anyway.
TROUBLE_TIMES, TROUBLE_MOVES, TROUBLE_LEAST = 2, 20, 0.5
#: A hard move may take this many times the usual, within this share of what is left. One that came so late
#: has its strategy stopped, so it is always given a moment, within another share.
HARD_TIMES, HARD_MOST, HARD_LEAST_MS, HARD_LEAST_SHARE = 4, 0.5, 200, 0.1
#: At these speeds less: one long move costs the game there.
FAST_SPEEDS, FAST_HARD_TIMES = frozenset({"ultraBullet", "bullet"}), 3


def limits(
    clocks: Clocks,
    color: Side,
    *,
    overhead_ms: int,
    usual_overhead_ms: int | None = None,
    moves_played: int,
    speed: str,
    first_is_free: bool = False,
) -> TimeLimit:
    """The limit for the next move of `color`, in milliseconds.

    `clocks` as they stood when the turn began; no clock, and speed "correspondence", mean a fixed limit.
    `overhead_ms`: what this move may cost besides its thinking; `usual_overhead_ms`: what moves cost on
    average, by default as much. `moves_played` counts the moves of `color` so far. `first_is_free`: no clock
    runs during the first move, so on Lichess.

    Always 1 <= soft <= hard; and hard + overhead stays below what is left on the clock whenever more than
    twice the overhead is left, and 2 ms, and a clock runs. A game whose overheads and increments leave
    anything to pay with goes on: when all is spent but what overheads need, the soft limit is LEAST_SOFT_MS.
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
    usual_ms = overhead_ms if usual_overhead_ms is None else usual_overhead_ms
    gain_ms = max(0, increment_ms - usual_ms)  # what a move brings when it takes no time
    loss_ms = max(0, usual_ms + LEAST_SOFT_MS - increment_ms)  # or costs
    free_ms = max(0, remaining_ms - CUSHION_MOVES * overhead_ms)
    spendable_ms = _spendable_ms(free_ms, loss_ms, moves_played)
    spread = max(SPREAD_LEAST, SPREAD_MOVES - SPREAD_FALL * moves_played)
    if loss_ms:
        spread = max(spread, moves_played - SPREAD_LATE)
    wanted_ms = _worth_spending(spendable_ms, theirs) / spread
    wanted_ms = max(LEAST_SOFT_MS, wanted_ms + min(SPENT_GAIN * gain_ms, MOST_GAIN * free_ms))
    hard_times = FAST_HARD_TIMES if speed in FAST_SPEEDS else HARD_TIMES
    least_hard_ms = min(HARD_LEAST_MS, HARD_LEAST_SHARE * usable_ms)
    hard_ms = min(longest_ms, int(max(hard_times * wanted_ms, least_hard_ms)))
    if moves_played == 0:
        wanted_ms = min(wanted_ms, FIRST_SOFT_MS)
        if first_is_free:
            hard_ms = max(hard_ms, FREE_HARD_MS)
    return TimeLimit(min(hard_ms, int(wanted_ms)), hard_ms)


def _spendable_ms(free_ms: int, loss_ms: int, moves_played: int) -> float:
    """What may be spent on thinking in all the moves to come, when each loses so much besides."""
    moves_ahead = max(LONG_GAME_MOVES - moves_played, moves_played)
    share = THINKING_SHARE * max(0.0, 1 - moves_played / THINKING_MOVES)
    return max(free_ms - loss_ms * moves_ahead, share * free_ms)


def _worth_spending(spendable_ms: float, theirs: tuple[int | None, int]) -> float:
    """What to spread over the game, of what could be spent: less where the opponent is short of time."""
    their_ms, their_increment_ms = theirs
    if their_ms is None:
        return spendable_ms
    enough_ms = TROUBLE_TIMES * (max(0, their_ms) + TROUBLE_MOVES * their_increment_ms)
    return max(TROUBLE_LEAST * spendable_ms, min(spendable_ms, enough_ms))
