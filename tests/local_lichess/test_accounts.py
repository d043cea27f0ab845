"""Who may do what, and the exact words when not."""

from __future__ import annotations

import random

import pytest

from bot.local_lichess.accounts import Account, Accounts
from bot.local_lichess.refusal import Refusal


@pytest.fixture
def accounts() -> Accounts:
    accounts = Accounts(random.Random(1))
    knight = accounts.add(Account("Knight", title="BOT"))
    accounts.issue(knight, ("bot:play", "challenge:read"), text="lip_knight")
    return accounts


def refusal_of(
    accounts: Accounts,
    authorization: str | None,
    *,
    user_agent: str = "",
    accepted: tuple[str, ...] = ("bot:play",),
    now_ms: int = 0,
) -> tuple[int, object]:
    with pytest.raises(Refusal) as caught:
        accounts.authenticate(authorization, user_agent, accepted, now_ms)
    return caught.value.status, caught.value.body["error"]


def test_a_good_token_names_its_account(accounts: Accounts) -> None:
    caller = accounts.authenticate("Bearer lip_knight", "curl/8", ("challenge:write", "bot:play"), 5)
    assert caller.account.id == "knight"
    assert caller.account.seen_at_ms == 5


def test_an_empty_list_of_scopes_accepts_any_token(accounts: Accounts) -> None:
    accounts.issue(accounts.get("knight"), (), text="lip_bare")
    assert accounts.authenticate("Bearer lip_bare", "", (), 0).token.scopes == ()


@pytest.mark.parametrize(
    ("authorization", "expected"),
    [
        (None, (401, "Missing authorization header")),
        ("Bearer lip_nobody", (401, "No such token")),
        ("Basic lip_knight", (401, "No such token")),
    ],
)
def test_a_bad_token(accounts: Accounts, authorization: str | None, expected: tuple[int, str]) -> None:
    assert refusal_of(accounts, authorization) == expected


def test_a_revoked_and_an_expired_token_are_no_tokens(accounts: Accounts) -> None:
    accounts.issue(accounts.get("knight"), ("bot:play",), text="lip_old", expires_at_ms=100)
    assert accounts.authenticate("Bearer lip_old", "", ("bot:play",), 99).token.text == "lip_old"
    assert refusal_of(accounts, "Bearer lip_old", now_ms=100) == (401, "No such token")
    accounts.revoke("lip_knight")
    assert refusal_of(accounts, "Bearer lip_knight") == (401, "No such token")


def test_a_missing_scope_names_what_is_accepted(accounts: Accounts) -> None:
    assert refusal_of(accounts, "Bearer lip_knight", accepted=("board:play", "challenge:write")) == (
        403,
        "Missing scope: board:play, challenge:write",
    )


@pytest.mark.parametrize("user_agent", ["user:rival", "bot/1.0 user:Rival", "x as:rival"])
def test_a_user_agent_that_names_another_user(accounts: Accounts, user_agent: str) -> None:
    assert refusal_of(accounts, "Bearer lip_knight", user_agent=user_agent) == (
        401,
        "The user in the user-agent doesn't match the token bearer",
    )


@pytest.mark.parametrize("user_agent", ["", "bot/1.0 user:KNIGHT", "as:knight", "superuser agent"])
def test_a_user_agent_that_names_nobody_else(accounts: Accounts, user_agent: str) -> None:
    assert accounts.authenticate("Bearer lip_knight", user_agent, (), 0).account.id == "knight"


def test_token_test_knows_good_and_bad_tokens(accounts: Accounts) -> None:
    accounts.issue(accounts.get("knight"), (), text="lip_bare", expires_at_ms=7)
    assert accounts.test_tokens("lip_knight, lip_bad,lip_bare\n") == {
        "lip_knight": {"userId": "knight", "scopes": "bot:play,challenge:read", "expires": None},
        "lip_bad": None,
        "lip_bare": {"userId": "knight", "scopes": "", "expires": 7},
    }


def test_names_tokens_scopes_and_titles_are_checked(accounts: Accounts) -> None:
    with pytest.raises(ValueError, match="already an account"):
        accounts.add(Account("KNIGHT"))
    with pytest.raises(ValueError, match="no user name"):
        accounts.add(Account("two words"))
    with pytest.raises(ValueError, match="unknown title 'XX'"):
        accounts.add(Account("titled", title="XX"))
    with pytest.raises(ValueError, match="unknown scope bot:fly"):
        accounts.issue(accounts.get("knight"), ("bot:fly",))
    with pytest.raises(ValueError, match="already in use"):
        accounts.issue(accounts.get("knight"), (), text="lip_knight")
    with pytest.raises(ValueError, match="is no token"):
        accounts.issue(accounts.get("knight"), (), text="lip-knight")


def test_tokens_made_up_by_the_server_differ(accounts: Accounts) -> None:
    knight = accounts.get("knight")
    made = {accounts.issue(knight, ()).text for _ in range(50)}
    assert len(made) == 50
    assert all(text.startswith("lip_") for text in made)
