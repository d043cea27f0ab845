"""A strategy of any legal moves that now and then breaks the contract of a turn, in one of many ways."""

from __future__ import annotations

import os
import random
import threading
from enum import StrEnum

from bot.strategies.contract import Turn

#: More than `process.memory_limit_mib` of whoever lets it play.
GREED_BYTES = 1 << 30


class Mishap(StrEnum):
    CRASH = "crash"
    ERROR = "exception"
    HANG = "hang"
    ILLEGAL = "illegal move"
    NO_MOVE = "no move"
    TWO_MOVES = "two moves"
    NOISE = "garbage on stdout"
    MEMORY = "memory"


def mishap(seed: int, rate: float, game_id: str, ply: int) -> Mishap | None:
    """What goes wrong in that turn; the same whoever asks."""
    rng = random.Random(f"{seed}/{game_id}/{ply}")
    return rng.choice(tuple(Mishap)) if rng.random() < rate else None


class Erratic:
    """In a share `rate` (0 to 1) of its turns there is a mishap."""

    def __init__(self, *, seed: int = 0, rate: float = 0.0) -> None:
        self._seed = seed
        self._rate = rate

    def __call__(self, turn: Turn) -> None:
        legal_moves = turn.simulate_move(turn.fen)["legal_moves"]
        move = random.Random(f"{turn.game_id}/{len(turn.moves)}").choice(sorted(legal_moves))
        match mishap(self._seed, self._rate, turn.game_id, len(turn.moves)):
            case Mishap.CRASH:
                os._exit(3)
            case Mishap.ERROR:
                raise RuntimeError("on purpose")
            case Mishap.HANG:
                threading.Event().wait()
            case Mishap.ILLEGAL:
                turn.play_move("a1a1")
            case Mishap.NO_MOVE:
                return
            case Mishap.TWO_MOVES:
                turn.play_move(move)
                turn.play_move(move)
            case Mishap.NOISE:
                os.write(1, b"\x00\xff bestmove e2e4\n{" * 1000)
                turn.play_move(move)
            case Mishap.MEMORY:
                turn.play_move(move if bytearray(GREED_BYTES) else "")
            case None:
                turn.play_move(move)
