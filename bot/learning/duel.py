"""Fast games between two settings of the search, compiled: the engine with a few thousand nodes a move.

Only functions of this file, of `selfplay` and of the engine are called: numba does not see changes in
other files.
"""

from __future__ import annotations

from collections.abc import Mapping

import chess
import numpy as np

from bot.engine.attacks import checkers, pinned
from bot.engine.draws import is_draw
from bot.engine.features import ALL
from bot.engine.generate import add_noisy, add_quiet
from bot.engine.jit import INT64, TABLE, U, compiled
from bot.engine.learned import use
from bot.engine.make import make
from bot.engine.moves import NO_MOVE
from bot.engine.network import Network
from bot.engine.position import load
from bot.engine.state import LEARNT, STATE_T, State, new_state, tune
from bot.engine.table import Table, new_table
from bot.engine.weights import load as load_weights
from bot.evaluation.weights import WEIGHTS, Weights
from bot.learning.positions import DRAW, WIN
from bot.learning.selfplay import GAME, GAME_T, MOST_PLIES, NOT_YET, begin_game, called, choose

#: A search that has begun an iteration goes on to so many times the nodes, at most.
_HARD = 4


@compiled(INT64(STATE_T, TABLE, STATE_T, TABLE, GAME_T))
def play_duel(W: State, W_T: Table, B: State, B_T: Table, G: State) -> int:
    """White's points doubled. `W` and `B`, the records of the players, have the same position.

    Games are `called` early. A player without a move within its nodes loses.
    """
    begin_game(G)
    for number in range(MOST_PLIES):
        checks, pins = checkers(W), pinned(W)
        end = add_quiet(W, add_noisy(W, INT64(0), checks, pins), checks, pins)
        if end == 0:
            return DRAW if checks == U(0) else 2 * (1 - W.turn)
        W.root_height, B.root_height = W.height, B.height  # of repetitions, only a third one counts
        if is_draw(W, checks, end):
            return DRAW
        move = choose(W, W_T, G) if W.turn else choose(B, B_T, G)
        if move == NO_MOVE:
            return 2 * (1 - W.turn)
        points = called(G, number, G.score if W.turn else -G.score)
        if points != NOT_YET:
            return points
        make(W, move)
        make(B, move)
    return DRAW


class _Player:
    def __init__(self, network: Network | None, weights: Weights, hash_mib: int) -> None:
        self.state = new_state()
        load_weights(self.state["w"], weights)
        use(self.state, network)
        self.table = new_table(hash_mib)

    def begin(self, board: chess.Board, tuned: Mapping[str, int], features: int) -> None:
        self.table.fill(0)
        for name in LEARNT:
            self.state[name] = 0
        self.state["contempt"] = self.state["age"] = 0
        self.state["control"] = 0
        self.state["features"] = features
        tune(self.state, tuned)
        load(self.state, board)


class Duel:
    """Plays pairs of games. `nodes`: no iteration is begun after so many; `weights`: of the hand-written
    evaluation, ours and theirs; `hash_mib`: of a side's table."""

    def __init__(
        self,
        network: Network | None,
        *,
        nodes: int,
        weights: tuple[Weights, Weights] = (WEIGHTS, WEIGHTS),
        hash_mib: int = 1,
    ) -> None:
        self._players = _Player(network, weights[0], hash_mib), _Player(network, weights[1], hash_mib)
        self._game = np.zeros(1, GAME)[0]
        self._game["soft_nodes"], self._game["hard_nodes"] = nodes, _HARD * nodes

    def pair(
        self,
        start: chess.Board,
        ours: Mapping[str, int],
        theirs: Mapping[str, int],
        *,
        features: tuple[int, int] = (ALL, ALL),
    ) -> tuple[int, int]:
        """Our points doubled, of the game that we begin as White and of the other, from the same start.

        `ours`, `theirs`: values of tunables other than usual; `features`: ours and theirs. Neither side knows
        anything of earlier games: the same arguments give the same result.
        """
        settings = (ours, features[0]), (theirs, features[1])
        points = []
        for white in range(2):
            for player, (tuned, techniques) in zip(self._players, settings, strict=True):
                player.begin(start, tuned, techniques)
            first, second = self._players[white], self._players[1 - white]
            whites = int(play_duel(first.state, first.table, second.state, second.table, self._game))
            points.append(whites if white == 0 else WIN - whites)
        return points[0], points[1]
