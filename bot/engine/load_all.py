"""Load the whole engine, compiling what is not in the cache. Run as a program, it tells how far it is.

`python -m bot.engine.load_all` prints a function's name before it is compiled or loaded, a line each, and in
the end `done FUNCTIONS COMPILED`: how many there are, and how many of them the cache did not have.
"""

from __future__ import annotations

import importlib
import pkgutil
import sys
from collections.abc import Iterator
from pathlib import Path

FOLDER = Path(__file__).parent
#: These are programs; they hold no compiled function.
PROGRAMS = ("load_all", "warm")


def modules() -> Iterator[str]:
    """The names of the engine's modules."""
    for module in pkgutil.iter_modules([str(FOLDER)]):
        if module.name not in PROGRAMS:
            yield f"bot.engine.{module.name}"


def function_count() -> int:
    """How many compiled functions the sources have, without importing them."""
    return sum(path.read_text(encoding="utf-8").count("\n@compiled(") for path in FOLDER.glob("*.py"))


def main() -> None:
    """See the module."""
    from bot.engine import jit  # noqa: PLC0415  imports numba

    jit.BEFORE_EACH.append(_say)
    for name in modules():
        importlib.import_module(name)
    compiled = sum(sum(made.stats.cache_misses.values()) for made in jit.COMPILED)
    _say(f"done {len(jit.COMPILED)} {compiled}")


def _say(line: str) -> None:
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


if __name__ == "__main__":
    main()
