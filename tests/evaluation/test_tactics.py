"""Each tactical pattern on positions that have it, and on ones that almost do."""

from __future__ import annotations

import chess
import pytest

from bot.evaluation import WEIGHTS, Pair
from tests.evaluation.kit import term

CASES: dict[str, tuple[Pair, list[tuple[str, int]]]] = {
    "pins made": (
        WEIGHTS.pin,
        [
            ("4k3/8/2n5/1B6/8/8/8/4K3 w - - 0 1", 1),
            ("4k3/4r3/8/8/8/8/8/K3R3 w - - 0 1", 1),
            ("4k3/4q3/2n5/1B6/8/8/8/K3R3 w - - 0 1", 2),
            ("4k3/3p4/2n5/1B6/8/8/8/4K3 w - - 0 1", 0),  # two in between
            ("4k3/3p4/8/1B6/8/8/8/4K3 w - - 0 1", 0),  # a pawn is no catch
            ("4k3/3N4/8/1B6/8/8/8/4K3 w - - 0 1", 0),  # its own man: a discovery, not a pin
            ("4k3/8/2n5/1R6/8/8/8/4K3 w - - 0 1", 0),  # a rook does not look that way
        ],
    ),
    "forks made": (
        WEIGHTS.fork,
        [
            ("r3k3/2N5/8/8/8/8/8/4K3 b - - 0 1", 1),
            ("4k3/8/3r1n2/4P3/8/8/8/4K3 w - - 0 1", 1),
            ("4k3/8/3p1n2/4P3/8/8/8/4K3 w - - 0 1", 0),  # a pawn is no piece
            ("4k3/8/5n2/4P3/8/8/8/4K3 w - - 0 1", 0),
            ("n3k3/2N5/8/8/8/8/8/4K3 b - - 0 1", 0),  # a knight for a knight
            ("r3k3/2N5/1p1p4/8/8/8/8/4K3 b - - 0 1", 1),  # those pawns look the other way
            ("4k3/8/1p6/r1p5/2N5/8/1r6/4K3 w - - 0 1", 1),
            ("4k3/8/8/rp6/2N5/8/1r6/4K3 w - - 0 1", 0),  # b5 takes it
            ("q3k3/8/8/8/8/8/8/R3K3 w - - 0 1", 0),
            ("q2k4/8/8/8/8/8/8/3K4 w - - 0 1", 0),
            ("1q1R2k1/8/8/8/8/8/8/3K4 w - - 0 1", 1),  # rook on king and queen
            ("r6r/8/8/8/3B4/8/8/K6k w - - 0 1", 0),
            ("8/8/1r3r2/8/3B4/8/8/K6k w - - 0 1", 1),
        ],
    ),
    "hanging pieces": (
        WEIGHTS.hanging_piece,
        [
            ("4k3/8/8/8/1b6/8/8/N3K3 w - - 0 1", 0),
            ("4k3/8/8/8/8/2b5/8/N3K3 w - - 0 1", 1),
            ("4k3/8/8/8/8/2b5/1K6/N7 w - - 0 1", 0),  # the king defends it
            ("4k3/8/8/8/8/5b2/8/7P w - - 0 1", 0),
            ("4k3/8/8/8/8/8/7K/N5r1 w - - 0 1", 1),
            ("r3k3/8/8/8/8/8/R7/R3K3 w - - 0 1", 0),
        ],
    ),
    "hit by pawns": (
        WEIGHTS.piece_attacked_by_pawn,
        [
            ("4k3/8/8/2p5/3N4/8/8/4K3 w - - 0 1", 1),
            ("4k3/8/8/3p4/3N4/8/8/4K3 w - - 0 1", 0),
            ("4k3/8/8/3p4/2N1B3/8/8/4K3 w - - 0 1", 2),
            ("4k3/8/8/2p5/3P4/8/8/4K3 w - - 0 1", 0),  # pawns only take each other
            ("4k3/8/8/8/3N4/2p5/8/4K3 w - - 0 1", 0),  # from behind
        ],
    ),
    "batteries": (
        WEIGHTS.battery,
        [
            ("4k3/8/8/8/8/3R4/3R4/4K3 w - - 0 1", 1),
            ("4k3/8/8/8/3Q4/3R4/3R4/4K3 w - - 0 1", 2),
            ("4k3/8/8/8/8/3B4/2Q5/4K3 w - - 0 1", 1),
            ("4k3/8/8/8/8/8/8/3RR1K1 w - - 0 1", 0),  # on a rank they are connected, not doubled
            ("4k3/8/8/8/3R4/3P4/3R4/4K3 w - - 0 1", 0),  # a pawn in between
            ("4k3/8/8/8/8/3B4/2R5/4K3 w - - 0 1", 0),  # not along the same line
            ("4k3/8/8/8/8/2B5/2Q5/4K3 w - - 0 1", 0),
        ],
    ),
}


@pytest.mark.parametrize(
    ("name", "fen", "count"),
    [(name, fen, count) for name, (_, cases) in CASES.items() for fen, count in cases],
)
def test_a_pattern_counts_where_it_is(name: str, fen: str, count: int) -> None:
    weight, _ = CASES[name]
    assert term(fen, "tactics", name) == (count * weight[0], count * weight[1])


def test_signs() -> None:
    assert min(WEIGHTS.pin + WEIGHTS.fork + WEIGHTS.battery) > 0
    assert max(WEIGHTS.hanging_piece + WEIGHTS.piece_attacked_by_pawn) < 0


def test_each_side_has_its_own() -> None:
    pinned = "4k3/8/2n5/1B6/8/8/8/4K3 w - - 0 1"
    assert term(pinned, "tactics", "pins made", chess.BLACK) == (0, 0)
    assert term(chess.Board(pinned).mirror(), "tactics", "pins made", chess.BLACK) == WEIGHTS.pin
