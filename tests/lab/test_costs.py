"""Whose moves they are, and what they cost."""

from __future__ import annotations

from bot.lab.costs import cost_of, moves_of
from bot.lab.openings import Opening
from bot.lab.records import MoveRecord

from .pair_kit import AFTER_E4, pair

MOVES = [MoveRecord("e2e4", 1), MoveRecord("e7e5", 2), MoveRecord("g1f3", 4), MoveRecord("b8c6", 8)]


def times(player: str, fen: str) -> list[int]:
    record = pair("a", "b", ("1-0", "1-0"), opening=Opening(fen), moves=MOVES)
    return [move.time_ms for move in moves_of(player, [record])]


def test_each_player_has_every_other_move() -> None:
    start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"
    assert times("a", start) == [1, 4, 2, 8]  # White, then Black
    assert times("b", start) == [2, 8, 1, 4]
    assert times("nobody", start) == []


def test_where_black_begins_the_first_move_is_blacks() -> None:
    assert times("a", AFTER_E4) == [2, 8, 1, 4]
    assert times("b", AFTER_E4) == [1, 4, 2, 8]


def test_costs() -> None:
    moves = [MoveRecord("e2e4", ms, nodes=10 * ms, depth=3) for ms in range(1, 101)]
    found = cost_of([*moves, MoveRecord("e2e4", 1_000)])
    assert (found.moves, found.median_ms, found.p95_ms, found.max_ms) == (101, 51, 96, 1_000)
    assert found.total_ms == 5_050 + 1_000
    assert (found.nodes, found.depth) == (505, 3)  # of the moves that told


def test_without_moves_there_is_no_cost() -> None:
    found = cost_of([])
    assert (found.moves, found.median_ms, found.p95_ms, found.max_ms, found.nodes) == (
        0,
        None,
        None,
        None,
        None,
    )
