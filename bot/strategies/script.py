"""A script as a strategy: run once a turn, with the position and the two tools in its namespace.

    best = min(simulate_move(fen)["legal_moves"])
    play_move(best)

It finds `fen`, `simulate_move`, `play_move`, the whole `turn`, and `chess` (python-chess). The namespace is
fresh each turn: nothing is remembered but what the script's imports remember.
"""

from __future__ import annotations

import sys
from pathlib import Path

import chess

from bot.errors import StrategyNameError
from bot.strategies.contract import Strategy, Turn


def load_script(path: str | Path) -> Strategy:
    """Read and compile the script at `path`; its folder goes to the front of sys.path.

    Raises StrategyNameError when it cannot be read or is not Python, with file and line.
    """
    file = Path(path).absolute()
    try:
        source = file.read_bytes()
    except OSError as error:
        raise StrategyNameError(f"script {str(path)!r} cannot be read: {error.strerror}") from error
    try:
        code = compile(source, str(file), "exec", dont_inherit=True)
    except SyntaxError as error:
        raise StrategyNameError(f"{path}:{error.lineno}: {type(error).__name__}: {error.msg}") from error
    except ValueError as error:  # a null byte
        raise StrategyNameError(f"{path}: {error}") from error
    folder = str(file.parent)
    if folder not in sys.path:
        sys.path.insert(0, folder)

    def run_script(turn: Turn) -> None:
        exec(  # noqa: S102  running the operator's own script is what this module is for
            code,
            {
                "__name__": "__main__",
                "__file__": str(file),
                "chess": chess,
                "fen": turn.fen,
                "simulate_move": turn.simulate_move,
                "play_move": turn.play_move,
                "turn": turn,
            },
        )

    return run_script
