from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.access_token import (
    VARIABLE,
    TokenError,
    exposed,
    read_token,
    token_from_environment,
    token_from_file,
)


def test_a_token_may_be_long_and_have_white_space_around_it() -> None:
    longest = "lip_" + "A9" * 254
    assert len(longest) == 512
    assert read_token(f" {longest}\r\n").get_secret_value() == longest
    with pytest.raises(TokenError, match="found 513 characters, expected a token of at most 512"):
        read_token(longest + "x")


@pytest.mark.parametrize("text", ["", "  \n"])
def test_an_empty_token_is_told_how_to_make_one(text: str) -> None:
    with pytest.raises(
        TokenError, match=r"the token is empty; make one with the scope bot:play at https://lichess\.org"
    ):
        read_token(text)


@pytest.mark.parametrize(
    "text", ["lip_YourTokenHere", "your_api_token", "xxxxxxxxxxxxxxxxxx", "lip_token_here"]
)
def test_a_placeholder_is_no_token(text: str) -> None:
    with pytest.raises(TokenError, match=r"placeholder of a token; make one with the scope bot:play"):
        read_token(text)


@pytest.mark.parametrize(
    "text", ["lip SECRET", "Bearer SECRET", "SECRET-SECRET", "SECRET\nSECRET", "SECRETé", "<SECRET>"]
)
def test_a_malformed_token_is_not_shown(text: str) -> None:
    with pytest.raises(TokenError, match="letters, digits and _ only") as caught:
        read_token(text)
    assert "SECRET" not in str(caught.value)


@given(st.from_regex(r"[A-WYZa-su-wyz0-9]{1,60}", fullmatch=True))  # no x, no t: no placeholders
def test_a_token_is_not_in_its_own_repr(text: str) -> None:
    token = read_token(f"lip_{text}")
    assert f"lip_{text}" not in repr(token) + str(token)
    assert token.get_secret_value() == f"lip_{text}"


def test_a_blank_variable_counts_as_unset() -> None:
    assert token_from_environment({}) is None
    assert token_from_environment({VARIABLE: " "}) is None
    found = token_from_environment({VARIABLE: "lip_abc\n"})
    assert found is not None
    assert (found.token.get_secret_value(), found.source, found.file) == ("lip_abc", VARIABLE, None)


@pytest.mark.parametrize("name", ["token", "./token", "${PLACE}/token", "$PLACE/token", "~/token"])
def test_a_token_file_is_found(tmp_path: Path, name: str) -> None:
    (tmp_path / "token").write_bytes(b"\xef\xbb\xbflip_abc\r\n")
    found = token_from_file(name, tmp_path, {"PLACE": str(tmp_path), "HOME": str(tmp_path)})
    assert found.token.get_secret_value() == "lip_abc"
    assert found.file is not None
    assert found.file.samefile(tmp_path / "token")


@pytest.mark.parametrize(
    ("content", "says"),
    [
        (b"", "in the file it names: the token is empty"),
        (b"lip_SECRET\nlip_SECRET2\n", "in the file it names: found a value that is not shown"),
        (b"\xff\xfeSECRET", "in the file it names: found a value that is not shown"),
        (b"lip_SECRET" * 1_000, "in the file it names: found a value that is not shown"),
    ],
)
def test_what_a_token_file_holds_is_not_shown(tmp_path: Path, content: bytes, says: str) -> None:
    (tmp_path / "token").write_bytes(content)
    with pytest.raises(TokenError) as caught:
        token_from_file("token", tmp_path, {})
    assert str(caught.value).startswith(says)
    assert "SECRET" not in str(caught.value)


@pytest.mark.parametrize(
    ("name", "says"),
    [
        ("lip_SECRET", "no file of that name"),
        ("nowhere/token", "no file of that name"),
        (".", "found a folder"),
        ("${UNSET}/token", "environment variable UNSET that it names is not set"),
        ("$BLANK/token", "environment variable BLANK that it names is not set"),
        ("a\0b", "cannot be read"),
        ("x" * 5_000, "cannot be read"),
    ],
)
def test_a_token_file_that_is_not_there(tmp_path: Path, name: str, says: str) -> None:
    with pytest.raises(TokenError, match=says) as caught:
        token_from_file(name, tmp_path, {"BLANK": ""})
    assert "SECRET" not in str(caught.value)


@pytest.mark.parametrize(
    ("mode", "is_exposed"), [(0o600, False), (0o640, False), (0o644, True), (0o602, True), (0o400, False)]
)
def test_a_file_open_to_everybody_is_exposed(tmp_path: Path, mode: int, is_exposed: bool) -> None:
    file = tmp_path / "token"
    file.touch()
    file.chmod(mode)
    assert exposed(file) is is_exposed
    assert not exposed(tmp_path / "none")
