"""The engine, compiled once for all tests that start processes with it."""

from __future__ import annotations

from pathlib import Path

import pytest

from bot.engine.warm import warm
from bot.timing.clock import SystemClock


@pytest.fixture(scope="session")
def warm_directory() -> Path:
    """Where the compiled engine is kept, whole and sealed."""
    return warm(SystemClock(), tell=lambda _: None, wait=lambda: None).directory
