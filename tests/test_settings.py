from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import SecretStr, ValidationError

from bot.settings import ChallengeSettings, GameSettings, Settings, StrategySettings, checked_url
from bot.strategies.contract import StrategySpec


def words_of(caught: pytest.ExceptionInfo[ValidationError]) -> list[str]:
    return [f"{'.'.join(map(str, each['loc']))}: {each['msg']}" for each in caught.value.errors()]


def test_settings_need_no_file() -> None:
    settings = Settings()
    assert settings.strategy == StrategySettings(name="compiled")
    assert settings.fallback == StrategySettings(name="classical")
    assert settings.token is None
    assert settings.challenge.variants == ("standard",)


def test_settings_are_frozen() -> None:
    with pytest.raises(ValidationError, match="frozen"):
        Settings().games.max_simultaneous = 9


def test_options_are_not_shared() -> None:
    assert StrategySettings(name="random").options is not StrategySettings(name="random").options


@pytest.mark.parametrize(
    ("value", "name", "options"),
    [
        ("select_move", "select_move", {}),
        ("random:seed=7", "random", {"seed": 7}),
        ("mine.players:Player:depth=3,style=calm", "mine.players:Player", {"depth": 3, "style": "calm"}),
        ("./bot.py", "./bot.py", {}),
        ({"name": "random", "options": {"seed": True}}, "random", {"seed": True}),
    ],
)
def test_a_strategy_has_a_short_form(value: Any, name: str, options: dict[str, object]) -> None:
    assert StrategySettings.model_validate(value) == StrategySettings.model_construct(
        name=name, options=options
    )


@pytest.mark.parametrize(
    ("value", "says"),
    [
        ("selct_move", "did you mean 'select_move'"),
        ("", "no strategy is named"),
        ({"name": "random:seed=7"}, "options go under the key options"),
        ({}, "Field required"),
        ({"name": "random", "options": {"seed": None}}, "valid"),
        ({"name": "random", "options": {"seed": [1]}}, "valid"),
        (5, "valid dictionary"),
    ],
)
def test_a_strategy_that_cannot_be(value: Any, says: str) -> None:
    with pytest.raises(ValidationError) as caught:
        StrategySettings.model_validate(value)
    assert says in words_of(caught)[0]


def test_a_strategy_is_looked_for_in_the_folder_of_the_file() -> None:
    folder = Path("/etc/bot")
    assert StrategySettings(name="random", options={"seed": 7}).spec(folder) == StrategySpec(
        "random", (("seed", 7),), ("/etc/bot",)
    )
    assert StrategySettings(name="mine/play.py").spec(folder).name == "/etc/bot/mine/play.py"
    assert StrategySettings(name="/opt/play.py").spec(folder).name == "/opt/play.py"
    assert StrategySettings(name="mine:play").spec(folder).name == "mine:play"


@pytest.mark.parametrize("name", ["base_s", "increment_s", "days", "rating"])
def test_a_range_may_be_one_value_but_not_upside_down(name: str) -> None:
    ChallengeSettings.model_validate({f"min_{name}": 5, f"max_{name}": 5})
    with pytest.raises(ValidationError) as caught:
        ChallengeSettings.model_validate({f"min_{name}": 5, f"max_{name}": 4})
    assert words_of(caught) == [f"max_{name}: Value error, expected at least min_{name}, which is 5"]


@pytest.mark.parametrize("name", ["base_s", "increment_s", "days", "rating"])
def test_a_minimum_alone_never_exceeds_the_maximum(name: str) -> None:
    highest = ChallengeSettings.model_fields[f"max_{name}"].default
    assert ChallengeSettings.model_validate({f"min_{name}": highest}) is not None
    with pytest.raises(ValidationError):
        ChallengeSettings.model_validate({f"min_{name}": highest + 1})


def test_exact_time_controls_must_be_possible() -> None:
    assert ChallengeSettings(time_controls=("3+2", "½+0", "10+0")).time_controls == ("3+2", "½+0", "10+0")
    with pytest.raises(ValidationError) as caught:
        ChallengeSettings(
            speeds=("blitz",), min_base_s=200, max_increment_s=1, time_controls=("3+2", "4+0", "1+0")
        )
    assert words_of(caught) == [
        "time_controls: Value error, 3+2 is outside of min_base_s to max_base_s, 200 to 10800; "
        "3+2 is outside of min_increment_s to max_increment_s, 0 to 1; "
        "1+0 is bullet, which is not among the speeds; "
        "1+0 is outside of min_base_s to max_base_s, 200 to 10800"
    ]


@pytest.mark.parametrize("text", ["0+0", "¼+0", "0.25+0"])
def test_ultrabullet_is_no_time_control_for_bots(text: str) -> None:
    with pytest.raises(ValidationError, match="expected no ultraBullet"):
        ChallengeSettings(time_controls=(text,))


def test_nobody_is_both_allowed_and_blocked() -> None:
    with pytest.raises(ValidationError, match="Rival, RIVAL: in allow_users too"):
        ChallengeSettings(allow_users=("rival",), block_users=("Rival", "other", "RIVAL"))


@pytest.mark.parametrize("name", ["", "x", "a b", "@rival", "rival\n", "é" * 3, "x" * 31])
def test_what_is_no_user_name(name: str) -> None:
    with pytest.raises(ValidationError, match="expected a Lichess user name"):
        ChallengeSettings(block_users=(name,))


@pytest.mark.parametrize("value", [True, "4", 4.0, None, 0, 101])
def test_numbers_are_whole_and_within_their_limits(value: Any) -> None:
    with pytest.raises(ValidationError):
        GameSettings.model_validate({"max_simultaneous": value})


@pytest.mark.parametrize(
    "token", ["SECRET token", "SECRET" * 100, ["SECRET"], {"SECRET": 1}, b"SECRET", SecretStr("SECRET é")]
)
def test_a_token_is_never_told(token: Any) -> None:
    with pytest.raises(ValidationError) as caught:
        Settings.model_validate({"token": token, "games": {"max_simultaneous": 0}})
    assert "SECRET" not in str(caught.value)
    assert "SECRET" not in repr(caught.value)


def test_a_token_is_not_in_the_repr_of_the_settings() -> None:
    settings = Settings(token=SecretStr(" lip_SECRET\n"))
    assert settings.token is not None
    assert settings.token.get_secret_value() == "lip_SECRET"
    assert "SECRET" not in repr(settings) + str(settings) + settings.model_dump_json() + str(
        settings.model_dump()
    )


def test_a_token_has_one_source() -> None:
    with pytest.raises(ValidationError, match="token is given as well"):
        Settings(token=SecretStr("lip_abc"), token_file="token")


@pytest.mark.parametrize(
    ("url", "checked"),
    [
        ("https://lichess.org", "https://lichess.org"),
        ("https://lichess.org/", "https://lichess.org"),
        ("https://lichess.dev:8443", "https://lichess.dev:8443"),
        ("http://localhost:8080", "http://localhost:8080"),
        ("http://127.0.0.1:1", "http://127.0.0.1:1"),
        ("http://127.8.9.1", "http://127.8.9.1"),
        ("http://[::1]:80/", "http://[::1]:80"),
        ("http://lila.localhost", "http://lila.localhost"),
    ],
)
def test_addresses(url: str, checked: str) -> None:
    assert checked_url(url) == checked
    assert Settings(url=url).url == checked


@pytest.mark.parametrize(
    ("url", "says"),
    [
        ("lichess.org", "expected an address such as https://lichess.org"),
        ("", "expected an address"),
        ("ftp://lichess.org", "expected an address"),
        ("https://", "expected an address"),
        ("https://:80", "expected an address"),
        ("https://lichess.org:0", "expected an address"),
        ("https://lichess.org:65536", "expected an address"),
        ("https://[lichess.org", "expected an address"),
        ("https://lichess.org\n", "expected an address"),
        ("https://liche ss.org", "expected an address"),
        ("https://evil.org\\@lichess.org", "expected an address"),
        ("https://lichess.org/api", "expected no path, as the API client would drop it: https://lichess.org"),
        ("https://lichess.org?a=b", "expected no path"),
        ("https://lichess.org#a", "expected no path"),
        ("https://me:pw@lichess.org", "expected no user or password"),
        ("http://lichess.org", "expected https://"),
        ("http://localhost.evil.org", "expected https://"),
        ("http://192.168.0.1", "expected https://"),
        ("http://0.0.0.0:80", "expected https://"),
    ],
)
def test_addresses_that_no_token_is_sent_to(url: str, says: str) -> None:
    with pytest.raises(ValueError, match=says.replace("?", r"\?")):
        checked_url(url)


@given(st.one_of(st.text(), st.text().map("https://{}".format), st.from_regex(r"https?://[!-~]{0,20}")))
def test_any_address_is_checked_once_and_for_all(url: str) -> None:
    try:
        checked, said = checked_url(url), ""
    except ValueError as error:
        checked, said = "https://lichess.org", str(error)
    assert checked_url(checked) == checked
    assert not said or said.startswith("expected ")
