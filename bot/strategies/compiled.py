"""The strongest player: the compiled engine, searching as deep as the clock allows.

It plays chess, chess960 and games from any position; the other variants, and positions with more men than a
game begins with, it hands to `classical`. So it does where numba is missing or does not load, which it says
once on stderr.

Without options it takes about the turn's `soft_ms`: more when the search changes its mind or the score
falls, less when it does not. With `nodes`, `depth` or `movetime` it goes so far, always, and the turn's
`hard_ms` only keeps it from losing the move. What it has found out (the transposition table) is kept for the
whole game. With `ponder` it goes on searching while the opponent thinks.
"""

from __future__ import annotations

import sys
import threading
from typing import TYPE_CHECKING

import chess

from bot.engine import features, tunables
from bot.engine.memory import most_mib
from bot.engine.most import MOST_HASH, MOST_THREADS
from bot.engine.warm import readiness
from bot.errors import StrategyNameError
from bot.strategies.classical import Classical
from bot.strategies.contract import Strategy, Thought, Turn
from bot.strategies.meanwhile import Meanwhile
from bot.strategies.reach import Reach, check_reach
from bot.timing.clock import SystemClock

if TYPE_CHECKING:
    from bot.engine.found import Found
    from bot.engine.network import Network
    from bot.engine.searcher import Searcher
#: Centipawns.
MOST_CONTEMPT = 200


def compiled(
    *,
    nodes: int | None = None,
    depth: int | None = None,
    movetime: int | None = None,
    hash: int = 32,
    threads: int = 1,
    contempt: int = 0,
    ponder: bool = False,
    meanwhile: bool = False,
    network: str = "default",
    without: str = "",
    set: str = "",
) -> Strategy:
    """The strategy. `nodes`: positions a move; `depth`: plies; `movetime`: milliseconds a move. `hash`: MiB
    of the table; `threads`: that search together; `contempt`: what a draw costs, in centipawns; `ponder`:
    think while the opponent does; `meanwhile`: play as `classical` while the engine still has to be compiled,
    which else is waited for (a service has this on); `network`: that judges positions, by name
    if it ships, else a file, or "none" for the hand-written evaluation; `without`: techniques of the search
    to do without, joined by "+", for measuring what they are worth (see `bot.engine.features`);
    `set`: numbers of the search other than usual, as "name=value+name=value" (see `bot.engine.tunables`)."""
    check_reach("compiled", nodes=nodes, depth=depth, movetime=movetime)
    for name, value, least, most in (
        ("hash", hash, 1, MOST_HASH),
        ("threads", threads, 1, MOST_THREADS),
        ("contempt", contempt, -MOST_CONTEMPT, MOST_CONTEMPT),
    ):
        if not least <= value <= most:
            raise StrategyNameError(f"compiled: {name} is {value}; it must be from {least} to {most}")
    techniques, tuned = _features(without), _tuned(set)
    clock = SystemClock()
    instead = Classical(clock, nodes=nodes, depth=depth, movetime_ms=movetime)
    loaded = "bot.engine.searcher" in sys.modules  # so in a process that was forked from a warmed one
    found = "ready" if loaded else readiness()
    if found == "missing":
        sys.stderr.write("compiled: numba is not installed; playing as classical\n")
        return instead
    judge = _network(network)

    def engine() -> Strategy:
        try:
            from bot.engine.searcher import Searcher  # noqa: PLC0415  numba, and the engine's machine code
        except ImportError as error:  # numba is there, and fits nothing else: numpy may be too new for it
            sys.stderr.write(f"compiled: the engine cannot be loaded ({error}); playing as classical\n")
            return instead
        most = most_mib()
        if hash > most:
            sys.stderr.write(f"compiled: hash is {hash}; there is memory for {most} MiB, which are used\n")
        searcher = Searcher(
            hash_mib=hash,
            threads=threads,
            contempt=contempt,
            features=techniques,
            network=judge,
            tuned=tuned,
            clock=clock,
        )
        return Compiled(searcher, instead, nodes=nodes, depth=depth, movetime_ms=movetime, ponder=ponder)

    return Meanwhile(instead, engine) if meanwhile and found == "cold" else engine()


def _features(without: str) -> int:
    try:
        return features.without(without.split("+") if without else ())
    except ValueError as error:
        raise StrategyNameError(f"compiled: without: {error}") from None


def _tuned(text: str) -> dict[str, int]:
    try:
        return tunables.parse(text)
    except ValueError as error:
        raise StrategyNameError(f"compiled: set: {error}") from None


def _network(name: str) -> Network | None:
    from bot.engine.network import NetworkFileError, chosen  # noqa: PLC0415  numpy, where the engine is

    try:
        return chosen(name)
    except NetworkFileError as error:
        raise StrategyNameError(f"compiled: network: {error}") from None


class Compiled:
    """See the module. `instead` plays what the engine cannot."""

    def __init__(
        self,
        searcher: Searcher,
        instead: Strategy,
        *,
        nodes: int | None = None,
        depth: int | None = None,
        movetime_ms: int | None = None,
        ponder: bool = False,
    ) -> None:
        self._searcher = searcher
        self._instead = instead
        self._reach = Reach(nodes, depth, movetime_ms)
        self._ponder = ponder
        self._pondering: threading.Thread | None = None

    def __call__(self, turn: Turn) -> None:
        from bot.engine.position import playable  # noqa: PLC0415  as in `compiled`

        self._stop_pondering()
        board = turn.board()
        if not playable(board):
            self._instead(turn)
            return
        moves = list(board.legal_moves)
        if len(moves) == 1:
            turn.play_move(board.uci(moves[0]))
            return

        def report(found: Found) -> None:
            shown = board.copy(stack=False)
            pv = []
            for move in found.pv:
                pv.append(shown.uci(move))
                shown.push(move)
            elapsed_ms = round(found.elapsed_s * 1000)
            turn.tell(Thought(found.depth, found.nodes, elapsed_ms, found.score_cp, found.mate_in, tuple(pv)))

        found = self._searcher.search(board, self._reach.limits(turn.limit), report=report)
        turn.play_move(board.uci(found.move))
        if self._ponder and len(found.pv) > 1:
            self._start_pondering(board, found.pv[:2])

    def _start_pondering(self, board: chess.Board, expected: tuple[chess.Move, ...]) -> None:
        """Search the position that is expected next, so that the table knows it when the turn comes."""
        ahead = board.copy()
        for move in expected:
            ahead.push(move)
        if not any(ahead.legal_moves):
            return
        self._searcher.begin()
        self._pondering = threading.Thread(
            target=self._searcher.search, args=(ahead,), name="pondering", daemon=True
        )
        self._pondering.start()

    def _stop_pondering(self) -> None:
        if self._pondering is not None:
            self._searcher.stop()
            self._pondering.join()
            self._pondering = None
