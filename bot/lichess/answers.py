"""Answers to requests → values, and what an error body says in one line. Pure.

A body that lacks what it must have is as good as no answer: ConnectionTroubleError.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping

from bot.errors import ConnectionTroubleError
from bot.events import Account, GameInfo, TokenInfo, Unreadable
from bot.lichess import fields
from bot.lichess.wire import parse_game_info

#: An error text longer than this says no more.
_LONGEST = 200
_HTML_TITLE = re.compile(r"<title[^>]*>(.*?)</title>", re.IGNORECASE | re.DOTALL)
_LOOKS_LIKE_HTML = re.compile(r"\s*<(!doctype|html|head|body|\?xml)", re.IGNORECASE)


def parse_account(raw: object) -> Account:
    """`GET /api/account`. Only `id` is needed. `games_played` counts every game, casual ones too."""
    account = _object(raw, "account")
    try:
        user_id = fields.need_id(account, "id")
    except fields.UnreadableError as error:
        raise ConnectionTroubleError(f"an account that cannot be read: {error}") from None
    return Account(
        id=user_id.lower(),
        username=fields.text(account, "username") or user_id,
        title=fields.text(account, "title") or None,
        games_played=fields.count(fields.child(account, "count"), "all") or 0,
    )


def parse_token_info(raw: object, token: str) -> TokenInfo | None:
    """What `POST /api/token/test` says of `token`; None when Lichess does not know it."""
    info = _object(raw, "token test").get(token)
    if not isinstance(info, Mapping):
        return None
    scopes = (fields.text(info, "scopes") or "").split(",")
    return TokenInfo(
        user_id=(fields.text(info, "userId") or "").lower(),
        scopes=tuple(scope for scope in map(str.strip, scopes) if scope),
        expires_at_ms=fields.count(info, "expires"),
    )


def parse_ongoing(raw: object) -> tuple[GameInfo | Unreadable, ...]:
    """`GET /api/account/playing`, in its order: most urgent first."""
    playing = _object(raw, "list of ongoing games").get("nowPlaying")
    if not isinstance(playing, list):
        raise ConnectionTroubleError("a list of ongoing games without nowPlaying")
    return tuple(parse_game_info(game) for game in playing)


def parse_speakers(raw: object) -> frozenset[str]:
    """Who speaks in `GET /api/bot/game/{id}/chat`, as lower-case ids; odd entries count for nobody."""
    if not isinstance(raw, list):
        raise ConnectionTroubleError("a chat that is no list")
    lines = (line for line in raw if isinstance(line, Mapping))
    return frozenset(name.lower() for line in lines if (name := fields.text(line, "user")))


def _object(raw: object, what: str) -> Mapping[str, object]:
    if not isinstance(raw, Mapping):
        raise ConnectionTroubleError(f"an answer that is no {what}: a {type(raw).__name__}")
    return raw


def error_text(body: object) -> str:
    """One line of what an error body says; empty when it says nothing.

    Takes bytes, text or decoded JSON. `error` may be a sentence, or an object of form fields with their
    faults; a page of HTML gives its title.
    """
    if isinstance(body, bytes):
        body = body.decode("utf-8", "replace")
    if isinstance(body, str):
        try:
            body = json.loads(body)
        except (ValueError, RecursionError):
            return _one_line(_plain_text(str(body)))
    if isinstance(body, Mapping):
        body = body.get("error", body.get("message", body))
    return _one_line("; ".join(_sentences(body)))


def rate_limit(body: object) -> tuple[float | None, str | None]:
    """(seconds to wait, limiter's key) from the `ratelimit` object of a 429's JSON, as far as it says."""
    limit = fields.child(body, "ratelimit") if isinstance(body, Mapping) else {}
    seconds = fields.count(limit, "seconds")
    return None if seconds is None else float(seconds), fields.text(limit, "key")


def _sentences(value: object, field: str = "", depth: int = 0) -> Iterator[str]:
    """`{"clock.limit": ["Invalid value"]}` → "clock.limit: Invalid value"."""
    if isinstance(value, Mapping) and depth < 3:
        for key, inner in value.items():
            # Lichess files faults that belong to no single field under "global".
            yield from _sentences(inner, "" if key == "global" else str(key), depth + 1)
    elif isinstance(value, list) and depth < 3:
        for inner in value:
            yield from _sentences(inner, field, depth + 1)
    elif value is not None:
        yield f"{field}: {value}" if field else str(value)


def _plain_text(page: str) -> str:
    title = _HTML_TITLE.search(page)
    if title:
        return title[1]
    return "a page of HTML" if _LOOKS_LIKE_HTML.match(page) else page


def _one_line(words: str) -> str:
    """One printable line, without control characters that could forge a second one in a log."""
    printable = "".join(letter if letter.isprintable() else " " for letter in words)
    line = " ".join(printable.split())
    return line if len(line) <= _LONGEST else line[: _LONGEST - 1] + "…"
