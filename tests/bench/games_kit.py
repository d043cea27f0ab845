"""Strategies for the tests of `bench games`, loaded by the children of the bot and of the bench."""

from __future__ import annotations

import os
import threading

from bot.strategies.contract import Turn
from tests.e2e.own_strategies import shuffle


def shuffles(turn: Turn) -> None:
    """Two who play like this draw by repetition before long."""
    turn.play_move(shuffle(turn.board(), turn.moves))


def dies_twice(turn: Turn) -> None:
    """Its process ends in the second and the third turn of a game, before it has moved."""
    if len(turn.moves) // 2 in (1, 2):
        os._exit(3)
    shuffles(turn)


def hangs(_turn: Turn) -> None:
    """It never moves."""
    threading.Event().wait()
