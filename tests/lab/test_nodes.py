"""The study of the alpha-beta window."""

from __future__ import annotations

import io
import json
import random

import chess
import pytest
from rich.console import Console

from bot.evaluation import evaluate
from bot.lab import nodes
from bot.lab.nodes import VARIANTS, Sample, measure, positions, run_nodes, summary

NAMES = [variant.name for variant in VARIANTS]


def run(
    *, as_json: bool = False, count: int = 3, depths: tuple[int, ...] = (1, 2), seed: int = 5
) -> tuple[int, str]:
    out = io.StringIO()
    console = Console(file=out, width=100, color_system=None)
    code = run_nodes(
        count=count, depths=depths, seed=seed, as_json=as_json, console=console, progress=lambda _: None
    )
    return code, out.getvalue()


def test_positions_are_the_same_for_the_same_seed_and_leave_a_choice() -> None:
    first, again, other = ([board.fen() for board in positions(12, seed)] for seed in (1, 1, 2))
    assert first == again != other
    assert len(set(first)) == 12
    assert all(chess.Board(fen).legal_moves.count() > 1 for fen in first)


def test_the_variants_agree_and_differ_in_their_work() -> None:
    for board in positions(3, 11):
        sample = measure(board, 2, evaluate)
        assert sample.agrees
        everything, faulty, textbook, ordered = sample.nodes
        assert 0.9 * everything <= faulty <= everything
        assert textbook < everything
        assert ordered < everything


def test_the_textbook_saves_more_the_deeper_it_looks_and_order_saves_more_yet() -> None:
    boards = [
        chess.Board("8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1"),
        chess.Board("6k1/5pp1/1n2p3/3p4/3P2N1/4P3/2R2PP1/6K1 b - - 0 30"),
    ]
    samples = [measure(board, depth) for board in boards for depth in (2, 3)]
    share = {(row.depth, row.variant): row.share.value for row in summary(samples, random.Random(1))}
    _, faulty, textbook, ordered = NAMES
    assert share[3, ordered] < share[3, textbook] < share[2, textbook] < share[2, faulty]
    assert share[3, textbook] < 0.35


def test_the_summary_is_the_geometric_mean_of_the_shares() -> None:
    samples = [
        Sample("a", 2, (0,) * 4, (100, 100, 50, 10)),
        Sample("b", 2, (0,) * 4, (400, 400, 50, 40)),
    ]
    rows = summary(samples, random.Random(1))
    assert [row.nodes for row in rows] == [500, 500, 100, 50]
    assert [row.share.value for row in rows] == pytest.approx([1.0, 1.0, 0.25, 0.1])
    assert rows[2].share.low == pytest.approx(0.125)
    assert rows[2].share.high == pytest.approx(0.5)


def test_the_table_for_people() -> None:
    code, text = run()
    assert code == 0
    assert all(text.count(name) >= 2 for name in NAMES)
    assert "24 searches, and the same root score by all four in each position." in text


def test_json() -> None:
    code, text = run(as_json=True)
    found = json.loads(text)
    assert code == 0
    assert found["disagreements"] == []
    assert found["searches"] == 24
    assert [(row["depth"], row["variant"]) for row in found["rows"]] == [
        (depth, name) for depth in (1, 2) for name in NAMES
    ]
    assert run(as_json=True)[1] == text


@pytest.mark.parametrize("as_json", [False, True])
def test_a_disagreement_is_shown_and_fails(as_json: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    """A search whose window is turned round finds something else."""
    monkeypatch.setattr(
        nodes, "measure", lambda board, depth: Sample(board.fen(), depth, (0, 0, 7, 0), (4,) * 4)
    )
    code, text = run(as_json=as_json)
    assert code == 1
    assert ("disagreements" if as_json else "root scores (0, 0, 7, 0) at depth 2 in ") in text
