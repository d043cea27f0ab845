"""Fixtures of the end-to-end tests."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from bot.local_lichess import LocalLichess


@pytest.fixture
def server() -> Iterator[LocalLichess]:
    """A Lichess of the test's own."""
    with LocalLichess() as running:
        yield running
