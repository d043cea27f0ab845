from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import BaseModel

from bot.config import load, parse
from bot.config_schema import ROOT
from bot.errors import ConfigError
from bot.settings import Settings, StrategySettings

TOKEN = "lip_Ab12Cd34Ef56Gh78"


def faults_of(text: str) -> list[str]:
    with pytest.raises(ConfigError) as caught:
        parse(text)
    assert all(line.isprintable() for line in caught.value.faults)
    return list(caught.value.faults)


def fault_of(text: str) -> str:
    faults = faults_of(text)
    assert len(faults) == 1, faults
    return faults[0]


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "config.yml"
    path.touch(mode=0o600)
    return path


# --- what is accepted -------------------------------------------------------------------------------------


def test_a_token_and_a_strategy_are_enough(file: Path) -> None:
    file.write_text(f"token: {TOKEN}\nstrategy: compiled\n")
    loaded = load(file, {})
    assert loaded.settings.token is not None
    assert loaded.settings.token.get_secret_value() == TOKEN
    assert loaded.settings.model_copy(update={"token": None}) == Settings()
    assert loaded.warnings == ()
    assert loaded.folder == file.parent


def test_every_kind_of_value() -> None:
    settings = parse(
        """
        url: http://localhost:8080/
        strategy: {name: random, options: {seed: 7, style: "7", share: 0.5, calm: yes}}
        fallback: random:seed=3
        challenge:
          variants: [standard, kingOfTheHill]
          time_controls: [3+2, ½+0]
          speeds:
          - bullet
          - blitz
          unlimited: on
          min_rating: 1500
        games:
        log: {level: debug}
        """
    )
    assert settings == Settings.model_validate(
        {
            "url": "http://localhost:8080",
            "strategy": {"name": "random", "options": {"seed": 7, "style": "7", "share": 0.5, "calm": True}},
            "fallback": {"name": "random", "options": {"seed": 3}},
            "challenge": {
                "variants": ("standard", "kingOfTheHill"),
                "time_controls": ("3+2", "½+0"),
                "speeds": ("bullet", "blitz"),
                "unlimited": True,
                "min_rating": 1500,
            },
            "log": {"level": "debug"},
        }
    )
    assert type(settings.strategy.options["calm"]) is bool
    assert type(settings.strategy.options["seed"]) is int


@pytest.mark.parametrize(("word", "value"), [("yes", True), ("On", True), ("no", False), ("OFF", False)])
def test_yes_and_no_are_true_and_false(word: str, value: bool) -> None:
    assert parse(f"challenge: {{unlimited: {word}}}").challenge.unlimited is value


def test_text_is_what_was_written_whatever_it_looks_like() -> None:
    settings = parse("challenge: {block_users: [no, 1234, 1e5, '0x10', 12:30 ]}".replace("12:30 ", "on"))
    assert settings.challenge.block_users == ("no", "1234", "1e5", "0x10", "on")
    assert parse("token: 0123").token is not None


def test_a_bare_heading_means_the_defaults() -> None:
    assert parse("challenge:\n  # min_rating: 1500\ngames:\n") == Settings()


@pytest.mark.parametrize(
    "text", ["{}", "---\nlog: {}\n...\n", "\ufefflog: {}", "log: {}\r\n\r\ntime: {}\r\n"]
)
def test_files_of_all_habits(text: str) -> None:
    assert parse(text) == Settings()


# --- faults -----------------------------------------------------------------------------------------------


def test_every_fault_is_told_at_once_in_the_order_of_the_file() -> None:
    text = """\
url: https://lichess.org/api
tokne: lip_Ab12Cd34Ef56Gh78
strategy: selct_move
fallback:
  options: {seed: 1, x: null}
challenge:
  variants: standard
  speeds: [blitz, Bulet, ultraBullet]
  min_base_s: "60"
  max_base_s: abc
  min_increment_s: true
  max_increment_s: 3.5
  min_days: 5
  max_days: 2
  time_controls: [3+2, 7]
  unlimited: 1
  modes: []
  min_rating: 4001
  allow_users: ["a b"]
  maxrating: 5
  level: debug
max_rating: 5
games:
  max_simultaneous:
  max_simultaneous: 3
time: 5
log: [x]
"""
    assert faults_of(text) == [
        'config.yml:1: url: found "https://lichess.org/api", expected no path, as the API client would '
        "drop it: https://lichess.org",
        'config.yml:2: tokne: unknown key (did you mean "token"?)',
        "config.yml:3: strategy: unknown strategy 'selct_move' (did you mean 'select_move'?); "
        + faults_of("strategy: selct_move")[0].partition("; ")[2],
        "config.yml:4: fallback: found no name, expected the name of a strategy",
        "config.yml:5: fallback.options.x: found nothing, expected text, a number, true or false",
        'config.yml:7: challenge.variants: found "standard", expected a list such as [standard], of one '
        "or more of standard, chess960, fromPosition, crazyhouse, antichess, atomic, horde, kingOfTheHill, "
        "racingKings, threeCheck",
        'config.yml:8: challenge.speeds: found "Bulet", expected one of bullet, blitz, rapid, classical, '
        'correspondence (did you mean "bullet"?)',
        'config.yml:8: challenge.speeds: found "ultraBullet", expected one of bullet, blitz, rapid, '
        'classical, correspondence (did you mean "bullet"?)',
        'config.yml:9: challenge.min_base_s: found "60", expected a whole number of seconds from 0 to 10800, '
        "without quotes",
        'config.yml:10: challenge.max_base_s: found "abc", expected a whole number of seconds '
        "from 0 to 10800",
        "config.yml:11: challenge.min_increment_s: found true, expected a whole number of seconds "
        "from 0 to 180",
        "config.yml:12: challenge.max_increment_s: found 3.5, expected a whole number of seconds "
        "from 0 to 180",
        "config.yml:14: challenge.max_days: found 2, expected at least min_days, which is 5",
        "config.yml:15: challenge.time_controls: found 7, expected MINUTES+SECONDS such as 3+2 or 0.5+1",
        "config.yml:16: challenge.unlimited: found 1, expected true or false",
        "config.yml:17: challenge.modes: found an empty list, expected a list such as [casual], of one or "
        "more of casual, rated",
        "config.yml:18: challenge.min_rating: found 4001, expected a whole number from 0 to 4000",
        'config.yml:19: challenge.allow_users: found "a b", expected a Lichess user name: letters, '
        "digits, _ and -",
        'config.yml:20: challenge.maxrating: unknown key (did you mean "max_rating"?)',
        "config.yml:21: challenge.level: unknown key here: it belongs under log",
        "config.yml:22: max_rating: unknown key here: it belongs under challenge",
        "config.yml:24: games.max_simultaneous: found nothing, expected a whole number from 1 to 100",
        "config.yml:25: games.max_simultaneous: found twice: the first is in line 24",
        "config.yml:26: time: found 5, expected a mapping of move_overhead_ms",
        "config.yml:27: log: found a list, expected a mapping of level",
    ]


def test_items_of_a_list_have_their_own_lines() -> None:
    text = "challenge:\n  variants:\n    - standard\n    - Chess-960\n    - [horde]\n"
    faults = faults_of(text)
    assert [line.split(": ")[0] for line in faults] == ["config.yml:4", "config.yml:5"]
    assert faults[0].endswith('(did you mean "chess960"?)')
    assert "found a list" in faults[1]


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("", "config.yml:1: found nothing, expected lines of `key: value`"),
        ("# token: x\n", "config.yml:1: found nothing, expected lines of `key: value`"),
        ("\n- token: x\n", "config.yml:2: found a list, expected lines of `key: value`"),
        ("token", "config.yml:1: found text only, expected lines of `key: value`"),
        ("token:lip_abc", "config.yml:1: found text only"),
        ("challenge:\n\tunlimited: true", "config.yml:2: found a tab, expected spaces"),
        ("log: {}\n---\nlog: {}", "config.yml:2: found a second document"),
        ("log: {}\ntime: \x00", "config.yml:2: found the character U+0000"),
        ("log: &a {}\ntime: *a", "config.yml:1: log: found an anchor or alias"),
        ("token: !!python/name:os.system x", "config.yml:1: token: found a tag"),
        ("? [a]\n: b", "config.yml:1: found a list or mapping for a key"),
        ("1: 2", "config.yml:1: 1: unknown key, expected one of url, token, token_file, strategy"),
        ("log:\n  level: INFO", 'config.yml:2: log.level: found "INFO", expected one of debug, info,'),
        ("strategy:", "config.yml:1: strategy: found nothing, expected the name of a strategy, or a mapping"),
        ("strategy: [x]", "config.yml:1: strategy: found a list, expected the name of a strategy"),
        (
            "strategy: {name: [x]}",
            "config.yml:1: strategy.name: found a list, expected the name of a strategy",
        ),
        ("strategy: 5", "config.yml:1: strategy: unknown strategy '5'"),
        (
            "strategy: {name: random, options: [x]}",
            "config.yml:1: strategy.options: found a list, expected a mapping",
        ),
        ("token_file: [x]", "config.yml:1: token_file: found a list, expected the name of a file"),
        ("token_file: ''", 'config.yml:1: token_file: found "", expected the name of a file'),
        ("url: http://lichess.org", 'config.yml:1: url: found "http://lichess.org", expected https://'),
        ("games: {max_simultaneous: 010}", 'found "010", expected a whole number from 1 to 100'),
        ("games: {max_simultaneous: 1:30}", 'found "1:30", expected a whole number from 1 to 100'),
        ("games: {stop_deadline_s: 1.0}", "found 1.0, expected a whole number of seconds from 0 to 86400"),
        ("time: {move_overhead_ms: -1}", "found -1, expected a whole number of milliseconds from 0 to 10000"),
        ("challenge: {max_days: 15}", "found 15, expected a whole number of days from 1 to 14"),
        ("challenge: {unlimited: 'yes'}", 'found "yes", expected true or false, without quotes'),
        ("challenge: {unlimited: y}", 'found "y", expected true or false'),
    ],
)
def test_each_fault_says_where_what_and_what_instead(text: str, fault: str) -> None:
    assert fault in fault_of(text)


def test_long_values_and_keys_are_cut_to_one_line() -> None:
    fault = fault_of(f"log:\n  level: |\n    {'x' * 500}\n    y\n")
    assert len(fault) < 200
    assert len(fault_of(f"{'k' * 1_000}: 1")) < 300


def keys_of(model: type[BaseModel]) -> Iterator[tuple[str, ...]]:
    for name, field in model.model_fields.items():
        yield (name,)
        if isinstance(field.annotation, type) and issubclass(field.annotation, BaseModel):
            yield from ((name, *below) for below in keys_of(field.annotation))


@pytest.mark.parametrize("path", [path for path in keys_of(Settings) if path[-1] != "options"], ids=".".join)
def test_every_key_refuses_what_it_does_not_take(path: tuple[str, ...]) -> None:
    text = "".join(f"{'  ' * depth}{key}:\n" for depth, key in enumerate(path))
    fault = fault_of(f"{text}{'  ' * len(path)}- [{{secret: 1}}]\n")
    assert f": {'.'.join(path)}: found " in fault
    assert "expected " in fault
    assert "secret" not in fault


@given(st.text(st.sampled_from("tokenlpi_:-[]{}&*!|>'\"#,\n\t 09.é"), max_size=60))
def test_any_text_is_settings_or_faults(text: str) -> None:
    try:
        parse(text, "x.yml")
    except ConfigError as error:
        faults = error.faults
    else:
        return
    assert faults
    assert all(line.isprintable() and line.startswith("x.yml:") for line in faults)


YAML = st.recursive(
    st.one_of(
        st.integers(-3, 20_000).map(str),
        st.sampled_from(["true", "'x'", "~", "3+2", "blitz", "standard", "1.5"]),
    ),
    lambda below: st.one_of(
        st.lists(below, max_size=3).map(lambda items: f"[{', '.join(items)}]"),
        st.dictionaries(
            st.sampled_from([key for path in keys_of(Settings) for key in path]), below, max_size=3
        ).map(lambda entries: "{" + ", ".join(f"{key}: {value}" for key, value in entries.items()) + "}"),
    ),
    max_leaves=8,
)


@given(st.lists(st.tuples(st.sampled_from(list(ROOT.keys)), YAML), min_size=1, max_size=4))
def test_any_value_under_any_key_is_settings_or_faults(entries: list[tuple[str, str]]) -> None:
    try:
        parse("\n".join(f"{key}: {value}" for key, value in entries))
    except ConfigError as error:
        faults = error.faults
    else:
        return
    assert faults
    assert all(line.startswith("config.yml:") and ": " in line for line in faults)


# --- files ------------------------------------------------------------------------------------------------


def test_a_file_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(
        ConfigError, match=r"none\.yml: found no such file, expected a copy of config\.yml\.example"
    ):
        load(tmp_path / "none.yml", {})


def test_a_folder(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="found a folder, expected a YAML file"):
        load(tmp_path, {})


@pytest.mark.skipif(
    not hasattr(os, "geteuid") or os.geteuid() == 0, reason="the superuser may read every file"
)
def test_a_file_that_may_not_be_read(file: Path) -> None:
    file.chmod(0)
    with pytest.raises(ConfigError, match="this account may not read"):
        load(file, {})


@pytest.mark.parametrize("name", ["a\0b", "x" * 5_000])
def test_a_name_that_no_file_can_have(tmp_path: Path, name: str) -> None:
    with pytest.raises(ConfigError, match="found a file that cannot be read"):
        load(tmp_path / name, {})


def test_a_file_that_is_not_utf_8(file: Path) -> None:
    file.write_bytes(b"log: {}\nurl: \xe9\n")
    with pytest.raises(ConfigError) as caught:
        load(file, {})
    assert caught.value.faults == (f"{file}:2: found the byte 0xe9, expected text in UTF-8",)


def test_a_huge_file_is_not_read_to_its_end(file: Path) -> None:
    with file.open("wb") as huge:
        huge.truncate(1 << 40)
    with pytest.raises(ConfigError, match="this is no configuration"):
        load(file, {})


def test_settings_say_nothing_of_a_strategy_that_they_cannot_know() -> None:
    """Modules and scripts are looked for by `check` and when they are loaded, not here."""
    assert parse("strategy: mine.bots:play").strategy == StrategySettings(name="mine.bots:play")
    assert parse("strategy: bots/mine.py").strategy == StrategySettings(name="bots/mine.py")
