"""The weakest player: any legal move, each as likely as the other."""

from __future__ import annotations

import random

from bot.strategies.contract import Turn


class RandomMove:
    """Plays at random, but the same again: a move depends on the seed, the game and the ply alone.

    So a game goes on as it would have after a restart, and two games differ.
    """

    def __init__(self, *, seed: int = 0) -> None:
        self._seed = seed

    def __call__(self, turn: Turn) -> None:
        legal_moves = sorted(turn.simulate_move(turn.fen)["legal_moves"])
        rng = random.Random(f"{self._seed}/{turn.game_id}/{len(turn.moves)}")
        turn.play_move(rng.choice(legal_moves))
