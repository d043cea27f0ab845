from __future__ import annotations

import csv
import io
import json

from bot.lab.registration import FixedTest
from bot.lab.report.export import standings_csv, standings_json
from bot.lab.standings import standings
from bot.lab.verdict import judge
from tests.lab import run_kit

HEADER = run_kit.header("A", "B", pairs=8)
RECORDS = run_kit.played(HEADER, (2, 2, 1.5, 1, 2, 0.5, 2, 1))
FOUND = standings(HEADER, RECORDS, anchor="B", resamples=200)


def test_the_table_has_a_line_for_each_player_the_strongest_first() -> None:
    rows = list(csv.DictReader(io.StringIO(standings_csv(FOUND))))

    assert [(row["rank"], row["player"], row["games"], row["anchor"]) for row in rows] == [
        ("1", "A", "16", "B"),
        ("2", "B", "16", "B"),
    ]
    assert float(rows[0]["score"]) == 12 / 16
    assert float(rows[0]["elo_low"]) < float(rows[0]["elo"]) < float(rows[0]["elo_high"])


def test_the_anchor_is_no_perfect_measurement() -> None:
    """Its row said 0.0 from 0.0 to 0.0, narrower than anything that was measured."""
    _, anchor = csv.DictReader(io.StringIO(standings_csv(FOUND)))

    assert (float(anchor["elo"]), anchor["elo_low"], anchor["elo_high"]) == (0, "", "")
    rating = json.loads(standings_json(FOUND))["players"][1]["rating"]
    assert rating == {"value": 0, "low": None, "high": None}


def test_a_number_that_does_not_exist_is_an_empty_cell() -> None:
    perfect = standings(HEADER, run_kit.played(HEADER, (2,) * 8), anchor="B", resamples=200)
    first, _ = csv.DictReader(io.StringIO(standings_csv(perfect)))

    assert first["player"] == "A"
    assert (first["elo"], first["elo_high"]) == ("", "")
    assert float(first["elo_low"]) > 0


def test_the_object_has_the_verdict_of_a_registered_run() -> None:
    finding = judge(FixedTest(8), RECORDS)

    assert "verdict" not in json.loads(standings_json(FOUND))
    assert json.loads(standings_json(FOUND, finding))["verdict"]["verdict"] == finding.verdict
