"""What all tests share."""

from __future__ import annotations

import os

from hypothesis import settings

from tests.engine.conftest import warm_directory

__all__ = ["warm_directory"]

# How long an example takes says more about the machine's other work than about the code.
settings.register_profile("knightshift", deadline=None)
settings.load_profile("knightshift")

# What a terminal, a CI or a service manager tells programs of how to print: rich and typer look at it, in
# this process (typer when it is imported) and in those that tests start. Lines are as wide as where nobody
# tells.
for _name in (
    "FORCE_COLOR",
    "NO_COLOR",
    "PY_COLORS",
    "GITHUB_ACTIONS",
    "TTY_COMPATIBLE",
    "TTY_INTERACTIVE",
    "TERMINAL_WIDTH",
    "JOURNAL_STREAM",
    "NOTIFY_SOCKET",
    "STATE_DIRECTORY",
    "CREDENTIALS_DIRECTORY",
    "LICHESS_BOT_TOKEN",
):
    os.environ.pop(_name, None)
os.environ["COLUMNS"] = "80"
