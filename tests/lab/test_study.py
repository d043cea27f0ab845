"""From a registration to a verdict, a report, an audit and the line-up: with real games, as people do it."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner, Result

from bot.cli import app
from bot.errors import UserError
from bot.lab import cluster, history
from bot.lab.journal import FILE_NAME, read_journal
from bot.lab.registration import Registration, SprtTest
from bot.lab.report.write import REGISTRATION_NAME
from bot.lab.stats.sprt import Sprt

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

    assert events == [("begun", 0), *(("played", pairs) for pairs in range(1, 6)), ("finished", 5)]


def test_unwelcome_pairs_cannot_be_taken_out_and_played_again(folder: Path) -> None:
    """Six times in a row pairs were deleted from the journal, played again, and nothing was said."""
    picked = folder / "picked"
    shutil.copytree(folder / "run", picked)
    lines = (picked / FILE_NAME).read_text().splitlines(keepends=True)
    (picked / FILE_NAME).write_text("".join(lines[:2] + lines[4:]))
    before = (picked / FILE_NAME).read_bytes()
    again = lab("run", folder / "claim.yml", "--out", picked)

    assert again.exit_code == 3
    assert "is not what it was, and ends here" in again.stdout
    assert "pairs have vanished: 5 were there, and now there are 3" in again.stdout
    assert (picked / FILE_NAME).read_bytes() == before
    # Nor by an earlier version that went on: the pairs are there again, and are not those that were seen.
    (picked / FILE_NAME).write_text("".join(lines[:2] + lines[4:] + lines[2:4]))
    assert lab("run", folder / "claim.yml", "--out", picked).exit_code == 3
    lab("report", picked)
    assert "<strong>Invalid</strong>" in (picked / "report.html").read_text()
    audited = lab("audit", picked)
    assert audited.exit_code == 1
    assert "the journal was changed: its first 2 pairs are not those of" in audited.stdout


def test_a_run_without_its_history_is_invalid(folder: Path) -> None:
    bare = folder / "bare"
    shutil.copytree(folder / "run", bare)
    (bare / history.FILE_NAME).unlink()
    again = lab("run", folder / "claim.yml", "--out", bare)

    assert again.exit_code == 3
    assert "the history of the run is missing: nothing tells where 5 pairs come from" in again.stdout


@pytest.mark.parametrize(
    ("words", "code"),
    [
        (["run"], 64),
        (["run", "nowhere.yml"], 64),
        (["run", "--bogus", "x"], 64),
        (["run", "RUBBISH"], 64),
        (["run", "DEEP"], 64),
        (["run", "CLAIM", "--concurrency", "0"], 64),
        (["run", "CLAIM", "--out", "OUT", "--cluster", "tcp://127.0.0.1:1"], 64),
        (["run", "CLAIM", "--out", "FILE/x"], 74),
        (["audit", "nowhere"], 64),
        (["audit"], 64),
        (["rnu"], 64),
    ],
)
def test_what_is_no_verdict_has_no_exit_code_of_one(
    folder: Path, words: list[str], code: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A mistyped option was "inconclusive", and a folder that cannot be made "rejected"."""
    monkeypatch.setattr(cluster, "REACH_S", 0.2)  # nobody is going to answer
    (folder / "rubbish.yml").write_text("a: [")
    (folder / "deep.yml").write_text("[" * 100_000)
    (folder / "file").touch()
    places = {
        "RUBBISH": "rubbish.yml",
        "DEEP": "deep.yml",
        "CLAIM": "claim.yml",
        "FILE/x": "file/x",
        "OUT": "out",
    }
    found = lab(*(folder / places[word] if word in places else word for word in words))

    assert found.exit_code == code, found.output
    assert "Traceback" not in found.output


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
    for name, kept in ((history.FILE_NAME, 3), (FILE_NAME, 3)):
        lines = (part / name).read_text().splitlines(keepends=True)
        (part / name).write_text("".join(lines[:kept]))
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
    first = lab("lineup", "add", folder / "run", "--file", target, "--uncommitted")
    second = lab("lineup", "add", folder / "run", "--file", target, "--uncommitted")
    shown = lab("lineup", "--file", target)

    assert first.exit_code == 0, first.output
    assert len(target.read_text().splitlines()) == 3
    assert "of this run already" in str(second.exception)
    assert all(player in shown.stdout for player in PLAYERS)


def changed(folder: Path, name: str, change: Callable[[dict[str, Any], list[dict[str, Any]]], None]) -> Path:
    """A copy of the run, whose header and pairs (as JSON) were changed."""
    place = folder / name
    place.mkdir()
    header, *pairs = map(json.loads, (folder / "run" / FILE_NAME).read_text().splitlines())
    change(header["header"], [each["pair"] for each in pairs])
    (place / FILE_NAME).write_text("".join(f"{json.dumps(line)}\n" for line in (header, *pairs)))
    return place


def test_the_line_up_takes_only_what_somebody_can_play_again(folder: Path) -> None:
    target = folder / "strict.jsonl"
    for commit in ("0123456789ab-dirty", None):

        def played_by(header: dict[str, Any], _: object, it: str | None = commit) -> None:
            header.update(commit=it)

        dirty = changed(folder, f"commit-{commit}", played_by)
        refused = lab("lineup", "add", dirty, "--file", target)
        assert "which nobody can have again" in str(refused.exception)
    clean = changed(folder, "clean", lambda header, _: header.update(commit="0123456789ab"))
    assert lab("lineup", "add", clean, "--file", target).exit_code == 0
    doctored = changed(folder, "doctored", lambda _, pairs: pairs[0]["games"][0].update(ending="resignation"))
    refused = lab("lineup", "add", doctored, "--file", target, "--uncommitted")
    assert "(`knightshift lab audit` says more)" in str(refused.exception)
    assert len(target.read_text().splitlines()) == 3


@pytest.mark.parametrize(
    ("name", "change", "said"),
    [
        (
            "fen",
            lambda _, pairs: pairs[1]["spec"]["opening"].update(fen="rubbish"),
            "3: spec.opening.fen 'rubbish' is no position",
        ),
        (
            "renamed",
            lambda header, _: header.update(players=["greedy", "somebody"]),
            "2: a pair of greedy and random; the players of the run are greedy, somebody",
        ),
    ],
)
def test_a_journal_that_no_run_has_is_one_clear_line(
    folder: Path, name: str, change: Callable[[dict[str, Any], list[dict[str, Any]]], None], said: str
) -> None:
    """Each of them was a traceback."""
    place = changed(folder, name, change)
    reported, audited = lab("report", place), lab("audit", place)

    assert isinstance(reported.exception, UserError)
    assert f"journal {place / FILE_NAME}:{said}" in str(reported.exception)
    assert audited.exit_code == 64
    assert f"{FILE_NAME}:{said}" in audited.output


def test_a_line_nested_too_deeply_is_one_clear_line(folder: Path) -> None:
    place = folder / "deep"
    place.mkdir()
    (place / FILE_NAME).write_text(f"{'[' * 100_000}\n")

    assert isinstance(lab("report", place).exception, UserError)
    assert lab("audit", place).exit_code == 64


def test_what_is_not_here_cannot_be_played_again_and_the_audit_says_so(folder: Path) -> None:
    """A tablebase, or a player, that this machine does not have: there were tracebacks, and no audit."""

    def gone(header: dict[str, Any], pairs: list[dict[str, Any]]) -> None:
        header.update(players=["greedy", "no_such_player"])
        for pair in pairs:
            pair["spec"]["second"] = "no_such_player"
            pair["games"][0]["black"] = pair["games"][1]["white"] = "no_such_player"

    tables = lab("audit", changed(folder, "t", lambda header, _: header.update(tablebase="/no/such/folder")))
    player = lab("audit", changed(folder, "p", gone))

    assert tables.exit_code == 2
    assert "its games depend on a tablebase that is not here: /no/such/folder" in tables.stdout
    assert "Nothing is wrong" not in tables.stdout + player.stdout
    assert "it is not the pair that seed 1 puts there" in player.stdout
    assert "no_such_player" in player.stdout


def test_a_run_that_is_not_finished_is_not_added(folder: Path) -> None:
    part = folder / "half"
    part.mkdir()
    (part / FILE_NAME).write_text(
        "".join((folder / "run" / FILE_NAME).read_text().splitlines(keepends=True)[:2])
    )
    added = lab("lineup", "add", part, "--file", folder / "none.jsonl", "--uncommitted")

    assert "4 of 5 pairs are not played yet" in str(added.exception)
    assert not (folder / "none.jsonl").exists()


def test_a_sequential_test_that_had_ended_was_not_added_for_the_pairs_it_did_not_need(folder: Path) -> None:
    part = folder / "decided"
    part.mkdir()
    lines = (folder / "run" / FILE_NAME).read_text().splitlines(keepends=True)
    (part / FILE_NAME).write_text("".join(lines[:4]))
    header = read_journal(part / FILE_NAME).header
    for bounds, said in ((Sprt(0, 400, 0.4, 0.4), ""), (Sprt(0, 5), "2 of 5 pairs are not played yet")):
        claim = Registration("2026-01-01", "greedy beats random", SprtTest(bounds, 5), header, {})
        (part / REGISTRATION_NAME).write_text(claim.to_text())
        added = lab("lineup", "add", part, "--file", folder / f"{bounds.elo1}.jsonl", "--uncommitted")
        assert (added.exit_code == 0) is (not said), added.output
        assert said in str(added.exception)


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
