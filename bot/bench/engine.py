"""`knightshift bench engine`: how fast the engine searches, and whether it still searches the same.

Fixed positions, each to a fixed depth, with an empty table, on one thread. The sum of the nodes is the
engine's signature: it changes with every change of the search or the evaluation, and with nothing else. The
speed is shown beside `classical`'s, on the same machine at the same time, once with the network that ships
and once with the hand-written evaluation. With several threads the same depth is searched once more: how much
sooner it is reached is what they are worth.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass

import chess
from rich.console import Console
from rich.table import Table

from bot.engine.network_names import DEFAULT, NONE
from bot.evaluation import evaluate
from bot.search import Limits, deepen
from bot.timing.clock import Clock

#: Plies; MiB; and the nodes that `classical` gets for each position.
DEPTH, HASH_MIB, CLASSICAL_NODES = 12, 16, 1_000
#: How many times `classical`'s nodes a second the engine is to search.
AIM = 60.0

#: From the opening to the endgame, quiet and wild, two of chess960.
POSITIONS = (
    chess.STARTING_FEN,
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
    "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1",
    "rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 1 8",
    "r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10",
    "r1bqkbnr/pppp1ppp/2n5/1B2p3/4P3/5N2/PPPP1PPP/RNBQK2R b KQkq - 3 3",
    "rnbqkb1r/pp2pppp/3p1n2/8/3NP3/8/PPP2PPP/RNBQKB1R w KQkq - 1 5",
    "rnbq1rk1/ppp1ppbp/3p1np1/8/2PPP3/2N2N2/PP2BPPP/R1BQK2R b KQ - 1 6",
    "r1bq1rk1/pp2bppp/2n1pn2/2pp4/3P4/2PBPN2/PP1N1PPP/R1BQ1RK1 w - - 2 9",
    "2kr3r/ppp2ppp/2nqbn2/2b1p3/4P3/2NP1N2/PPPBBPPP/R2Q1RK1 w - - 4 10",
    "r2q1rk1/1b2bppp/p1nppn2/1p6/3NPP2/1BN1B3/PPP1Q1PP/2KR3R w - - 0 12",
    "3r1rk1/1pp1qppp/p1nbbn2/3p4/3P4/P1NBBN2/1PPQ1PPP/R3R1K1 b - - 5 14",
    "r1b2rk1/2q1bppp/p2p1n2/np2p3/3PP3/5N1P/PPBN1PP1/R1BQR1K1 b - - 2 13",
    "2r2rk1/pb1q1pp1/1p1ppn1p/8/2PNP3/1P3P2/P2Q2PP/2RR2K1 w - - 0 20",
    "r4rk1/pp3ppp/2n1b3/q1pp2B1/8/P1Q2NP1/1PP1PP1P/2KR3R w - - 0 15",
    "1k1r4/pp1b1R2/3q2pp/4p3/2B5/4Q3/PPP2B2/2K5 b - - 0 1",
    "3r1k2/4npp1/1ppr3p/p6P/P2PPPP1/1NR5/5K2/2R5 w - - 0 1",
    "2q1rr1k/3bbnnp/p2p1pp1/2pPp3/PpP1P1P1/1P2BNNP/2BQ1PRK/7R b - - 0 1",
    "6k1/5pp1/p6p/1p1b4/1P1B4/P4PP1/5K1P/8 w - - 0 35",
    "8/5pk1/6p1/R6p/5P1P/6P1/r4PK1/8 w - - 0 50",
    "8/8/4kpp1/3p1b2/p6P/2B5/6P1/6K1 b - - 0 47",
    "8/k7/3p4/p2P1p2/P2P1P2/8/8/K7 w - - 0 1",
    "4k3/8/8/8/8/8/4PPPP/4K3 w - - 0 1",
    "bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9",
    "2nnrbkr/p1qppppp/8/1ppb4/6PP/3PP3/PPP2P2/BQNNRBKR w HEhe - 1 9",
)


@dataclass(frozen=True, slots=True)
class Speed:
    """Nodes, and the seconds that they took."""

    nodes: int
    seconds: float

    @property
    def per_second(self) -> float:
        return self.nodes / max(self.seconds, 1e-9)


def engine_speed(
    clock: Clock,
    *,
    depth: int = DEPTH,
    network: str = DEFAULT,
    threads: int = 1,
    progress: Callable[[str], None] = lambda _: None,
) -> Speed:
    """Search all positions `depth` plies deep; the nodes are the signature of the search, with one thread.

    Raises NetworkFileError for a network that is not to be had.
    """
    from bot.engine.network import chosen  # noqa: PLC0415  numpy
    from bot.engine.searcher import Searcher  # noqa: PLC0415  numba, and the engine's machine code

    searcher = Searcher(hash_mib=HASH_MIB, network=chosen(network), threads=threads)

    def search(board: chess.Board) -> int:
        searcher.clear()
        return searcher.search(board, Limits(depth=depth)).nodes

    return _speed(search, clock, progress)


def classical_speed(clock: Clock, *, progress: Callable[[str], None] = lambda _: None) -> Speed:
    """Search all positions as `classical` does."""

    def search(board: chess.Board) -> int:
        return deepen(board, Limits(nodes=CLASSICAL_NODES), evaluate=evaluate, clock=clock).nodes

    return _speed(search, clock, progress)


def _speed(search: Callable[[chess.Board], int], clock: Clock, progress: Callable[[str], None]) -> Speed:
    """Of a search, which returns its nodes, over all positions."""
    nodes, seconds = 0, 0.0
    for number, fen in enumerate(POSITIONS, start=1):
        progress(f"position {number} of {len(POSITIONS)}")
        board = chess.Board(fen, chess960=True)
        began = clock.monotonic()
        nodes += search(board)
        seconds += clock.monotonic() - began
    return Speed(nodes, seconds)


def run_engine(
    *,
    depth: int,
    threads: int,
    as_json: bool,
    console: Console,
    clock: Clock,
    progress: Callable[[str], None],
) -> int:
    """Measure and print; returns 0, or 1 where the engine misses its aim. `threads`: more than one are
    measured, too."""
    engine = engine_speed(clock, depth=depth, progress=lambda text: progress(f"engine: {text}"))
    written = engine_speed(
        clock, depth=depth, network=NONE, progress=lambda text: progress(f"hand-written evaluation: {text}")
    )
    several, sooner = None, 1.0
    if threads > 1:
        several = engine_speed(
            clock, depth=depth, threads=threads, progress=lambda text: progress(f"{threads} threads: {text}")
        )
        sooner = engine.seconds / several.seconds
    classical = classical_speed(clock, progress=lambda text: progress(f"classical: {text}"))
    ratio = engine.per_second / classical.per_second
    if as_json:
        found = {
            "depth": depth,
            "positions": len(POSITIONS),
            "nodes": engine.nodes,
            "seconds": engine.seconds,
            "nodes_per_second": engine.per_second,
            "hand_written_nodes": written.nodes,
            "hand_written_nodes_per_second": written.per_second,
            "classical_nodes_per_second": classical.per_second,
            "ratio": ratio,
            "aim": AIM,
        }
        if several is not None:
            found |= {
                "threads": threads,
                "threads_nodes_per_second": several.per_second,
                "threads_times_as_soon": sooner,
            }
        console.print(json.dumps(found), soft_wrap=True, highlight=False, markup=False)
    else:
        table = Table(title=f"{len(POSITIONS)} positions, {depth} plies")
        for name in ("", "nodes", "seconds", "nodes a second"):
            table.add_column(name, justify="right" if name else "left")
        rows = [("engine", engine), ("engine, hand-written evaluation", written), ("classical", classical)]
        if several is not None:
            rows.insert(1, (f"engine, {threads} threads", several))
        for name, speed in rows:
            table.add_row(name, f"{speed.nodes:,}", f"{speed.seconds:.2f}", f"{speed.per_second:,.0f}")
        console.print(table)
        console.print(
            f"{ratio:.0f} times as fast (aim: {AIM:.0f}); signature {engine.nodes}", highlight=False
        )
        if several is not None:
            console.print(f"{threads} threads reach that depth {sooner:.2f} times as soon", highlight=False)
    return 0 if ratio >= AIM else 1
