"""Faults at random, on real sockets."""

from __future__ import annotations

from contextlib import suppress

import requests

from bot.local_lichess import LocalLichess
from bot.local_lichess.fault import Kind
from bot.local_lichess.storm import Storm
from tests.local_lichess.wire_kit import Client


def stormy(seed: int, *, kinds: tuple[Kind, ...] = tuple(Kind)) -> tuple[list[Kind], int]:
    """What a storm does to forty requests, one after the other, and how many were answered with 200."""
    storm = Storm(seed, 0.5, kinds=kinds, longest_s=0.01)
    good = 0
    with LocalLichess(faults=storm) as server:
        server.add_account("Knight", "BOT", token="lip_knight")
        with Client(server.url, "lip_knight") as knight:
            for _ in range(40):
                with suppress(requests.ConnectionError):
                    good += knight.get("/api/account/playing").status_code == 200
        return [fired.kind for fired in storm.fired], good


def test_a_storm_makes_the_same_choices_for_the_same_seed() -> None:
    calm = tuple(kind for kind in Kind if kind not in (Kind.OUTAGE, Kind.DEPLOY))  # those end by the clock
    first, good = stormy(3, kinds=calm)
    assert (first, good) == stormy(3, kinds=calm)
    assert first != stormy(4, kinds=calm)[0]
    assert len(set(first)) > 4
    assert 0 < good < 40


def test_a_storm_of_some_kinds_only_and_its_end() -> None:
    storm = Storm(0, 1.0, kinds=(Kind.ANSWER,), rates={"account": 0.0})
    with LocalLichess(faults=storm) as server:
        server.add_account("Knight", "BOT", token="lip_knight")
        with Client(server.url, "lip_knight") as knight:
            assert knight.get("/api/account").status_code == 200
            assert knight.get("/api/account/playing").status_code >= 429
            assert knight.post("/api/token/test", data="lip_knight").status_code == 200, "spared"
            storm.end()
            assert knight.get("/api/account/playing").status_code == 200
    assert storm.counts() == {Kind.ANSWER: 1}
