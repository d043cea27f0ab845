"""Accounts as the API shows them."""

from __future__ import annotations

from bot.local_lichess.accounts import Account

_PERFS = (
    "ultraBullet",
    "bullet",
    "blitz",
    "rapid",
    "classical",
    "correspondence",
    "chess960",
    "crazyhouse",
    "antichess",
    "atomic",
    "horde",
    "kingOfTheHill",
    "racingKings",
    "threeCheck",
)


def light_user(account: Account) -> dict[str, object]:
    """Id, name and title; the title is left out when there is none."""
    user: dict[str, object] = {"id": account.id, "name": account.name}
    if account.title is not None:
        user["title"] = account.title
    return user


def challenge_user(account: Account, *, online: bool) -> dict[str, object]:
    """As a side of a challenge."""
    user = {**light_user(account), "rating": account.rating}
    if account.provisional:
        user["provisional"] = True
    if online:
        user |= {"online": True, "lag": 4}
    return user


def status_user(account: Account, *, online: bool, playing: bool) -> dict[str, object]:
    """GET /api/users/status; flags that are false are left out."""
    user = light_user(account)
    if online:
        user["online"] = True
    if playing:
        user["playing"] = True
    return user


def public_user(account: Account) -> dict[str, object]:
    """As the list of online bots shows it."""
    perf: dict[str, object] = {"games": account.games, "rating": account.rating, "rd": 60, "prog": 0}
    if account.provisional:
        perf["prov"] = True
    user: dict[str, object] = {
        "id": account.id,
        "username": account.name,
        "perfs": {key: dict(perf) for key in _PERFS},
        "createdAt": account.created_at_ms,
        "seenAt": account.seen_at_ms,
        "playTime": {"total": 0, "tv": 0},
    }
    if account.title is not None:
        user["title"] = account.title
    return user


def extended_user(
    account: Account, *, base_url: str, playing: str | None, games_now: int
) -> dict[str, object]:
    """GET /api/account and GET /api/user/{name}. `playing`: path of the game, e.g. "Ab3dEf7h/white"."""
    user = public_user(account)
    user["url"] = f"{base_url}/@/{account.name}"
    if playing is not None:
        user["playing"] = f"{base_url}/{playing}"
    user["count"] = {
        "all": account.wins + account.losses + account.draws,
        "rated": account.rated_games,
        "draw": account.draws,
        "loss": account.losses,
        "win": account.wins,
        "bookmark": 0,
        "playing": games_now,
        "import": 0,
        "me": 0,
    }
    user |= {"followable": True, "following": False, "blocking": False}
    return user
