"""Queues of lines: order, overflow, keep-alives, ends, wake-ups."""

from __future__ import annotations

import random

from bot.local_lichess.feeds import KEEP_ALIVE, QUEUE_SIZE, Feed, Feeds


def make_feeds(keep_alive_ms: int = 7000) -> Feeds:
    return Feeds(keep_alive_ms=keep_alive_ms, rng=random.Random(1))


def open_feed(feeds: Feeds, account_id: str = "knight") -> Feed:
    return feeds.open("events", account_id, token="t", now_ms=0)


def test_lines_come_out_in_order_as_json_with_a_newline() -> None:
    feeds = make_feeds()
    feed = open_feed(feeds)
    feeds.send(feed, {"a": 1})
    feeds.send(feed, {"b": "ñ"})
    assert feed.pop() == b'{"a":1}\n'
    assert feed.pop() == '{"b":"ñ"}\n'.encode()
    assert feed.pop() is None


def test_a_full_queue_drops_the_oldest() -> None:
    feeds = make_feeds()
    feed = open_feed(feeds)
    for number in range(QUEUE_SIZE + 3):
        feeds.send(feed, {"n": number})
    assert [message["n"] for message in feed.messages()] == list(range(3, QUEUE_SIZE + 3))


def test_keep_alives_every_period_from_the_opening() -> None:
    feeds = make_feeds(keep_alive_ms=7000)
    feed = open_feed(feeds)
    assert feeds.keep_alive(6999) == []
    assert feeds.keep_alive(7000) == [feed]
    assert feeds.keep_alive(7001) == []
    assert feeds.keep_alive(14_000) == [feed]
    assert [feed.pop(), feed.pop(), feed.pop()] == [KEEP_ALIVE, KEEP_ALIVE, None]


def test_a_closed_feed_gives_what_it_holds_and_takes_no_more() -> None:
    feeds = make_feeds()
    feed = open_feed(feeds)
    feeds.send(feed, {"last": True})
    feeds.close(feed)
    feeds.send(feed, {"too": "late"})
    assert [feed.ended, feed.messages(), feed.ended] == [False, [{"last": True}], True]
    assert not feeds.is_online("knight")


def test_a_reader_is_woken_once_by_a_flush_and_not_before() -> None:
    feeds = make_feeds()
    feed = open_feed(feeds)
    wakes: list[str] = []
    feed.wake = lambda: wakes.append("woken")
    feeds.send(feed, {"a": 1})
    feeds.send(feed, {"b": 1})
    assert wakes == []
    feeds.flush()
    feeds.flush()
    assert wakes == ["woken"]
    feeds.close(feed)
    feeds.flush()
    assert wakes == ["woken", "woken"]
