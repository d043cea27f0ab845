"""The numbers of the search by name: what is read, what is refused, and that the search goes by them."""

from __future__ import annotations

import re

import chess
import pytest

from bot.engine.searcher import Searcher
from bot.engine.state import new_state, tune
from bot.engine.tunables import TUNABLES, Tunable, parse, spell
from bot.search.limits import Limits
from tests.engine.kit import KIWIPETE

EACH = pytest.mark.parametrize("found", TUNABLES, ids=[tunable.name for tunable in TUNABLES])


@EACH
def test_every_one_has_room_on_both_sides(found: Tunable) -> None:
    assert found.least < found.value < found.most
    assert 0 < found.step <= (found.most - found.least) / 4


def test_what_is_spelled_is_read_again() -> None:
    values = {"futility_base": 77, "delta": 300}
    assert spell(values) == "futility_base=77+delta=300"
    assert parse(spell(values)) == values
    assert spell({"delta": next(known.value for known in TUNABLES if known.name == "delta")}) == ""
    assert parse("") == {}


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("futility=3", "unknown name 'futility'; there are: reverse_futility, "),
        ("delta", "'delta': delta is a whole number from 50 to 400"),
        ("delta=", "'delta=': delta is a whole number from 50 to 400"),
        ("delta=2.5", "'delta=2.5': delta is a whole number from 50 to 400"),
        ("delta=-3", "'delta=-3': delta is a whole number from 50 to 400"),
        ("delta=²", "'delta=²': delta is a whole number from 50 to 400"),
        ("delta=401", "delta is 401; it must be a whole number from 50 to 400"),
        ("delta=100+delta=100", "delta is given twice"),
        ("delta=100+", "unknown name ''; there are: "),
    ],
)
def test_what_is_refused(text: str, said: str) -> None:
    with pytest.raises(ValueError, match=f"^{re.escape(said)}"):
        parse(text)


def test_tuning_again_takes_back_what_was_tuned_before() -> None:
    state = new_state()
    before = state["tuned"].copy(), state["reductions"].copy()
    tune(state, {"delta": 300, "reduction_slope": 700})
    assert state["tuned"]["delta"] == 300
    assert state["reductions"][20, 20] > before[1][20, 20]
    tune(state, {})
    assert state["tuned"] == before[0]
    assert (state["reductions"] == before[1]).all()


@EACH
def test_every_one_changes_the_search(found: Tunable) -> None:
    board = chess.Board(KIWIPETE)

    def nodes(value: int) -> int:
        searcher = Searcher(hash_mib=1, tuned={found.name: value})
        return searcher.search(board, Limits(depth=10)).nodes

    assert nodes(found.least) != nodes(found.most)
