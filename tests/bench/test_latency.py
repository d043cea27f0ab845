"""Latency, of one small game, and what is made of its replies."""

from __future__ import annotations

import json

import pytest

from bot.bench.latency import figures_of, run_latency
from bot.bench.watch import Reply
from bot.errors import BenchError


def replies(*took_ms: float) -> list[Reply]:
    return [
        Reply("game0001", 2 * number, arrived_s=float(number), after_s=ms / 1000)
        for number, ms in enumerate(took_ms)
    ]


def test_the_quantiles_and_the_first_move() -> None:
    figures = {figure.key: figure for figure in figures_of(replies(9.0, *([2.0] * 97), 30.0, 40.0))}
    found = {key: round(figure.value, 6) for key, figure in figures.items()}
    assert found == {
        "moves": 100,
        "p50_ms": 2.0,
        "p95_ms": 2.0,
        "p99_ms": 30.0,
        "max_ms": 40.0,
        "first_ms": 9.0,
    }
    assert figures["p50_ms"].kept
    assert not figures["p99_ms"].kept


def test_no_reply_is_no_measurement() -> None:
    with pytest.raises(BenchError, match="no move"):
        figures_of([])


def test_one_game_is_measured_to_its_end(capsys: pytest.CaptureFixture[str]) -> None:
    run_latency(parallel=1, games=1, seed=1, pause_ms=0.0, as_json=True)
    printed = capsys.readouterr()
    said = json.loads(printed.out)
    figures = {key: figure["value"] for key, figure in said["figures"].items()}
    assert figures["moves"] > 5
    assert 0 < figures["p50_ms"] <= figures["p95_ms"] <= figures["p99_ms"] <= figures["max_ms"]
    assert "games: 1 of 1" in printed.err
