"""The access token: what one looks like, and where it is found. No message ever holds one."""

from __future__ import annotations

import re
import stat
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from pydantic import SecretStr

VARIABLE = "LICHESS_BOT_TOKEN"
MAX_CHARACTERS = 512
HOW_TO = "make one with the scope bot:play at https://lichess.org/account/oauth/token"
MALFORMED = "found a value that is not shown, expected a token: letters, digits and _ only"

_TOKEN = re.compile(r"[A-Za-z0-9_]+")
_PLACEHOLDER = re.compile(r"your_*(\w+_*)?token|token_*here|x{8,}", re.IGNORECASE)
_IN_PATH = re.compile(r"\$\{(\w+)\}|\$(\w+)")
_FILE_BYTES = 4_096


class TokenError(ValueError):
    """There is no usable token; the message says why, and never shows it."""


@dataclass(frozen=True, slots=True)
class FoundToken:
    """A token, and the words for where it was found. `file` is the token file, if it came from one."""

    token: SecretStr
    source: str
    file: Path | None = None


def read_token(text: str) -> SecretStr:
    """The token that `text` holds, white space around it left out. Raises TokenError."""
    token = text.strip()
    if not token:
        raise TokenError(f"the token is empty; {HOW_TO}")
    if _PLACEHOLDER.search(token):
        raise TokenError(f"this is only the placeholder of a token; {HOW_TO}")
    if not _TOKEN.fullmatch(token):
        raise TokenError(MALFORMED)
    if len(token) > MAX_CHARACTERS:
        raise TokenError(f"found {len(token)} characters, expected a token of at most {MAX_CHARACTERS}")
    return SecretStr(token)


def token_from_environment(env: Mapping[str, str]) -> FoundToken | None:
    """The token in LICHESS_BOT_TOKEN; None when that is unset or blank. Raises TokenError."""
    text = env.get(VARIABLE, "")
    return FoundToken(read_token(text), VARIABLE) if text.strip() else None


def token_from_file(name: str, folder: Path, env: Mapping[str, str]) -> FoundToken:
    """The token in the file `name`, relative to `folder`; `${VARIABLE}` and a leading `~/` are replaced.

    Raises TokenError. The name is not in its message: somebody may have put the token itself there.
    """
    path = folder / _expanded(name, env)
    try:
        with path.open("rb") as file:
            raw = file.read(_FILE_BYTES + 1)
    except FileNotFoundError:
        raise TokenError("found no file of that name (the token itself would go under `token`)") from None
    except IsADirectoryError:
        raise TokenError("found a folder, expected a file that holds the token") from None
    except PermissionError:
        raise TokenError("found a file that this account may not read") from None
    except (OSError, ValueError):  # too long, a loop of links, a NUL ...
        raise TokenError("found a file that cannot be read") from None
    try:
        text = raw.decode("utf-8-sig")
    except UnicodeDecodeError:
        text = "?"
    try:
        return FoundToken(read_token(text if len(raw) <= _FILE_BYTES else "?"), str(path), path)
    except TokenError as error:
        reason = str(error)
    raise TokenError(f"in the file it names: {reason}")


def exposed(path: Path) -> bool:
    """True for a file that every user of this machine may read or write (POSIX permissions)."""
    try:
        mode = path.stat().st_mode
    except OSError:
        return False
    return stat.S_ISREG(mode) and bool(mode & (stat.S_IROTH | stat.S_IWOTH))


def _expanded(name: str, env: Mapping[str, str]) -> str:
    if name.startswith("~/"):
        name = f"${{HOME}}{name[1:]}"
    for match in _IN_PATH.finditer(name):
        variable = match[1] or match[2]
        if not env.get(variable):
            raise TokenError(f"the environment variable {variable} that it names is not set")
    return _IN_PATH.sub(lambda match: env[match[1] or match[2]], name)
