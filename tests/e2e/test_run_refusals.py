"""`knightshift run` where it cannot serve: it ends, with an exit code and a clear line for each reason."""

from __future__ import annotations

import re
from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from bot.local_lichess import AccountHandle, LocalLichess
from tests.e2e.kit import Program, run_to_end, write_config


@dataclass(frozen=True)
class Case:
    """Who tries to serve, and what it is told."""

    exit_code: int
    lines: tuple[str, ...]  # all that is logged
    account: str = ""
    token: str = ""
    options: tuple[str, ...] = ()
    config: str | None = None  # the whole file instead
    stdin: str | None = None
    env: dict[str, str] = field(default_factory=dict)


MEANING = r"Upgrading turns the account into a BOT account\. This cannot be undone: .*"
ASKED = r"Make Person a BOT account for ever\? \[y/N\]:"

CASES = {
    "an unknown token": Case(
        3,
        (
            r".* ERROR   http://\S+ does not know this token: .* Make a new one at http://\S+/oauth/token/create\?.*",
        ),
        token="lip_nobodyKnowsThis",
    ),
    "a token without the scope": Case(
        3,
        (r".* ERROR   the token of noscope lacks the scope bot:play \(it has: challenge:read\)\. Make.*",),
        account="Noscope",
    ),
    "no bot yet": Case(
        3,
        (r".* ERROR   Person is no BOT account yet\. .*This cannot be undone: .* knightshift run --upgrade",),
        account="Person",
    ),
    "no bot ever": Case(
        3,
        (r".* ERROR   Veteran is no BOT account, .*played 3 games.* Register a new account .*",),
        account="Veteran",
        options=("--upgrade", "--yes"),
    ),
    "upgrade, but no": Case(
        3,
        (MEANING, ASKED + r".* ERROR   Person is no BOT account yet\. .*"),
        account="Person",
        options=("--upgrade",),
        stdin="n\n",
    ),
    "upgrade, and no answer": Case(
        1, (MEANING, ASKED + r"Aborted\."), account="Person", options=("--upgrade",), stdin=""
    ),
    "upgrade, and nobody there": Case(
        1, (MEANING, ASKED + r"Aborted\."), account="Person", options=("--upgrade",)
    ),
    "many faults": Case(
        2,
        (
            r"config\.yml:1: url: .*",
            r"config\.yml:3: stratgy: unknown key .*",
            r"config\.yml:4: fallback: .*'randon'.*",
            r"config\.yml:6: challenge\.variants: .*",
            r"config\.yml:7: challenge\.max_base_s: .*",
            r"config\.yml:9: games\.max_simultaneous: .*",
        ),
        config="""\
url: https://lichess.org/api
token: lip_something
stratgy: random
fallback: randon
challenge:
  variants: [standard, chess]
  max_base_s: ten
games:
  max_simultaneous: 0
""",
    ),
    "no YAML at all": Case(2, (r"config\.yml:1: .*",), config="strategy: [random\nurl: {\n"),
    "no token": Case(
        2, (r"config\.yml: token: found none, .*LICHESS_BOT_TOKEN.*",), config="strategy: random\n"
    ),
    "no token in the file it names": Case(
        2, (r"config\.yml:1: token_file: found no file of that name.*",), config="token_file: nowhere\n"
    ),
    "a token that is none": Case(
        2,
        (r"(config\.yml: )?environment variable LICHESS_BOT_TOKEN: found a value that is not shown, .*",),
        config="strategy: random\n",
        env={"LICHESS_BOT_TOKEN": "a secret, with spaces"},
    ),
    "no file": Case(2, (r"config\.yml: found no such file, expected a copy of config\.yml\.example .*",)),
}


@pytest.fixture(scope="module")
def ended(
    tmp_path_factory: pytest.TempPathFactory,
) -> Iterator[tuple[LocalLichess, dict[str, Future[Program]]]]:
    """All the cases, a few at a time."""
    with LocalLichess() as server, ThreadPoolExecutor(3) as pool:
        accounts: dict[str, AccountHandle] = {
            "Noscope": server.add_account("Noscope", title="BOT", scopes=("challenge:read",)),
            "Person": server.add_account("Person", scopes=("bot:play",)),
            "Veteran": server.add_account("Veteran", scopes=("bot:play",)),
        }
        server.lobby.accounts.get("Veteran").games = 3
        server.lobby.accounts.get("Veteran").losses = 3

        def run(case: Case) -> Future[Program]:
            folder = tmp_path_factory.mktemp("refused")
            if case.config is not None:
                (folder / "config.yml").write_text(case.config)
            elif case.account or case.token:
                token = case.token or accounts[case.account].token
                write_config(folder, url=server.url, token=token)
            return pool.submit(run_to_end, "run", *case.options, cwd=folder, env=case.env, stdin=case.stdin)

        yield server, {name: run(case) for name, case in CASES.items()}


@pytest.mark.parametrize("name", CASES)
def test_it_ends_with_a_clear_line_for_each_reason(
    ended: tuple[LocalLichess, dict[str, Future[Program]]], name: str
) -> None:
    case, program = CASES[name], ended[1][name].result()
    assert program.exit_code() == case.exit_code, program.stderr
    assert len(program.logged) == len(case.lines), program.stderr
    for line, pattern in zip(program.logged, case.lines, strict=True):
        assert re.fullmatch(pattern, line), line


def test_nobody_became_a_bot(ended: tuple[LocalLichess, dict[str, Future[Program]]]) -> None:
    server, programs = ended
    for program in programs.values():
        program.result()
    assert not any(server.lobby.accounts.get(name).is_bot for name in ("Person", "Veteran"))


def test_no_token_is_shown(ended: tuple[LocalLichess, dict[str, Future[Program]]]) -> None:
    for name in CASES:
        program = ended[1][name].result()
        assert "lip_" not in program.stderr + program.stdout, name
        assert "secret" not in program.stderr + program.stdout, name


def test_a_configuration_elsewhere_is_named_as_it_was_given(tmp_path: Path) -> None:
    write_config(tmp_path / "elsewhere", speed="fast", token="lip_token")
    ended = run_to_end("run", "--config", "elsewhere/config.yml", cwd=tmp_path)
    assert ended.exit_code() == 2
    (line,) = ended.logged
    assert line.startswith("elsewhere/config.yml:1: speed: unknown key")
