"""Accounts and their access tokens."""

from __future__ import annotations

import random
import re
import string
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from bot.local_lichess.refusal import Refusal, not_found

SCOPES = frozenset(
    {
        "preference:read",
        "preference:write",
        "email:read",
        "engine:read",
        "engine:write",
        "challenge:read",
        "challenge:write",
        "challenge:bulk",
        "study:read",
        "study:write",
        "tournament:write",
        "racer:write",
        "puzzle:read",
        "puzzle:write",
        "team:read",
        "team:write",
        "team:lead",
        "follow:read",
        "follow:write",
        "msg:write",
        "board:play",
        "bot:play",
        "web:mod",
    }
)
TITLES = frozenset({"GM", "WGM", "IM", "WIM", "FM", "WFM", "NM", "CM", "WCM", "WNM", "LM", "BOT"})

_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]{1,29}")
_TOKEN = re.compile(r"[A-Za-z0-9_]+")
_NAMED_IN_USER_AGENT = re.compile(r"\b(?:user|as):\s?([\w-]+)", re.IGNORECASE)
_MAX_TOKENS_TESTED = 1000


@dataclass(slots=True, eq=False)
class Account:
    """A user. `rating` is one number for every speed and variant."""

    name: str
    title: str | None = None
    rating: int = 1500
    provisional: bool = False
    managed: bool = False  # a class account: can never become a bot
    takebacks: bool = True  # the preference; a takeback needs that of both players
    created_at_ms: int = 0
    seen_at_ms: int = 0
    games: int = 0  # started
    rated_games: int = 0  # finished
    wins: int = 0
    losses: int = 0
    draws: int = 0
    follows: set[str] = field(default_factory=set)  # ids of the accounts this one follows

    @property
    def id(self) -> str:
        return self.name.lower()

    @property
    def is_bot(self) -> bool:
        return self.title == "BOT"


@dataclass(frozen=True, slots=True)
class Token:
    text: str
    account_id: str
    scopes: tuple[str, ...]
    expires_at_ms: int | None = None


@dataclass(frozen=True, slots=True)
class Caller:
    """Who a request comes from."""

    account: Account
    token: Token


class Accounts:
    """All users and tokens of the server."""

    def __init__(self, rng: random.Random) -> None:
        self._rng = rng
        self._accounts: dict[str, Account] = {}
        self._tokens: dict[str, Token] = {}

    def add(self, account: Account) -> Account:
        """Register a user. ValueError when the name is malformed or taken, or the title unknown."""
        if not _NAME.fullmatch(account.name):
            raise ValueError(f"{account.name!r} is no user name: 2 to 30 letters, digits, _ or -")
        if account.id in self._accounts:
            raise ValueError(f"there is already an account {account.id!r}")
        if account.title is not None and account.title not in TITLES:
            raise ValueError(f"unknown title {account.title!r}; known: {', '.join(sorted(TITLES))}")
        self._accounts[account.id] = account
        return account

    def issue(
        self,
        account: Account,
        scopes: Iterable[str],
        *,
        text: str | None = None,
        expires_at_ms: int | None = None,
    ) -> Token:
        """A new token. ValueError for an unknown scope, or a text that is malformed or taken."""
        wanted = tuple(scopes)
        if unknown := sorted(set(wanted) - SCOPES):
            raise ValueError(f"unknown scope {', '.join(unknown)}; known: {', '.join(sorted(SCOPES))}")
        if text is None:
            text = "lip_" + "".join(self._rng.choices(string.ascii_letters + string.digits, k=20))
        if not _TOKEN.fullmatch(text):
            raise ValueError(f"{text!r} is no token: letters, digits and _ only")
        if text in self._tokens:
            raise ValueError(f"the token {text!r} is already in use")
        token = Token(text, account.id, wanted, expires_at_ms)
        self._tokens[text] = token
        return token

    def revoke(self, text: str) -> None:
        self._tokens.pop(text, None)

    def find(self, name: str) -> Account | None:
        """By name in any case, or None."""
        return self._accounts.get(name.lower())

    def get(self, name: str) -> Account:
        """By name in any case. Refusal 404 when unknown."""
        account = self.find(name)
        if account is None:
            raise not_found()
        return account

    def __iter__(self) -> Iterator[Account]:
        return iter(self._accounts.values())

    def authenticate(
        self, authorization: str | None, user_agent: str, accepted: tuple[str, ...], now_ms: int
    ) -> Caller:
        """Who sends these headers. `accepted`: any one of these scopes will do; empty: any token.

        Refusal 401 without a good token, 403 when the token lacks the scope.
        """
        if authorization is None:
            raise Refusal(401, "Missing authorization header")
        scheme, _, text = authorization.partition(" ")
        token = self._tokens.get(text.strip()) if scheme.lower() == "bearer" else None
        if token is None or (token.expires_at_ms is not None and token.expires_at_ms <= now_ms):
            raise Refusal(401, "No such token")
        account = self._accounts.get(token.account_id)
        if account is None:
            raise Refusal(401, "No such user")
        if accepted and not set(accepted) & set(token.scopes):
            raise Refusal(403, f"Missing scope: {', '.join(accepted)}")
        named = _NAMED_IN_USER_AGENT.search(user_agent)
        if named is not None and named[1].lower() != account.id:
            raise Refusal(401, "The user in the user-agent doesn't match the token bearer")
        account.seen_at_ms = now_ms
        return Caller(account, token)

    def token_of(self, authorization: str | None) -> Token | None:
        """The token a header names, whatever it may be used for."""
        return self._tokens.get((authorization or "").partition(" ")[2].strip())

    def test_tokens(self, body: str) -> dict[str, object]:
        """POST /api/token/test: `body` is up to 1000 tokens with commas between them."""
        texts = [text.strip() for text in body.split(",")][:_MAX_TOKENS_TESTED]
        return {text: self._described(self._tokens.get(text)) for text in texts if text}

    @staticmethod
    def _described(token: Token | None) -> dict[str, object] | None:
        if token is None:
            return None
        return {"userId": token.account_id, "scopes": ",".join(token.scopes), "expires": token.expires_at_ms}
