"""Reads one JSON object strictly: each field as what it must be, and none that nobody knows. Pure."""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Callable, Mapping, Sequence
from typing import TypeVar, cast

from bot.errors import BenchError

T = TypeVar("T")

#: No number that anybody writes down here comes near it, and it is one that numpy can hold.
MOST = 10**15


class RecordError(BenchError, ValueError):
    """JSON that is not the record it should be; the message names the field."""


class Fields:
    """The fields of `value`, which is to become the dataclass `kind`; `where` names it in messages.

    All methods raise RecordError, as does the constructor for a field that `kind` does not have. A field must
    be there, even where it may be null.
    """

    def __init__(self, value: object, where: str, kind: type) -> None:
        names = [field.name for field in dataclasses.fields(kind)]
        if not isinstance(value, dict):
            raise RecordError(f"{where} must be an object, found {shown(value)}")
        for name in value:
            if name not in names:
                raise RecordError(f"{where}.{name} is not known; there are {', '.join(names)}")
        self._values: Mapping[str, object] = value
        self._where = where

    def any(self, name: str) -> object:
        if name not in self._values:
            raise RecordError(f"{self._where}.{name} is missing")
        return self._values[name]

    def text(self, name: str) -> str:
        return cast(str, self._read(name, "text", _is_text))

    def text_or_none(self, name: str) -> str | None:
        return None if self.any(name) is None else self.text(name)

    def whole(self, name: str, *, least: int = 0, most: int = MOST) -> int:
        return within(f"{self._where}.{name}", self.any(name), least, most)

    def items(self, name: str) -> list[object]:
        return cast(list[object], self._read(name, "a list", lambda value: isinstance(value, list)))

    def texts(self, name: str) -> list[str]:
        return cast(list[str], self._read(name, "a list of texts", lambda value: _all(value, _is_text)))

    def texts_or_none(self, name: str) -> list[str | None]:
        def fits(value: object) -> bool:
            return _all(value, lambda each: each is None or _is_text(each))

        return cast(list[str | None], self._read(name, "a list of texts and nulls", fits))

    def one_of(self, name: str, allowed: Sequence[T]) -> T:
        wanted = f"one of {', '.join(map(str, allowed))}"
        return cast(T, self._read(name, wanted, lambda value: value in allowed))

    def one_of_or_none(self, name: str, allowed: Sequence[T]) -> T | None:
        return None if self.any(name) is None else self.one_of(name, allowed)

    def _read(self, name: str, wanted: str, fits: Callable[[object], bool]) -> object:
        value = self.any(name)
        if not fits(value):
            raise RecordError(f"{self._where}.{name} must be {wanted}, found {shown(value)}")
        return value


def within(where: str, value: object, least: int, most: int) -> int:
    """`value`, a whole number in these bounds. Raises RecordError."""
    if type(value) is int and least <= value <= most:  # True is no number here
        return value
    bounds = f"from {least} on" if most == MOST and not _is_whole(value) else f"from {least} to {most}"
    raise RecordError(f"{where} must be a whole number {bounds}, found {shown(value)}")


def line_content(line: bytes, key: str) -> object:
    """What a line of JSON, an object with nothing but `key`, has there. Raises RecordError, in one line."""
    try:
        value = json.loads(line)
    except (ValueError, RecursionError) as error:
        raise RecordError(f"it is damaged: {error}") from error
    if not isinstance(value, dict) or list(value) != [key]:
        raise RecordError(f'expected {{"{key}": ...}}')
    found: object = value[key]
    return found


def shown(value: object) -> str:
    """`value` in an error message."""
    text = repr(value)
    return text if len(text) <= 60 else f"{text[:59]}…"


def _is_text(value: object) -> bool:
    """JSON can hold half a character ("\\ud800"), which no file and no page can."""
    return isinstance(value, str) and not any("\ud800" <= char <= "\udfff" for char in value)


def _is_whole(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def _all(value: object, fits: Callable[[object], bool]) -> bool:
    return isinstance(value, list) and all(fits(each) for each in value)
