"""What all tests share."""

from __future__ import annotations

from hypothesis import settings

# How long an example takes says more about the machine's other work than about the code.
settings.register_profile("knightshift", deadline=None)
settings.load_profile("knightshift")
