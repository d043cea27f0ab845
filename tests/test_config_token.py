"""Where the token comes from, and that it goes nowhere else."""

from __future__ import annotations

import logging
import traceback
from collections.abc import Mapping
from pathlib import Path

import pytest

from bot.config import Loaded, load
from bot.errors import ConfigError

TOKEN = "lip_Ab12Cd34Ef56Gh78"


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "config.yml"
    path.touch(mode=0o600)
    return path


def load_text(file: Path, text: str, env: Mapping[str, str] | None = None) -> Loaded:
    file.write_text(text, encoding="utf-8")
    return load(file, env or {})


def refusal(file: Path, text: str, env: Mapping[str, str] | None = None) -> list[str]:
    with pytest.raises(ConfigError) as caught:
        load_text(file, text, env)
    return [line.removeprefix(str(file)) for line in caught.value.faults]


def test_no_token_at_all(file: Path) -> None:
    (fault,) = refusal(file, "strategy: select_move")
    assert fault == (
        ": token: found none, expected it here, or in token_file, or in the environment variable "
        "LICHESS_BOT_TOKEN; make one with the scope bot:play at https://lichess.org/account/oauth/token"
    )
    assert refusal(file, "log: {}\ntoken:\n")[0].startswith(":2: token: found none")
    assert load(file, {}, token_required=False).settings.token is None


@pytest.mark.parametrize("written", [TOKEN, f"' {TOKEN} '", f"|\n  {TOKEN}\n"])
def test_the_token_of_the_file(file: Path, written: str) -> None:
    loaded = load_text(file, f"token: {written}")
    assert loaded.settings.token is not None
    assert loaded.settings.token.get_secret_value() == TOKEN


def test_a_token_file_beside_the_configuration(file: Path) -> None:
    (file.parent / "secret").write_text(f"{TOKEN}\n")
    (file.parent / "secret").chmod(0o600)
    loaded = load_text(file, "token_file: secret")
    assert loaded.settings.token is not None
    assert loaded.settings.token.get_secret_value() == TOKEN
    assert loaded.token_source == str(file.parent / "secret")
    assert loaded.warnings == ()


def test_a_credential_of_systemd(file: Path, tmp_path: Path) -> None:
    credentials = tmp_path / "credentials"
    credentials.mkdir()
    (credentials / "token").write_text(TOKEN)
    (credentials / "token").chmod(0o440)  # as systemd has it: an access list shows as group bits
    loaded = load_text(
        file, "token_file: ${CREDENTIALS_DIRECTORY}/token", {"CREDENTIALS_DIRECTORY": str(credentials)}
    )
    assert loaded.settings.token is not None
    assert loaded.settings.token.get_secret_value() == TOKEN
    assert loaded.warnings == ()


def test_the_environment_outranks_the_file_and_says_so(file: Path) -> None:
    for text, key in ((f"log: {{}}\ntoken: {TOKEN}", "token"), ("log: {}\ntoken_file: none", "token_file")):
        loaded = load_text(file, text, {"LICHESS_BOT_TOKEN": "lip_env"})
        assert loaded.settings.token is not None
        assert loaded.settings.token.get_secret_value() == "lip_env"
        assert loaded.token_source == "LICHESS_BOT_TOKEN"
        assert loaded.warnings == (f"{file}:2: {key} is not used, as LICHESS_BOT_TOKEN is set",)


def test_a_blank_variable_counts_as_unset(file: Path) -> None:
    assert load_text(file, f"token: {TOKEN}", {"LICHESS_BOT_TOKEN": ""}).warnings == ()


def test_two_keys_for_one_token_are_a_fault(file: Path) -> None:
    assert refusal(file, f"token: {TOKEN}\ntoken_file: x") == [
        ':2: token_file: found "x", expected one of the two, but token is given as well'
    ]


@pytest.mark.parametrize(
    ("text", "env", "faults"),
    [
        ("token: ''", {}, [":1: token: the token is empty; make one with"]),
        ("token: lip_YourTokenHere", {}, [":1: token: this is only the placeholder"]),
        ("token: [a]", {}, [":1: token: found a value that is not shown"]),
        ("log: {}\ntoken_file: none", {}, [":2: token_file: found no file of that name"]),
        (
            "token_file: $NONE/x",
            {},
            [":1: token_file: the environment variable NONE that it names is not set"],
        ),
        (
            "log: {}",
            {"LICHESS_BOT_TOKEN": "a b"},
            [": environment variable LICHESS_BOT_TOKEN: found a value that is"],
        ),
        ("lgo: {}", {}, [":1: lgo: unknown key", ": token: found none"]),
        ("log: 5\ntoken_file: none", {}, [":1: log: found 5", ":2: token_file: found no file"]),
        ("log: [", {}, [":1: found a [ or { that is never closed"]),
        ("", {}, [":1: found nothing"]),
    ],
)
def test_faults_of_the_token_come_with_all_others(
    file: Path, text: str, env: dict[str, str], faults: list[str]
) -> None:
    found = refusal(file, text, env)
    assert len(found) == len(faults)
    assert all(line.startswith(start) for line, start in zip(found, faults, strict=True))


@pytest.mark.parametrize(
    "text",
    [
        "token: SECRET SECRET",
        "token: 'SECRET\\n'",
        "token: [SECRET]",
        "token: {SECRET: SECRET}",
        "token: [[SECRET], {a: SECRET}]",
        "token: SECRET\ntoken: SECRET",
        "token: SECRET é\ntoken: [SECRET]\nlog: 5",
        "token: Bearer SECRET",
        "tokne: SECRET",
        "SECRET: x",
        "token:SECRET",
        "token SECRET\nlog: {}",
        "SECRET",
        "- SECRET",
        "token_file: SECRET",
        "log: {level: SECRET}",
        "url: https://SECRET@lichess.org",
        "url: https://me:SECRET@lichess.org",
        "strategy: SECRET",
        "token: SECRET\ntoken_file: x",
        "token: SECRET\nlog: 5",
        'token: "SECRET',
        "token: *SECRET",
        "token: !SECRET x",
        "token: SECRET: x",
        "token: 'SECRET'x",
        f"token: {'SECRET' * 50}",
    ],
)
def test_a_token_is_in_no_fault_traceback_or_log(
    file: Path, text: str, caplog: pytest.LogCaptureFixture
) -> None:
    with pytest.raises(ConfigError) as caught:
        load_text(file, text.replace("SECRET", TOKEN))
    logging.getLogger("test").error("refused", exc_info=caught.value)
    told = [str(caught.value), repr(caught.value), caplog.text, *traceback.format_exception(caught.value)]
    assert TOKEN[4:] not in "".join(told)
    assert caught.value.__context__ is None, "the errors of the libraries hold the values they complain of"


def test_a_numeric_token_is_not_shown_either(file: Path) -> None:
    for text in ("token: 123456789123\nlog: 5", "token: [123456789123]", "token: 123456789123é"):
        assert "123456789123" not in "".join(refusal(file, text))


def test_a_token_is_in_nothing_that_is_loaded(file: Path) -> None:
    file.write_text(f"token: {TOKEN}")
    file.chmod(0o644)
    loaded = load(file, {"LICHESS_BOT_TOKEN": TOKEN})
    assert loaded.warnings
    assert TOKEN[4:] not in repr(loaded) + str(loaded.settings)


def test_a_file_open_to_everybody_is_warned_of_if_it_holds_a_token(file: Path) -> None:
    secret = file.parent / "secret"
    secret.write_text(TOKEN)
    secret.chmod(0o644)
    file.chmod(0o644)
    assert load_text(file, "token_file: secret").warnings == (
        f"{secret} holds a token and is open to every user of this machine: chmod 600 {secret}",
    )
    assert load_text(file, f"token: {TOKEN}").warnings == (
        f"{file} holds a token and is open to every user of this machine: chmod 600 {file}",
    )
    file.chmod(0o600)
    assert load_text(file, f"token: {TOKEN}").warnings == ()
