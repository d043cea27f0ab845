"""Fixtures of the local server's tests."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from bot.local_lichess import LocalLichess
from tests.local_lichess.people_kit import People
from tests.local_lichess.wire_kit import Client


@pytest.fixture
def people() -> Iterator[People]:
    with LocalLichess(keep_alive_s=0.2) as server:
        knight = server.add_account("Knight", "BOT", rating=1902)
        rival = server.add_account("Rival")
        with (
            Client(server.url, knight.token) as as_knight,
            Client(server.url, rival.token) as as_rival,
            Client(server.url) as as_nobody,
        ):
            yield People(server, as_knight, as_rival, as_nobody)
