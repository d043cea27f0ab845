"""Where programs are found."""

from __future__ import annotations

from pathlib import Path

import pytest

from bot.strategies import programs
from bot.strategies.programs import find_program


def test_engines_are_also_found_where_debian_puts_games(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A service, or root's shell, has no /usr/games in its PATH."""
    assert programs.GAMES.split(":") == ["/usr/games", "/usr/local/games"]
    engine = tmp_path / "games" / "fish"
    engine.parent.mkdir()
    engine.write_text("#!/bin/sh\n")
    engine.chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path))
    assert find_program("fish") is None
    monkeypatch.setattr(programs, "GAMES", str(engine.parent))
    assert find_program("fish") == str(engine)
    assert find_program(str(engine)) == str(engine)
