"""Where the program is that a command begins with."""

from __future__ import annotations

import os
import shutil

#: Where programs may be that PATH need not have: Debian puts chess engines there.
GAMES = os.pathsep.join(("/usr/games", "/usr/local/games"))


def find_program(name: str) -> str | None:
    """Its path, looked for in PATH and then in the folders for games; None where it is in none of them."""
    return shutil.which(name) or shutil.which(name, path=GAMES)
