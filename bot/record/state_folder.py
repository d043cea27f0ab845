"""Where the service keeps what must survive it."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Mapping
from pathlib import Path


def state_folder(env: Mapping[str, str]) -> Path:
    """systemd's STATE_DIRECTORY, else XDG_STATE_HOME/knightshift, else ~/.local/state/knightshift.

    Not made here. For a user without a home, of whom there is one in a container, a temporary one.
    """
    if env.get("STATE_DIRECTORY"):
        return Path(env["STATE_DIRECTORY"].split(":")[0])
    if env.get("XDG_STATE_HOME"):
        return Path(env["XDG_STATE_HOME"]) / "knightshift"
    try:
        return Path.home() / ".local" / "state" / "knightshift"
    except RuntimeError:  # HOME is not set, and the system does not know the user
        return Path(tempfile.gettempdir()) / f"knightshift-{getattr(os, 'getuid', lambda: 0)()}"
