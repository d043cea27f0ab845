from __future__ import annotations

from pathlib import Path

from bot.lab.records import RunHeader
from bot.lab.registration import FixedTest, Registration
from bot.lab.report.write import REGISTRATION_NAME, evidence_of, standings_of, write_report
from tests.lab import run_kit


def test_all_three_files_are_written_and_nothing_else(tmp_path: Path) -> None:
    header = run_kit.header("A", "B", pairs=3)
    records = run_kit.played(header, (2, 1, 0))
    page = write_report(tmp_path, standings_of(header, records), records)

    assert page == tmp_path / "report.html"
    assert sorted(path.name for path in tmp_path.iterdir()) == [
        "report.html",
        "standings.csv",
        "standings.json",
    ]


def test_the_anchor_of_a_match_is_who_is_to_be_beaten() -> None:
    header = run_kit.header("A", "B", pairs=3)

    assert standings_of(header, run_kit.played(header, (2, 1, 0))).anchor == "B"


def test_an_anchor_that_lost_everything_is_left_for_one_that_can_be_compared() -> None:
    header = run_kit.header("weak", "B", "C", mode="round-robin", pairs=1)
    records = run_kit.played(header, (0, 0, 1))

    assert standings_of(header, records).anchor == "B"
    assert standings_of(header, records, anchor="weak").anchor == "weak"


def registered(folder: Path) -> tuple[Registration, RunHeader]:
    planned = run_kit.header("A", "B", pairs=8)
    registration = Registration(planned.created, "A beats B", FixedTest(8), planned, {})
    (folder / REGISTRATION_NAME).write_text(registration.to_text(), encoding="utf-8")
    return registration, run_kit.header("A", "B", pairs=8, registration=registration.sha256)


def test_a_registered_run_is_judged_by_the_copy_in_its_folder(tmp_path: Path) -> None:
    registration, header = registered(tmp_path)
    evidence = evidence_of(tmp_path, header, run_kit.played(header, [2] * 8))

    assert evidence is not None
    assert evidence.finding is not None
    assert (evidence.registration, evidence.finding.verdict, evidence.deviations) == (
        registration,
        "accepted",
        (),
    )


def test_a_copy_that_was_changed_is_no_evidence(tmp_path: Path) -> None:
    _, header = registered(tmp_path)
    copy = tmp_path / REGISTRATION_NAME
    copy.write_text(copy.read_text(encoding="utf-8").replace("alpha: 0.05", "alpha: 0.2"), encoding="utf-8")
    records = run_kit.played(header, [2] * 8)
    evidence = evidence_of(tmp_path, header, records)

    assert evidence is not None
    assert evidence.finding is None
    assert "in test" in evidence.deviations[0].text
    page = write_report(tmp_path, standings_of(header, records), records)
    assert "<strong>Invalid</strong>" in page.read_text(encoding="utf-8")


def test_a_run_without_registration_has_no_evidence(tmp_path: Path) -> None:
    assert evidence_of(tmp_path, run_kit.header("A", "B"), ()) is None
