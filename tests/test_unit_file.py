"""The systemd unit: it verifies, and it does what README says of it."""

from __future__ import annotations

import configparser
import shutil
import subprocess
from pathlib import Path

import pytest

from bot.settings import GameSettings

UNIT = Path(__file__).parent.parent / "systemd" / "knightshift.service"


class _Unit(configparser.RawConfigParser):
    """systemd allows a key twice; nothing here needs more than the last."""

    def __init__(self) -> None:
        super().__init__(strict=False, interpolation=None)

    def optionxform(self, optionstr: str) -> str:
        return optionstr


def service() -> dict[str, str]:
    unit = _Unit()
    unit.read(UNIT, encoding="utf-8")
    return dict(unit["Service"])


@pytest.mark.skipif(shutil.which("systemd-analyze") is None, reason="systemd-analyze is not installed here")
def test_systemd_accepts_it_without_a_word() -> None:
    answer = subprocess.run(
        ["systemd-analyze", "verify", str(UNIT)], capture_output=True, text=True, timeout=200, check=False
    )
    said = (answer.stdout + answer.stderr).splitlines()
    assert [line for line in said if UNIT.name in line] == []  # of the machine's own units it may say a lot
    assert answer.returncode == 0 or said


def test_it_runs_unprivileged_with_the_token_as_a_credential_and_restarts_on_failure() -> None:
    settings = service()
    assert settings["DynamicUser"] == "yes"
    assert settings["NoNewPrivileges"] == "yes"
    assert settings["ProtectSystem"] == "strict"
    assert settings["CapabilityBoundingSet"] == ""
    assert settings["LoadCredential"].startswith("token:")
    assert settings["Restart"] == "on-failure"


def test_what_only_a_person_can_mend_is_not_tried_again() -> None:
    assert service()["RestartPreventExitStatus"].split() == ["2", "3"]


def test_the_engine_is_compiled_before_the_start_but_nothing_hangs_on_it() -> None:
    settings = service()
    assert settings["ExecStartPre"] == "-/usr/bin/env knightshift warm"
    assert settings["CacheDirectory"], "it is kept there"
    assert "MemoryDenyWriteExecute" not in settings, "compiled code is written and executed"


def test_stopping_leaves_running_games_their_time_and_ends_the_children_by_itself() -> None:
    settings = service()
    assert settings["Type"] == "notify"
    assert settings["KillMode"] == "mixed", "a SIGTERM to strategies would end them in mid-game"
    minutes = int(settings["TimeoutStopSec"].removesuffix("min"))
    assert minutes * 60 > GameSettings().stop_deadline_s
