from __future__ import annotations

import json
from pathlib import Path

import pytest
import yaml

from bot.errors import UserError
from bot.lab.registration import (
    FixedTest,
    Registration,
    SprtTest,
    TamperedError,
    Test,
    fixed_test,
    read_registration,
    sha256_of,
)
from bot.lab.stats.sprt import Sprt
from tests.lab import run_kit

HEADER = run_kit.header("A", "B", pairs=60)


def registered(test: Test | None = None) -> Registration:
    return Registration(
        created="2026-10-06T11:00:00+00:00",
        hypothesis="A beats B: 10 %, or more",
        test=test or FixedTest(60, 0.05, 10.0),
        run=HEADER,
        options={"players": ["A", "B"], "pairs": 60, "clock": None},
        replaces="ab" * 32,
    )


@pytest.mark.parametrize(
    "test", [FixedTest(60, 1e-05, 12.5), SprtTest(Sprt(0.0, 50.0, 0.05, 0.1, "normalized"), 400)]
)
def test_what_was_written_is_read_again(test: Test) -> None:
    before = registered(test)

    assert Registration.from_text(before.to_text(), "x") == before
    assert Registration.from_text(before.to_text(), "x").sha256 == before.sha256


def test_json_will_do_and_the_order_of_keys_does_not_count() -> None:
    before = registered(FixedTest(60, 1e-05))
    value = yaml.safe_load(before.to_text())
    shuffled = {
        "sha256": value["sha256"],
        "registration": dict(reversed(value["registration"].items())),
        "seals": value["seals"],
    }

    assert Registration.from_text(json.dumps(shuffled), "x") == before


def test_comments_do_not_count() -> None:
    assert Registration.from_text(f"# mine\n{registered().to_text()}", "x") == registered()


@pytest.mark.parametrize(
    ("old", "new", "part"),
    [
        ("alpha: 0.05", "alpha: 0.1", "test"),
        ("hypothesis: 'A beats B", "hypothesis: 'B beats A", "hypothesis"),
        ("seed: 1", "seed: 2", "run"),
        ("created: '2026-10-06T11", "created: '2025-10-06T11", "created"),
    ],
)
def test_a_change_is_noticed_and_named(old: str, new: str, part: str) -> None:
    text = registered().to_text()
    assert old in text

    with pytest.raises(
        TamperedError, match=rf"x: it has been changed since it was written, in {part}: its sha"
    ):
        Registration.from_text(text.replace(old, new, 1), "x")


def test_another_hash_is_noticed() -> None:
    text = registered().to_text().replace(registered().sha256, "0" * 64)

    with pytest.raises(TamperedError, match="in its hash"):
        Registration.from_text(text, "x")


def test_a_rule_that_this_version_does_not_apply_is_refused() -> None:
    """Whoever makes up a rule, and its hashes with it, does not get it applied."""
    value = yaml.safe_load(registered().to_text())
    value["registration"]["decision"] = "Accepted."
    value["sha256"] = sha256_of(value["registration"])

    with pytest.raises(
        UserError, match=r"registration.decision is 'Accepted.'; this version would do 'After all"
    ):
        Registration.from_text(yaml.safe_dump(value), "x")


@pytest.mark.parametrize("text", ["", "a: [", "- 1", "registration: 3"])
def test_what_is_no_registration_is_refused(text: str) -> None:
    with pytest.raises(UserError, match=r"^x: "):
        Registration.from_text(text, "x")


def test_a_file_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(UserError, match=r"none\.yml: cannot be read: No such file"):
        read_registration(tmp_path / "none.yml")


def test_a_sample_that_can_decide_nothing_is_refused() -> None:
    with pytest.raises(ValueError, match=r"4 pairs cannot give p < 0\.05"):
        fixed_test(4, 0.05, 0)
    assert fixed_test(5, 0.05, 0).pairs == 5
