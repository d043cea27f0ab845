"""A request as the routes see it: who asks, with which words; plain values only."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from urllib.parse import parse_qsl

from bot.local_lichess.accounts import Caller
from bot.local_lichess.refusal import Refusal
from bot.local_lichess.terms import Form


@dataclass(frozen=True, slots=True)
class Asked:
    """`form` holds the fields of the query and the body together, as Lichess binds them."""

    now_ms: int
    path: Mapping[str, str]
    query: Mapping[str, str]
    form: Form
    text: str  # the body as it came
    headers: Mapping[str, str]  # names in lower case
    asker: Caller | None

    @property
    def caller(self) -> Caller:
        """Who asks, on an endpoint that requires a token."""
        if self.asker is None:
            raise LookupError("this endpoint requires no token, so it has no caller")
        return self.asker

    @property
    def user_agent(self) -> str:
        return self.headers.get("user-agent", "")


def read_form(content_type: str, query: Mapping[str, str], body: bytes) -> dict[str, str]:
    """The fields of a request. JSON nulls count as absent, nested objects become dotted names.

    Refusal 400 when a body that says it is JSON is none.
    """
    fields = dict(query)
    if content_type.startswith("application/json") and body.strip():
        try:
            parsed = json.loads(body)
        except ValueError:
            raise Refusal(400, "Invalid Json") from None
        _flatten("", parsed, fields)
    elif content_type.startswith("application/x-www-form-urlencoded"):
        fields.update(parse_qsl(body.decode("utf-8", errors="replace"), keep_blank_values=True))
    return fields


def _flatten(prefix: str, value: object, into: dict[str, str]) -> None:
    if isinstance(value, dict):
        for key, inner in value.items():
            _flatten(f"{prefix}.{key}" if prefix else str(key), inner, into)
    elif isinstance(value, list):
        into[prefix] = ",".join(str(item) for item in value)
    elif isinstance(value, bool):
        into[prefix] = "true" if value else "false"
    elif value is not None:
        into[prefix] = str(value)
