"""Pawn structure: what holds together, what is weak, and what may become a queen."""

from __future__ import annotations

import chess

from bot.evaluation.bits import RANK, backward, beside, files, forward, forward_fill, whole_files
from bot.evaluation.facts import Facts
from bot.evaluation.family import NOTHING, Family, times
from bot.evaluation.weights import Pair


def score(facts: Facts, color: chess.Color) -> tuple[Pair, ...]:
    """The pawns of `color`.

    - isolated: for each file that holds own pawns while its neighbouring files hold none: once a file,
      however many pawns stand on it.
    - doubled: for each file that holds two own pawns or more: once a file.
    - backward: for each pawn with own pawns on the neighbouring files, all of them further forward, and with
      an enemy pawn attacking the square in front of it.
    - passed: for each passed pawn (see `Facts`), by its rank.
    - connected passed: for each two neighbouring files that both hold a passed pawn.
    - chain: for each pawn that an own pawn defends.
    - islands: for each group of neighbouring files with own pawns, beyond the first group.
    """
    weights = facts.weights
    pawns = facts.pawns[color]
    if not pawns:
        return _NO_PAWNS
    on_files = files(pawns)
    isolated = on_files & ~(on_files << 1 | on_files >> 1)
    doubled = files(pawns & forward_fill(backward(pawns, color), not color))
    stops = forward(pawns, color) & facts.pawn_attacks[not color] & ~facts.pawn_spans[color]
    backward_pawns = backward(stops, color) & beside(whole_files(pawns))
    passed = facts.passed[color]
    passed_files = files(passed)
    islands = (on_files & ~(on_files << 1)).bit_count()
    return (
        times(isolated.bit_count(), weights.isolated_file),
        times(doubled.bit_count(), weights.doubled_file),
        times(backward_pawns.bit_count(), weights.backward_pawn),
        _by_rank(passed, color, weights.passed_pawn_by_rank) if passed else NOTHING,
        times((passed_files & passed_files << 1).bit_count(), weights.connected_passed_pawns),
        times((pawns & facts.pawn_attacks[color]).bit_count(), weights.chain_link),
        times(islands - 1, weights.island),
    )


def _by_rank(passed: chess.Bitboard, color: chess.Color, by_rank: tuple[Pair, ...]) -> Pair:
    middlegame = endgame = 0
    for rank, pair in zip(RANK[color], by_rank, strict=True):
        count = (passed & rank).bit_count()
        middlegame += count * pair[0]
        endgame += count * pair[1]
    return middlegame, endgame


FAMILY = Family(
    "pawns",
    ("isolated", "doubled", "backward", "passed", "connected passed", "chain", "islands"),
    score,
)
_NO_PAWNS = (NOTHING,) * len(FAMILY.terms)
