"""What the settings want at each place of a file, read from the models and put in words."""

from __future__ import annotations

import types
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Annotated, Any, Literal, Union, get_args, get_origin

import annotated_types
from pydantic import SecretStr
from pydantic.fields import FieldInfo

from bot.settings import Section, Settings, StrategySettings

_UNITS = {"_s": " of seconds", "_ms": " of milliseconds", "_days": " of days"}


@dataclass(frozen=True, slots=True)
class Wanted:
    """The annotation of one place (`kind`, without its `Annotated`), and what restricts it."""

    kind: Any
    metadata: tuple[object, ...] = ()
    description: str | None = None
    name: str = ""

    def under(self, key: str | int) -> Wanted | None:
        """What is wanted under a key or at an index of this place; None where nothing has a place."""
        section = self.section
        if section is not None:
            field = section.model_fields.get(str(key))
            if field is None:
                return None
            return Wanted(field.annotation, tuple(field.metadata), field.description, str(key))
        origin = get_origin(self.kind)
        if origin is tuple and isinstance(key, int):
            return _wanted(get_args(self.kind)[0])
        if origin is dict and isinstance(key, str):
            return Wanted(get_args(self.kind)[1])
        return None

    @property
    def section(self) -> type[Section] | None:
        """The model of this place, if it is a mapping with keys of its own."""
        return self.kind if isinstance(self.kind, type) and issubclass(self.kind, Section) else None

    @property
    def keys(self) -> tuple[str, ...]:
        """The keys that are known here."""
        return () if self.section is None else tuple(self.section.model_fields)

    @property
    def choices(self) -> tuple[str, ...]:
        """The words that are allowed here, if only some are."""
        return get_args(self.kind) if get_origin(self.kind) is Literal else ()

    @property
    def may_be_bare(self) -> bool:
        """True where a heading with nothing under it means the defaults."""
        return self.section is not None and self.section is not StrategySettings

    @property
    def takes_text(self) -> bool:
        """True where a plain scalar is text whatever it looks like: a user may be called `no`, or `1234`."""
        kinds = get_args(self.kind) if get_origin(self.kind) in (Union, types.UnionType) else (self.kind,)
        texts = [each for each in kinds if each is not types.NoneType]
        return bool(self.choices) or all(each in (str, SecretStr, StrategySettings) for each in texts)

    def __str__(self) -> str:
        """As it follows on `expected`. The unit is read from the end of the name."""
        if self.description is not None:
            return self.description
        if self.section is StrategySettings:
            return "the name of a strategy, or a mapping of name and options"
        if self.section is not None:
            return f"a mapping of {', '.join(self.keys)}"
        if self.choices:
            return f"one of {', '.join(self.choices)}"
        if get_origin(self.kind) is tuple:
            item = self.under(0)
            if item is not None and item.choices:
                return f"a list such as [{item.choices[0]}], of one or more of {', '.join(item.choices)}"
            return f"a list, each item {item}"
        if get_origin(self.kind) is dict:
            return "a mapping of option: value"
        if self.kind is bool:
            return "true or false"
        if self.kind is int:
            low, high = self.limits
            unit = next((unit for end, unit in _UNITS.items() if self.name.endswith(end)), "")
            return f"a whole number{unit} from {low} to {high}"
        return "text" if self.takes_text else "text, a number, true or false"

    @property
    def limits(self) -> tuple[int, int]:
        """The least and the greatest number allowed. Raises TypeError for a field that has no such limits."""
        low = next(
            (int(str(item.ge)) for item in self.metadata if isinstance(item, annotated_types.Ge)), None
        )
        high = next(
            (int(str(item.le)) for item in self.metadata if isinstance(item, annotated_types.Le)), None
        )
        if low is None or high is None:
            raise TypeError(f"{self.name} has no limits")
        return low, high


#: The whole file.
ROOT = Wanted(Settings)


def wanted_at(path: tuple[str | int, ...]) -> Wanted | None:
    """What is wanted at `path`, keys and indices from the top of the file."""
    here: Wanted | None = ROOT
    for key in path:
        here = None if here is None else here.under(key)
    return here


def sections() -> Iterator[tuple[str, tuple[str, ...]]]:
    """The name and the keys of each section, first the top of the file, which has the name ``."""
    yield "", ROOT.keys
    for name in ROOT.keys:
        here = ROOT.under(name)
        if here is not None and here.section is not None:
            yield name, here.keys


def _wanted(annotation: Any) -> Wanted:
    if get_origin(annotation) is not Annotated:
        return Wanted(annotation)
    kind, *metadata = get_args(annotation)
    fields = [item for item in metadata if isinstance(item, FieldInfo)]
    return Wanted(kind, tuple(metadata), next((field.description for field in fields), None))
