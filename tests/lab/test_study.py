"""From a registration to a verdict, a report, an audit and the line-up: with real games, as people do it."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from bot.cli import app
from bot.errors import UserError
from bot.lab import history
from bot.lab.journal import FILE_NAME

PLAYERS = ("greedy", "random")
REGISTER = ["--players", *PLAYERS, "--pairs", "5", "--max-plies", "60", "--ms-per-move", "1"]


def lab(*words: str | Path) -> Result:
    return CliRunner().invoke(app, ["lab", *map(str, words)])


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A registration, and the run of it."""
    place = tmp_path_factory.mktemp("study")
    written = lab("register", place / "claim.yml", *REGISTER)
    assert written.exit_code == 0, written.output
    assert "Hypothesis: greedy beats random." in written.output
    ran = lab("run", place / "claim.yml", "--out", place / "run")
    (place / "said.txt").write_text(f"{ran.exit_code}\n{ran.stdout}")
    return place


def test_the_verdict_is_printed_and_is_the_exit_code(folder: Path) -> None:
    code, first = (folder / "said.txt").read_text().splitlines()[:2]
    verdicts = {"0": "Accepted", "1": "Rejected", "2": "Inconclusive"}

    assert first == f"{verdicts[code]}: greedy beats random"
    stated = json.loads((folder / "run" / "standings.json").read_text())["verdict"]
    assert stated["verdict"] == verdicts[code].lower()


def test_the_report_proves_the_registration(folder: Path) -> None:
    page = (folder / "run" / "report.html").read_text()
    header = json.loads((folder / "run" / FILE_NAME).read_text().splitlines()[0])["header"]

    assert header["registration"] in page
    assert header["registration"] in (folder / "claim.yml").read_text()
    assert "Deviations from the registration</h3><p>None.</p>" in page


def test_the_history_knows_when_it_was_begun_and_finished(folder: Path) -> None:
    events = [(event.what, event.pairs) for event in history.read_history(folder / "run")]

    assert events == [("begun", 0), ("finished", 5)]


def test_a_run_that_is_over_is_judged_again_and_not_played_again(folder: Path) -> None:
    before = (folder / "run" / FILE_NAME).read_bytes()
    again = lab("run", folder / "claim.yml", "--out", folder / "run")

    assert again.exit_code in (0, 1, 2), again.exception
    assert f"{again.exit_code}\n{again.stdout}" == (folder / "said.txt").read_text()
    assert (folder / "run" / FILE_NAME).read_bytes() == before


def test_a_registration_is_never_overwritten(folder: Path) -> None:
    again = lab("register", folder / "claim.yml", *REGISTER)

    assert isinstance(again.exception, UserError)
    assert "a registration is never overwritten" in str(again.exception)


def test_a_registration_that_was_changed_is_invalid(folder: Path) -> None:
    (folder / "changed.yml").write_text(
        (folder / "claim.yml").read_text().replace("alpha: 0.05", "alpha: 0.3")
    )
    ran = lab("run", folder / "changed.yml", "--out", folder / "other")

    assert ran.exit_code == 3
    assert "it has been changed since it was written, in test" in ran.stdout
    assert not (folder / "other").exists()


def test_a_look_before_the_end_is_a_deviation(folder: Path) -> None:
    part = folder / "part"
    shutil.copytree(folder / "run", part)
    lines = (part / FILE_NAME).read_text().splitlines(keepends=True)
    (part / FILE_NAME).write_text("".join(lines[:3]))
    looked = lab("report", part)

    assert looked.exit_code == 0, looked.output
    page = (part / "report.html").read_text()
    assert "No verdict yet" in page
    assert "looked at before the end, after 2 pairs" in page


def test_an_audit_plays_it_again(folder: Path) -> None:
    found = lab("audit", folder / "run", "--share", "0.4")

    assert found.exit_code == 0, found.output
    assert "Played again: 2, the same move for move: 2" in found.stdout


def test_an_audit_finds_a_move_that_was_not_played(folder: Path) -> None:
    header, *pairs = (folder / "run" / FILE_NAME).read_text().splitlines()
    first = json.loads(pairs[0])
    first["pair"]["games"][0]["moves"].pop()
    bad = folder / "bad.jsonl"
    bad.write_text("\n".join([header, json.dumps(first), *pairs[1:], ""]))
    found = lab("audit", bad, "--share", "1")

    assert found.exit_code == 1
    assert "played again, game 1 is " in found.stdout


def test_a_finished_run_goes_into_the_line_up_once(folder: Path) -> None:
    target = folder / "lineup.jsonl"
    first = lab("lineup", "add", folder / "run", "--file", target)
    second = lab("lineup", "add", folder / "run", "--file", target)
    shown = lab("lineup", "--file", target)

    assert first.exit_code == 0, first.output
    assert len(target.read_text().splitlines()) == 2
    assert "of this run already" in str(second.exception)
    assert all(player in shown.stdout for player in PLAYERS)


def test_a_run_that_is_not_finished_is_not_added(folder: Path) -> None:
    part = folder / "half"
    part.mkdir()
    (part / FILE_NAME).write_text(
        "".join((folder / "run" / FILE_NAME).read_text().splitlines(keepends=True)[:2])
    )
    added = lab("lineup", "add", part, "--file", folder / "none.jsonl")

    assert "4 of 5 pairs are not played yet" in str(added.exception)
    assert not (folder / "none.jsonl").exists()


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ([], "either --pairs N or --sprt"),
        (["--pairs", "9", "--sprt", "0,50"], "either --pairs N or --sprt"),
        (["--sprt", "50,0"], "--sprt 50,0: expected ELO0,ELO1"),
        (["--sprt", "a"], "--sprt a: expected ELO0,ELO1"),
        (["--pairs", "3"], "3 pairs cannot give p"),
    ],
)
def test_a_test_that_is_none_is_refused(tmp_path: Path, words: list[str], said: str) -> None:
    found = lab("register", tmp_path / "x.yml", "--players", *PLAYERS, *words)

    assert said in str(found.exception)
    assert not (tmp_path / "x.yml").exists()
