"""Words for messages: values cut to one printable line, secrets blotted out, and the word that was meant."""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterable

#: What Lichess's tokens look like by convention, and a password inside an address.
_SECRETS = re.compile(r"(?<![A-Za-z0-9])(li[a-z]_)[A-Za-z0-9_]{6,}|(?<=//)[^/@\s]+(?=@)")


def printable(text: str) -> str:
    """`text` on one line, with its control characters escaped."""
    return text if text.isprintable() else "".join(c if c.isprintable() else repr(c)[1:-1] for c in text)


def one_line(text: str, limit: int = 60) -> str:
    """`text` as `printable` gives it, in at most `limit` characters."""
    shown = printable(text[: limit + 1])
    return shown if len(shown) <= limit else f"{shown[: limit - 1]}…"


def quoted(text: str, limit: int = 60) -> str:
    """`text` as `one_line` gives it, in double quotes."""
    return f'"{one_line(text, limit)}"'


def without_secrets(line: str) -> str:
    """`line` with everything that looks like a token, or a password in an address, replaced by `…`."""
    return _SECRETS.sub(lambda match: f"{match[1] or ''}…", line)


def did_you_mean(word: str, known: Iterable[str]) -> str:
    """` (did you mean "…"?)`, or nothing. Capitals, `_` and `-` do not count as differences."""
    by_plain_form = {_plain_form(each): each for each in known}
    close = difflib.get_close_matches(_plain_form(word[:100]), list(by_plain_form), n=1)
    return f' (did you mean "{by_plain_form[close[0]]}"?)' if close else ""


def _plain_form(word: str) -> str:
    return re.sub(r"[\s_-]", "", word.casefold())
