"""The inbox of an owner's thread."""

from __future__ import annotations

from bot.inbox import Inbox
from bot.timing.clock import VirtualClock


def test_messages_come_in_order_and_before_any_deadline() -> None:
    clock = VirtualClock(start=100.0)
    inbox: Inbox[int] = Inbox(clock)
    inbox.put(1)
    inbox.put(2)
    assert [inbox.take(None), inbox.take(50.0)] == [1, 2]


def test_a_moment_that_has_passed_is_not_waited_for() -> None:
    assert Inbox[int](VirtualClock(start=100.0)).take(100.0) is None
