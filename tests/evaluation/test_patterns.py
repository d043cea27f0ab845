"""Each strategic pattern on positions that have it, and on ones that almost do."""

from __future__ import annotations

import pytest

from bot.evaluation import WEIGHTS, Pair
from tests.evaluation.kit import term

CASES: dict[str, tuple[Pair, list[tuple[str, int]]]] = {
    "knight outposts": (
        WEIGHTS.knight_outpost,
        [
            ("4k3/8/8/3N4/4P3/8/8/4K3 w - - 0 1", 1),
            ("4k3/3p4/8/3N4/4P3/8/8/4K3 w - - 0 1", 1),  # d7 can never attack d5
            ("4k3/2p5/8/3N4/4P3/8/8/4K3 w - - 0 1", 0),  # c7-c6 can
            ("4k3/8/8/3N4/2p1P3/8/8/4K3 w - - 0 1", 1),  # c4 has gone past
            ("4k3/8/8/3N4/8/8/8/4K3 w - - 0 1", 0),  # no pawn defends it
            ("4k3/8/8/8/8/3N4/2P5/4K3 w - - 0 1", 0),  # the third rank is no outpost
            ("4k3/3N4/2P5/8/8/8/8/4K3 w - - 0 1", 0),  # nor the seventh
        ],
    ),
    "bishop outposts": (
        WEIGHTS.bishop_outpost,
        [
            ("4k3/8/8/3B4/4P3/8/8/4K3 w - - 0 1", 1),
            ("4k3/4p3/8/3B4/4P3/8/8/4K3 w - - 0 1", 0),
        ],
    ),
    "rooks: open file": (
        WEIGHTS.rook_on_open_file,
        [
            ("4k3/8/8/8/8/8/8/3RK3 w - - 0 1", 1),
            ("4k3/p7/8/8/8/8/P7/3RK3 w - - 0 1", 1),
            ("4k3/3p4/8/8/8/8/8/3RK3 w - - 0 1", 0),
            ("4k3/8/8/8/8/8/3P4/3RK3 w - - 0 1", 0),
            ("4k3/3R4/8/3P4/8/8/8/4K3 w - - 0 1", 0),  # a pawn behind it closes the file too
        ],
    ),
    "rooks: half-open file": (
        WEIGHTS.rook_on_half_open_file,
        [
            ("4k3/3p4/8/8/8/8/8/3RK3 w - - 0 1", 1),
            ("4k3/8/8/8/8/8/8/3RK3 w - - 0 1", 0),
            ("4k3/3p4/8/8/8/8/3P4/3RK3 w - - 0 1", 0),
        ],
    ),
    "rooks: seventh rank": (
        WEIGHTS.rook_on_seventh,
        [
            ("6k1/R7/8/8/8/8/8/4K3 w - - 0 1", 1),
            ("6k1/RR6/8/8/8/8/8/4K3 w - - 0 1", 2),
            ("8/R5p1/6k1/8/8/8/8/4K3 w - - 0 1", 1),  # pawns to eat
            ("8/R7/6k1/8/8/8/8/4K3 w - - 0 1", 0),  # nothing there
            ("R5k1/8/8/8/8/8/8/4K3 w - - 0 1", 0),
        ],
    ),
    "bad bishops": (
        WEIGHTS.bad_bishop_per_pawn,
        [
            ("4k3/8/8/4p3/3pP3/3P4/8/4KB2 w - - 0 1", 2),  # a bishop of the light squares, d3 and e4
            ("4k3/8/8/4p3/3pP3/3P4/8/2B1K3 w - - 0 1", 0),  # the other one
            ("4k3/8/8/8/4P3/3P4/8/4KB2 w - - 0 1", 0),  # the pawns can move on
            ("4k3/8/8/4p3/3pP3/3P4/8/4K3 w - - 0 1", 0),
        ],
    ),
    "trapped minors": (
        WEIGHTS.trapped_minor,
        [
            ("2k5/B1p5/1p6/8/8/8/8/4K3 w - - 0 1", 1),  # it took on a7, and b6 was pushed
            ("6k1/B1p5/1p6/8/8/8/8/4K3 w - - 0 1", 0),  # b8 is open
            ("2k5/B1p5/8/8/8/8/8/4K3 w - - 0 1", 0),  # so is b6
            ("N2k4/8/p7/8/8/8/8/4K3 w - - 0 1", 0),
            ("N2k4/p7/8/8/8/8/8/4K3 w - - 0 1", 1),  # a7 guards b6, the king c7
            ("4k3/8/8/8/8/8/1PP5/B3K3 w - - 0 1", 0),  # only in the enemy's half: it can be dug out
        ],
    ),
    "trapped rooks": (
        WEIGHTS.trapped_rook,
        [
            ("4k3/8/8/8/8/8/6PP/5K1R w - - 0 1", 1),
            ("4k3/8/8/8/8/8/6PP/6KR w - - 0 1", 1),
            ("4k3/8/8/8/8/8/PPP5/R1K5 w - - 0 1", 1),
            ("4k3/8/8/8/8/8/PPP5/RK6 w - - 0 1", 1),
            ("4k3/8/8/8/8/8/6P1/5K1R w - - 0 1", 0),  # the file is open
            ("4k3/8/8/8/8/8/5PPP/4RK2 w - - 0 1", 0),  # the rook is on the right side
            ("4k3/8/8/8/8/8/6PP/4K2R w K - 0 1", 0),  # it may still castle
            ("4k3/8/8/8/8/8/5KPP/7R w - - 0 1", 0),  # the king has left the rank
        ],
    ),
}


@pytest.mark.parametrize(
    ("name", "fen", "count"),
    [(name, fen, count) for name, (_, cases) in CASES.items() for fen, count in cases],
)
def test_a_pattern_counts_where_it_is(name: str, fen: str, count: int) -> None:
    weight, _ = CASES[name]
    assert term(fen, "patterns", name) == (count * weight[0], count * weight[1])


def test_signs() -> None:
    good = WEIGHTS.knight_outpost + WEIGHTS.bishop_outpost + WEIGHTS.rook_on_open_file
    assert min(good + WEIGHTS.rook_on_half_open_file + WEIGHTS.rook_on_seventh) > 0
    assert max(WEIGHTS.bad_bishop_per_pawn + WEIGHTS.trapped_minor + WEIGHTS.trapped_rook) < 0
