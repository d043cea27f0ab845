"""The transposition table keeps what it is given, and replaces what is worth least."""

from __future__ import annotations

import random

import numpy as np
import pytest

from bot.engine import table
from bot.engine.state import State, new_state


@pytest.fixture
def state() -> State:
    return new_state()


def entry(state: State, found: table.Table) -> tuple[int, ...] | None:
    data = np.uint64(table.find(found, state["key"]))
    if not data:
        return None
    parts = (table.name_of, table.score_of, table.evaluation_of, table.depth_of, table.bound_of, table.age_of)
    return tuple(int(part(data)) for part in parts)


def test_what_is_kept_is_found(state: State) -> None:
    rng = random.Random(1)
    small = table.new_table(1)
    for _ in range(2_000):
        state["key"], state["age"] = rng.getrandbits(64), rng.randrange(table.AGES)
        kept = (
            rng.randrange(1, 1 << 15),
            rng.randint(-32_000, 32_000),
            rng.choice([rng.randint(-19_999, 19_999), 32_002]),
            rng.randrange(128),
            rng.choice([table.AT_MOST, table.AT_LEAST, table.EXACT]),
        )
        table.keep(small, state, *kept)
        assert entry(state, small) == (*kept, state["age"])


def test_another_position_in_the_same_bucket_is_not_found(state: State) -> None:
    small = table.new_table(1)
    state["key"] = 5
    table.keep(small, state, 9, 1, 2, 3, table.EXACT)
    state["key"] = 5 + (1 << 60)
    assert entry(state, small) is None


def test_the_shallowest_and_oldest_goes_first(state: State) -> None:
    small = table.new_table(1)
    keys = [7 + (number << 50) for number in range(5)]
    for key, depth, age in zip(keys, (9, 3, 8, 7, 1), (1, 1, 1, 1, 1), strict=True):
        state["key"], state["age"] = key, age
        table.keep(small, state, 1, 0, 0, depth, table.EXACT)
    found = []
    for key in keys:
        state["key"] = key
        found.append(entry(state, small) is not None)
    assert found == [True, False, True, True, True]
    state["key"], state["age"] = 7 + (9 << 50), 3  # two searches later eight plies less count
    table.keep(small, state, 1, 0, 0, 2, table.EXACT)
    state["key"] = keys[4]
    assert entry(state, small) is None


def test_a_shallow_bound_does_not_replace_much_deeper_knowledge_of_the_same_search(state: State) -> None:
    small = table.new_table(1)
    state["key"], state["age"] = 1234, 1
    table.keep(small, state, 11, 50, 40, 12, table.EXACT)
    table.keep(small, state, 12, 60, 40, 3, table.AT_LEAST)
    assert entry(state, small) == (11, 50, 40, 12, table.EXACT, 1)
    state["age"] = 2
    table.keep(small, state, 0, 60, 40, 3, table.AT_LEAST)
    assert entry(state, small) == (11, 60, 40, 3, table.AT_LEAST, 2)  # the move is still the best one known


@pytest.mark.parametrize(("mib", "bytes_"), [(1, 1 << 20), (16, 16 << 20), (100, 64 << 20)])
def test_its_size(mib: int, bytes_: int) -> None:
    assert table.new_table(mib).nbytes == bytes_


def test_how_full_it_is(state: State) -> None:
    small = table.new_table(1)
    assert table.hashfull(small, 0) == 0
    state["age"] = 3
    for key in range(250):
        state["key"] = key
        table.keep(small, state, 1, 0, 0, 1, table.EXACT)
    assert table.hashfull(small, 3) == 250
    assert table.hashfull(small, 4) == 0
