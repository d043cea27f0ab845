from __future__ import annotations

import errno

import pytest
import typer
from typer.testing import CliRunner

from bot.errors import BenchError, UserError
from bot.lab.exit_codes import JudgingCommand, JudgingGroup
from bot.lab.files import StorageError

ERRORS: dict[str, BaseException] = {
    "user": UserError("the file is missing"),
    "bench": BenchError("no pair can be played"),
    "full": OSError(errno.EIO, "bad disk", "journal"),
    "storage": StorageError("journal cannot be written"),
    "bug": ZeroDivisionError("a bug"),
    "interrupt": KeyboardInterrupt(),
    "nobody reads": SystemExit(1),  # rich, of a broken pipe
    "terminated": SystemExit(143),
    "accepted": typer.Exit(0),
    "rejected": typer.Exit(1),
    "inconclusive": typer.Exit(2),
    "invalid": typer.Exit(3),
}
app = typer.Typer(cls=JudgingGroup)


@app.callback()
def _group() -> None:
    pass


@app.command(cls=JudgingCommand)
def judge(what: str) -> None:
    raise ERRORS[what]


@pytest.mark.parametrize(
    ("words", "code", "said"),
    [
        (["judge", "user"], 64, "the file is missing"),
        (["judge", "bench"], 69, "no pair can be played"),
        (["judge", "full"], 74, "journal: bad disk"),
        (["judge", "storage"], 74, "journal cannot be written"),
        (["judge", "bug"], 70, "ZeroDivisionError: a bug"),
        (["judge", "interrupt"], 130, ""),
        (["judge", "nobody reads"], 74, ""),
        (["judge", "terminated"], 143, ""),
        (["judge", "accepted"], 0, ""),
        (["judge", "rejected"], 1, ""),
        (["judge", "inconclusive"], 2, ""),
        (["judge", "invalid"], 3, ""),
        (["judge"], 64, "Missing argument"),
        (["judge", "--bogus"], 64, "No such option"),
        (["judge", "a", "b"], 64, "unexpected extra argument"),
        (["jugde", "a"], 64, "No such command"),
        (["--bogus", "judge", "accepted"], 64, "No such option"),
    ],
)
def test_only_findings_have_codes_of_findings(words: list[str], code: int, said: str) -> None:
    found = CliRunner().invoke(app, words)

    assert found.exit_code == code
    assert said in found.output
