"""The configuration file: read, judged, and given its token. Every fault is told at once, one line each.

config.yml:12: challenge.max_base_s: found "abc", expected a whole number of seconds from 0 to 10800
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from bot.access_token import (
    HOW_TO,
    VARIABLE,
    FoundToken,
    TokenError,
    exposed,
    read_token,
    token_from_environment,
    token_from_file,
)
from bot.config_reading import Examined, examine
from bot.errors import ConfigError
from bot.settings import Settings
from bot.wording import one_line, without_secrets
from bot.yaml_tree import MAX_CHARACTERS, Fault


@dataclass(frozen=True, slots=True)
class Loaded:
    """A configuration that can be used, its token filled in.

    `warnings` are printable lines. `token_source` says where the token was found; None: there is none.
    Relative names in the file, of scripts and modules, are relative to `folder`.
    """

    settings: Settings
    warnings: tuple[str, ...]
    token_source: str | None
    folder: Path


def load(path: Path, env: Mapping[str, str], *, token_required: bool = True) -> Loaded:
    """Read the file at `path`, and find the token.

    The token is taken from the variable LICHESS_BOT_TOKEN of `env`, else from the file: from its key `token`,
    or from the file that its key `token_file` names; both keys together are a fault. Raises ConfigError.
    """
    name = str(path)
    examined = examine(_text_of(path))
    faults = list(examined.faults)
    found, token_fault = _find_token(examined, path.parent, env, required=token_required)
    if token_fault is not None:
        faults.append(token_fault)
    if faults or examined.settings is None:
        raise ConfigError(_lines(name, faults))
    settings = (
        examined.settings if found is None else examined.settings.model_copy(update={"token": found.token})
    )
    warnings = [*_unused(examined, found, name), *_open_files(examined, found, path)]
    return Loaded(
        settings=settings,
        warnings=tuple(without_secrets(line) for line in warnings),
        token_source=None if found is None else without_secrets(found.source),
        folder=path.parent,
    )


def parse(text: str, name: str = "config.yml") -> Settings:
    """The settings that `text` holds; `name` stands for the file in messages.

    No token is looked for beyond the key `token`, and none is required. Raises ConfigError.
    """
    examined = examine(text)
    if examined.settings is None:
        raise ConfigError(_lines(name, examined.faults))
    return examined.settings


def _lines(name: str, faults: Iterable[Fault]) -> tuple[str, ...]:
    """`FILE:LINE: KEY: MESSAGE` for each fault."""
    lines = []
    for fault in faults:
        where = f"{name}:{fault.line}" if fault.line else name
        key = f"{one_line('.'.join(fault.path), 100)}: " if fault.path else ""
        lines.append(without_secrets(f"{where}: {key}{fault.message}"))
    return tuple(lines)


def _text_of(path: Path) -> str:
    line = 0
    try:
        with path.open("rb") as file:
            raw = file.read(4 * MAX_CHARACTERS + 1)
    except FileNotFoundError:
        message = "found no such file, expected a copy of config.yml.example with your token in it"
    except IsADirectoryError:
        message = "found a folder, expected a YAML file"
    except PermissionError:
        message = "found a file that this account may not read"
    except (OSError, ValueError) as error:  # ValueError: a NUL in the name
        message = (
            f"found a file that cannot be read ({getattr(error, 'strerror', None) or 'its name is none'})"
        )
    else:
        try:
            return raw.decode("utf-8-sig")
        except UnicodeDecodeError as error:
            line = raw.count(b"\n", 0, error.start) + 1
            message = f"found the byte 0x{raw[error.start]:02x}, expected text in UTF-8"
    raise ConfigError(_lines(str(path), [Fault(line, message)]))


def _find_token(
    examined: Examined, folder: Path, env: Mapping[str, str], *, required: bool
) -> tuple[FoundToken | None, Fault | None]:
    """The token, or what is wrong with it beyond what `examined` has found already."""
    try:
        if (found := token_from_environment(env)) is not None:
            return found, None
    except TokenError as error:
        return None, Fault(0, f"environment variable {VARIABLE}: {error}")
    if not examined.root.entries and examined.faults:
        return None, None  # nothing of the file could be read
    if any(fault.path[:1] in (("token",), ("token_file",)) for fault in examined.faults):
        return None, None
    text, name = examined.text_of("token"), examined.text_of("token_file")
    if text is not None:
        return FoundToken(read_token(text), "the configuration's own token"), None
    if name is not None:
        try:
            return token_from_file(name, folder, env), None
        except TokenError as error:
            return None, Fault(examined.line_of("token_file"), str(error), ("token_file",))
    if not required:
        return None, None
    missing = (
        f"found none, expected it here, or in token_file, or in the environment variable {VARIABLE}; {HOW_TO}"
    )
    return None, Fault(examined.root.lines.get("token", 0), missing, ("token",))


def _unused(examined: Examined, found: FoundToken | None, name: str) -> Iterator[str]:
    if found is not None and found.source == VARIABLE:
        for key in ("token", "token_file"):
            if examined.text_of(key) is not None:
                yield f"{name}:{examined.line_of(key)}: {key} is not used, as {VARIABLE} is set"


def _open_files(examined: Examined, found: FoundToken | None, path: Path) -> Iterator[str]:
    files = [path] if examined.text_of("token") is not None else []
    if found is not None and found.file is not None:
        files.append(found.file)
    for file in files:
        if exposed(file):
            yield f"{file} holds a token and is open to every user of this machine: chmod 600 {file}"
