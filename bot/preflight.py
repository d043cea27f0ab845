"""What must hold before the service starts: the token, its scopes, the account's title."""

from __future__ import annotations

from bot.errors import KnightshiftError
from bot.events import Account, TokenInfo

NEW_TOKEN_PATH = "/account/oauth/token/create?scopes[]=bot:play&description=knightshift"  # noqa: S105  an address

UPGRADE_MEANING = (
    "Upgrading turns the account into a BOT account. This cannot be undone: the account can never again play "
    "as a person. Lichess only does it for an account that has not played a single game."
)


class NotAllowedToServeError(KnightshiftError):
    """Lichess does not let this token run a bot; the message says how to mend it. Exit code 3."""


def check_token(info: TokenInfo | None, url: str) -> None:
    """Raises NotAllowedToServeError for an unknown token or one without the scope `bot:play`."""
    if info is None:
        raise NotAllowedToServeError(
            f"{url} does not know this token: it was mistyped, revoked, or made on another server. "
            f"Make a new one at {url}{NEW_TOKEN_PATH}"
        )
    if "bot:play" not in info.scopes:
        found = ", ".join(info.scopes) or "none"
        raise NotAllowedToServeError(
            f"the token of {info.user_id} lacks the scope bot:play (it has: {found}). "
            f"Make one with it at {url}{NEW_TOKEN_PATH}"
        )


def check_account(account: Account) -> None:
    """Raises NotAllowedToServeError for an account that is not a BOT."""
    if account.is_bot:
        return
    if account.games_played > 0:
        raise NotAllowedToServeError(
            f"{account.username} is no BOT account, and as it has played {account.games_played} games, "
            "Lichess will not make it one. Register a new account and make its token."
        )
    raise NotAllowedToServeError(
        f"{account.username} is no BOT account yet. {UPGRADE_MEANING} To do it: knightshift run --upgrade"
    )
