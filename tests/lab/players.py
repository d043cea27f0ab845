"""Players with faults, for games that must end by them."""

from __future__ import annotations

import threading

from bot.strategies.contract import Turn


def raises_in_its_second_turn(turn: Turn) -> None:
    if len(turn.moves) >= 2:
        raise RuntimeError("enough of this")
    turn.play_move(min(turn.simulate_move(turn.fen)["legal_moves"]))


def hangs(turn: Turn) -> None:
    threading.Event().wait()
