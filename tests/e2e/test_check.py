"""`knightshift check`: a tick for what is well; for what is not, a cross and the way to mend it."""

from __future__ import annotations

import re
import shutil
import socket
from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import Any

import pytest

from bot.local_lichess import LocalLichess
from tests.e2e import faulty_strategies
from tests.e2e.kit import Program, run_to_end, write_config


@dataclass(frozen=True)
class Case:
    """A configuration with something wrong, and what is said of it: each cross, and the line after it."""

    exit_code: int
    crosses: tuple[tuple[str, str], ...]
    settings: dict[str, Any] = field(default_factory=dict)
    account: str = "Knight"


CLOSED = "an address where nobody listens"
MEND = "mend the strategy; until then the fallback plays for it"

CASES = {
    "configuration": Case(
        2,
        (
            (r"configuration +config\.yml:3: stratgy: unknown key \(did you mean .strategy.\?\)", ""),
            (r"configuration +config\.yml:4: fallback: .*randon", r"config\.yml\.example explains every key"),
        ),
        {"stratgy": "random", "fallback": "randon"},
    ),
    "no token": Case(
        2,
        ((r"configuration +config\.yml: token: found none, .*LICHESS_BOT_TOKEN", r"config\.yml\.example"),),
        {"token": None},
    ),
    "a strategy that raises, and one that plays twice": Case(
        1,
        (
            (r"strategy +faulty:raises: faulty\.py:\d+ in raises: ValueError: no idea what to play", MEND),
            (r"fallback +faulty:plays_twice: play_move\(\S+\): \w+ was played already in this turn", MEND),
        ),
        {"strategy": "faulty:raises", "fallback": "faulty:plays_twice"},
    ),
    "a strategy that dies, and one that is not there": Case(
        1,
        (
            (r"strategy +faulty:dies: its process ended with exit code 7; last words: these are my .*", MEND),
            (r"fallback +nowhere:play: .*no module 'nowhere'; looked in: ", MEND),
        ),
        {"strategy": "faulty:dies", "fallback": "nowhere:play"},
    ),
    "a strategy with an afterthought, and one without a move": Case(
        1,
        (
            (
                r"strategy +faulty:plays_and_raises plays \w+, but then: faulty\.py:\d+ in \w+: Value",
                "mend the strategy; its move was played",
            ),
            (r"fallback +faulty:returns: the strategy returned without calling play_move", MEND),
        ),
        {"strategy": "faulty:plays_and_raises", "fallback": "faulty:returns"},
    ),
    "network": Case(
        1,
        ((r"network +.*Connection refused", r"is http://127\.0\.0\.1:\d+ right, .*curl -I"),),
        {"url": CLOSED},
    ),
    "token": Case(
        3,
        ((r"token +.* does not know this token", r"Make a new one at http://"),),
        {"token": "lip_unknown"},
    ),
    "scope": Case(
        3,
        ((r"token +.*noscope lacks the scope bot:play", r"Make one with it at "),),
        account="Noscope",
    ),
    "account": Case(
        3,
        ((r"account +Person is no BOT account yet", r"cannot be undone.*knightshift run --upgrade"),),
        account="Person",
    ),
    "account that has played": Case(
        3,
        ((r"account +Veteran is no BOT account.* 12 games", r"Register a new account"),),
        account="Veteran",
    ),
}


@dataclass(frozen=True)
class World:
    token: str  # of the account with which all is well
    checks: dict[str, Future[Program]]


@pytest.fixture(scope="module")
def world(tmp_path_factory: pytest.TempPathFactory) -> Iterator[World]:
    """Everything is checked a few at a time: each of the checks mostly waits for its processes to start."""
    with LocalLichess() as server, ThreadPoolExecutor(3) as pool:
        tokens = {
            "Knight": server.add_account("Knight", title="BOT").token,
            "Noscope": server.add_account("Noscope", title="BOT", scopes=("challenge:read",)).token,
            "Person": server.add_account("Person", scopes=("bot:play",)).token,
            "Veteran": server.add_account("Veteran", scopes=("bot:play",)).token,
        }
        server.lobby.accounts.get("Veteran").games = 12
        server.lobby.accounts.get("Veteran").draws = 12
        with socket.create_server(("127.0.0.1", 0)) as probe:
            closed = f"http://127.0.0.1:{probe.getsockname()[1]}"

        def check(*options: str, mode: int = 0o600, **settings: Any) -> Future[Program]:
            folder = tmp_path_factory.mktemp("check")
            if settings:
                write_config(folder, mode=mode, **settings)
            shutil.copy(faulty_strategies.__file__, folder / "faulty.py")
            return pool.submit(run_to_end, "check", *options, cwd=folder)

        here: dict[str, Any] = {"url": server.url, "token": tokens["Knight"]}
        checks = {
            "well": check(**here),
            "several": check(mode=0o644, url=server.url, token="lip_unknown", strategy="faulty:raises"),
            "missing": check(),
            "offline": check("--offline", strategy="random"),
            "offline, strategy": check("--offline", strategy="nowhere:play"),
        }
        for name, case in CASES.items():
            settings = {**here, "token": tokens[case.account], **case.settings}
            if settings["url"] == CLOSED:
                settings["url"] = closed
            checks[name] = check(**{key: value for key, value in settings.items() if value is not None})
        yield World(tokens["Knight"], checks)


@pytest.mark.parametrize("name", CASES)
def test_what_is_wrong_has_a_cross_a_way_to_mend_it_and_an_exit_code(world: World, name: str) -> None:
    case, ended = CASES[name], world.checks[name].result()
    assert ended.exit_code() == case.exit_code
    assert ended.logged == []
    found = [number for number, line in enumerate(ended.printed) if line.startswith(" ✗ ")]
    assert len(found) == len(case.crosses), ended.stdout
    for number, (cross, mend) in zip(found, case.crosses, strict=True):
        assert re.match(f" ✗ {cross}", ended.printed[number]), ended.printed[number]
        if mend:
            assert re.match(f"   → .*{mend}", ended.printed[number + 1]), ended.printed[number + 1]


def test_all_is_well(world: World) -> None:
    ended = world.checks["well"].result()
    assert ended.exit_code() == 0
    ticks = [re.match(r" ✓ (\w+) ", line) for line in ended.printed]
    assert [tick and tick[1] for tick in ticks] == [
        "configuration",
        "strategy",
        "fallback",
        "network",
        "token",
        "account",
    ]
    assert world.token not in ended.stdout


def test_several_faults_are_all_told_and_the_gravest_counts(world: World) -> None:
    ended = world.checks["several"].result()
    assert ended.exit_code() == 3
    assert [line.split()[1] for line in ended.printed if "✗" in line] == ["strategy", "token"]
    assert any(
        line.startswith("   ! config.yml holds a token and is open to every") for line in ended.printed
    )


def test_a_missing_file(world: World) -> None:
    ended = world.checks["missing"].result()
    assert ended.exit_code() == 2
    assert ended.printed[0].startswith(" ✗ configuration  config.yml: found no such file")


def test_offline_needs_neither_a_server_nor_a_token(world: World) -> None:
    ended = world.checks["offline"].result()
    assert ended.exit_code() == 0
    assert [line[:3] for line in ended.printed] == [" ✓ ", " ✓ ", " ✓ ", " - "]
    assert "not checked (--offline)" in ended.printed[-1]


def test_offline_still_finds_a_strategy_that_fails(world: World) -> None:
    assert world.checks["offline, strategy"].result().exit_code() == 1
