"""A program: loads the whole engine, and tells how much of it was compiled, and every float in what was.

What comes from the cache has no inferred types to look at.
"""

from __future__ import annotations

import importlib
import json
from collections.abc import Iterator
from typing import Any

from numba.core import types

from bot.engine import jit
from bot.engine.load_all import modules


def floats(found: Any) -> Iterator[Any]:
    """The floating-point types in a type."""
    if isinstance(found, types.Float | types.Complex):
        yield found
    for part in getattr(found, "types", ()) or [getattr(found, "dtype", None)]:
        if isinstance(part, types.Type) and part is not found:
            yield from floats(part)


def inferred(function: Any) -> Iterator[tuple[str, Any]]:
    """The variables of a function that was compiled just now, with their types."""
    for signature in function.signatures:
        annotation = function.overloads[signature].type_annotation
        yield from getattr(annotation, "typemap", {}).items()


def main() -> None:
    """See the module."""
    for name in modules():
        importlib.import_module(name)
    found: dict[str, Any] = {"functions": len(jit.COMPILED), "compiled": 0, "variables": 0, "floats": []}
    for function in jit.COMPILED:
        found["compiled"] += sum(function.stats.cache_misses.values())
        for variable, kind in inferred(function):
            found["variables"] += 1
            if any(floats(kind)):
                found["floats"].append(f"{function.py_func.__module__}.{function.__name__}: {variable}")
    print(json.dumps(found))  # noqa: T201  the program's answer


if __name__ == "__main__":
    main()
