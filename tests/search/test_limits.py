"""A search is stopped where it should be, and the clock is hardly ever looked at."""

from __future__ import annotations

import pytest

from bot.search.limits import POLL_EVERY, Limits, Meter, SearchStopped
from bot.timing.clock import VirtualClock


class CountedClock(VirtualClock):
    """A virtual clock that counts how often it is looked at."""

    looks = 0

    def monotonic(self) -> float:
        self.looks += 1
        return super().monotonic()


def visits(meter: Meter, most: int = 10_000) -> int:
    for number in range(most):
        try:
            meter.visit()
        except SearchStopped:
            return number
    return most


@pytest.mark.parametrize("nodes", [1, POLL_EVERY - 1, POLL_EVERY, POLL_EVERY + 1, 1000])
def test_so_many_nodes_and_no_more(nodes: int) -> None:
    meter = Meter(Limits(nodes=nodes), VirtualClock())
    assert visits(meter) == nodes == meter.nodes
    assert visits(meter) == 0


def test_the_clock_is_looked_at_once_in_so_many_nodes() -> None:
    clock = CountedClock()
    visits(Meter(Limits(hard_s=1.0), clock), 1_600)
    assert clock.looks == 1 + 1_600 // POLL_EVERY


def test_without_a_limit_of_time_it_is_not_looked_at_at_all() -> None:
    clock = CountedClock()
    meter = Meter(Limits(nodes=5_000), clock)
    visits(meter)
    assert clock.looks == 1


def test_a_deadline_can_be_moved_and_counts_from_the_start() -> None:
    clock = VirtualClock(start=100.0)
    meter = Meter(Limits(hard_s=10.0), clock)
    clock.advance(4.0)
    assert meter.elapsed_s() == 4.0
    assert visits(meter, 50) == 50
    meter.stop_after(3.5)
    assert visits(meter) == 0
    meter.stop_after(5.0)
    assert visits(meter, 50) == 50
    clock.advance(1.0)
    assert visits(meter) < POLL_EVERY
    meter.stop_after(None)
    assert visits(meter, 50) == 50
