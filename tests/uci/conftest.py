"""The engine, compiled before the first test that talks with it."""

from __future__ import annotations

from tests.engine.conftest import warm_directory

__all__ = ["warm_directory"]
