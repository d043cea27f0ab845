"""Two scores in one integer add, subtract and multiply as two."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from bot.engine.pair import lower, pack, upper

HALVES = st.integers(-(2**24), 2**24)
PAIRS = st.tuples(HALVES, HALVES)


@given(PAIRS, PAIRS, st.integers(-40, 40))
def test_pairs_add_and_multiply_half_by_half(
    one: tuple[int, int], other: tuple[int, int], times: int
) -> None:
    total = pack(one) + times * pack(other)
    assert (upper(total), lower(total)) == (one[0] + times * other[0], one[1] + times * other[1])
