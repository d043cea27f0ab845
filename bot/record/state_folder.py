"""Where the service keeps what must survive it."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path


def state_folder(env: Mapping[str, str]) -> Path:
    """systemd's STATE_DIRECTORY, else XDG_STATE_HOME/knightshift, else ~/.local/state/knightshift.

    Not made here. RuntimeError when there is no home at all.
    """
    if env.get("STATE_DIRECTORY"):
        return Path(env["STATE_DIRECTORY"].split(":")[0])
    base = Path(env["XDG_STATE_HOME"]) if env.get("XDG_STATE_HOME") else Path.home() / ".local" / "state"
    return base / "knightshift"
