"""What a strategy tells of its thoughts, made plain: nobody loses a move by talking."""

from __future__ import annotations

import operator

from bot.strategies.contract import Tell, Thought

#: Of a line that a strategy expects, so many plies are kept, and of each move so many characters.
LONGEST_LINE, LONGEST_MOVE = 64, 8


class Diary:
    """What a strategy tells in one turn: passed on, and the last of it kept in `last`.

    What is no proper `Thought` is ignored: a strategy must not lose its move by talking.
    """

    def __init__(self, passed_on: Tell) -> None:
        self._passed_on = passed_on
        self.last: Thought | None = None

    def tell(self, thought: Thought) -> None:
        plain = plain_thought(thought)
        if plain is not None:
            self.last = plain
            self._passed_on(plain)


def plain_thought(told: object) -> Thought | None:
    """The thought with nothing in it but plain numbers and texts, as its users rely on; None where it is
    something else. numpy's numbers become Python's, a list a tuple, and a long line is cut."""
    if not isinstance(told, Thought):
        return None
    try:
        depth, nodes, time_ms = (operator.index(each) for each in (told.depth, told.nodes, told.time_ms))
        score_cp, mate_in = (
            None if each is None else operator.index(each) for each in (told.score_cp, told.mate_in)
        )
        pv = tuple(str.__str__(move)[:LONGEST_MOVE] for move in told.pv[:LONGEST_LINE])
    except TypeError:
        return None
    return Thought(depth, nodes, time_ms, score_cp, mate_in, pv)
