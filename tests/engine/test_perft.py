"""The numbers of lines that are published for well-known positions."""

from __future__ import annotations

import chess
import pytest

from bot.engine import perft
from bot.engine.position import load
from bot.engine.state import State, new_state
from tests.engine.kit import KIWIPETE

#: https://www.chessprogramming.org/Perft_Results; the fourth and its mirror image count as one there.
STANDARD = [
    (chess.STARTING_FEN, 6, 119_060_324),
    (KIWIPETE, 5, 193_690_690),
    ("8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1", 5, 674_624),
    ("8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1", 6, 11_030_083),
    ("r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1", 5, 15_833_292),
    ("r2q1rk1/pP1p2pp/Q4n2/bbp1p3/Np6/1B3NBn/pPPP1PPP/R3K2R b KQ - 0 1", 5, 15_833_292),
    ("rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 1 8", 5, 89_941_194),
    ("r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10", 5, 164_075_551),
]
# fmt: off
#: https://www.chessprogramming.org/Chess960_Perft_Results, some of the list; from depth 1 on.
CHESS960 = [
    ("bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9",
     (21, 528, 12_189, 326_672, 8_146_062)),
    ("2nnrbkr/p1qppppp/8/1ppb4/6PP/3PP3/PPP2P2/BQNNRBKR w HEhe - 1 9",
     (21, 807, 18_002, 667_366, 16_253_601)),
    ("b1q1rrkb/pppppppp/3nn3/8/P7/1PPP4/4PPPP/BQNNRKRB w GE - 1 9",
     (20, 479, 10_471, 273_318, 6_417_013)),
    ("qbbnnrkr/2pp2pp/p7/1p2pp2/8/P3PP2/1PPP1KPP/QBBNNR1R w hf - 0 9",
     (22, 593, 13_440, 382_958, 9_183_776)),
]
# fmt: on


@pytest.fixture(scope="module")
def state() -> State:
    return new_state()


@pytest.mark.parametrize(("fen", "depth", "lines"), STANDARD)
def test_the_published_counts(state: State, fen: str, depth: int, lines: int) -> None:
    load(state, chess.Board(fen))
    assert perft.perft(state, depth, 0) == lines


@pytest.mark.parametrize(("fen", "lines"), CHESS960)
def test_the_published_counts_of_chess960(state: State, fen: str, lines: tuple[int, ...]) -> None:
    load(state, chess.Board(fen, chess960=True))
    assert tuple(perft.perft(state, depth, 0) for depth in range(1, len(lines) + 1)) == lines
