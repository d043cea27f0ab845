"""What a technique is worth: the same whatever plays it, and told in a table or as JSON."""

from __future__ import annotations

import io
import json

import pytest
from rich.console import Console

from bot.bench.techniques import Worth, measure, run_techniques, table_of
from bot.engine.features import NAMES
from bot.lab.stats.counts import Pentanomial
from bot.learning.judge import Judge
from bot.learning.tuning_pairs import Terms

TERMS = Terms(seed=1, nodes=60, judge=Judge())
TWO = ("table", "killers")


@pytest.mark.timeout(120)  # processes that load the engine
def test_the_same_with_any_number_of_processes() -> None:
    alone = measure(TWO, TERMS, pairs=4, processes=1)
    assert [each.name for each in alone] == list(TWO)
    assert [each.pairs.pairs for each in alone] == [4, 4]
    assert measure(TWO, TERMS, pairs=4, processes=2) == alone
    assert measure(TWO[:1], TERMS, pairs=4, processes=2) == alone[:1]  # each has the same starts


def test_the_dearest_is_first_and_what_is_proven_is_marked() -> None:
    found = [
        Worth("killers", Pentanomial(20, 20, 40, 10, 10)),
        Worth("table", Pentanomial(2, 8, 30, 40, 20)),
        Worth("fading", Pentanomial(20, 20, 20, 20, 20)),
    ]
    stream = io.StringIO()
    Console(file=stream, width=100).print(table_of(found, TERMS))
    lines = stream.getvalue().splitlines()
    assert "200 games each, 60 nodes a move" in " ".join(stream.getvalue().split())
    names = [name for line in lines for name in NAMES if f"│ {name} " in line]
    assert names == ["table", "fading", "killers"]
    assert [row.style for row in table_of(found, TERMS).rows] == ["green", "", "red"]


@pytest.mark.timeout(120)
def test_as_json() -> None:
    stream = io.StringIO()
    console = Console(file=stream, width=40)
    assert run_techniques(["table"], TERMS, pairs=2, processes=1, as_json=True, console=console) == 0
    said = json.loads(stream.getvalue())
    assert (said["bench"], said["nodes"], said["seed"]) == ("techniques", 60, 1)
    assert [each["technique"] for each in said["worth"]] == ["table"]
    assert sum(said["worth"][0]["pairs"]) == 2
