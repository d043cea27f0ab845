"""Looking ahead, in readable Python on python-chess: the reference that anything faster is held against.

    deepening   deeper and deeper while there is time: what a player calls
    alphabeta   one search of one depth; `quiescence` where it ends, `ordering` and `exchange` for its moves
    table       what has been found out already; `line` for what has stood on the board already
    endings     what the rules say; `scores` for mate and its distance
    limits      nodes and time; `patience` for how much of the time
    plain       the textbook's own search, without any of this, to compare with

Pure: the clock, the evaluation and the limits are handed in.
"""

from bot.search.alphabeta import Features
from bot.search.deepening import Found, deepen
from bot.search.limits import Limits
from bot.search.scores import moves_to_mate

__all__ = ["Features", "Found", "Limits", "deepen", "moves_to_mate"]
